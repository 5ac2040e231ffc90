// A step is known by a digest of its causal past, so the steps that two
// executions have in common are known to be the same, and cuts made of such
// steps alone are cuts of both.  A search goes from one execution to another
// that differs little: only cuts with a step that the execution before did not
// have are new.
//
// Steps are listed with those first that the execution before had, too.  Every
// cut has a last step in this list.  For each new step: the cuts with this last
// step are what happens before it, with any of the earlier steps added; added
// in the order of the list, every beginning is a cut, so each is met once.
//
// A step changes the global state in the same way in all cuts that have it, so
// the digest of a cut's state is a sum over its steps.  The world is brought
// there only if that state was not met before.
#include "explore/cuts.h"

#include "base/die.h"
#include "explore/order.h"
#include "explore/search.h"
#include "explore/seen.h"

#include <stdlib.h>

struct cuts {
    struct search *search;
    struct world world;
    struct order order;
    VEC(uint32_t) path;     // steps of the schedule, in the order of the world
    VEC(bool) in;           // the cut, by step
    VEC(uint32_t) added;    // places of those steps that were not there first
    struct digest sum;      // of its state
    VEC(struct digest) ids; // by step
    VEC(struct digest) changes; // by step: of the sum
    struct seen before;         // ids of the execution before
    VEC(uint32_t) list;         // steps, those of the execution before first
    struct schedule found;
};

struct cuts *cuts_new(struct search *s)
{
    struct cuts *c = need_zero(sizeof *c);
    c->search = s;
    world_init(&c->world, s->play, s->options->delivery);
    c->world.guest = true;
    order_init(&c->order, s->options->delivery == DELIVERY_MAILBOX);
    return c;
}

void cuts_free(struct cuts *c)
{
    if (!c)
        return;
    world_release(&c->world);
    order_release(&c->order);
    vec_free(&c->path);
    vec_free(&c->in);
    vec_free(&c->added);
    vec_free(&c->ids);
    vec_free(&c->changes);
    vec_free(&c->list);
    seen_free(&c->before);
    schedule_free(&c->found);
    free(c);
}

static void begin(struct cuts *c)
{
    world_reset(&c->world);
    vec_clear(&c->path);
}

// The message of this step among those in flight; steps are numbered by the
// schedule, the world's own numbers differ.
static uint32_t flight_of(const struct cuts *c, const struct step *t)
{
    const struct world *w = &c->world;
    uint32_t i = w->seats.at[t->actor].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next) {
        const struct flight *f = &w->flights.at[i];
        if (c->path.at[f->source] == t->source && f->nth == t->nth)
            break;
    }
    return i;
}

// False if the world cannot do it: the schedule is not one of this play.
static bool do_step(struct cuts *c, const struct schedule *all, uint32_t i)
{
    const struct step *t = &all->steps.at[i];
    struct choice x = {t->actor, CHOICE_BODY, 0, 0};
    if (play_is_timer(t->msg))
        x.flight = t->msg;
    else if (t->msg != PLAY_NONE && (x.flight = flight_of(c, t)) == PLAY_NONE)
        return false;
    for (uint32_t k = 0; k < t->n_picks; k++)
        x = world_pick(&c->world, &x, all->picks.at[t->picks + k]);
    if (world_do(&c->world, &x)->flags & EFFECT_PICK)
        return false;
    vec_push(&c->path, i);
    return true;
}

// What this step is, and all that happens before it.  It is made of exact
// numbers alone, so the halves begin differently.
static struct digest identity(const struct cuts *c, const struct schedule *all,
                              uint32_t i)
{
    const struct step *t = &all->steps.at[i];
    const struct order_event *e = &c->order.events.at[i];
    struct digest past = {0}, what = {t->actor, ~(uint64_t)t->actor};
    for (uint32_t k = 0; k < e->n_preds; k++)
        past = digest_plus(past, c->ids.at[c->order.preds.at[e->preds + k]]);
    if (t->source != PLAY_NONE)
        what = digest_with(digest_join(what, c->ids.at[t->source]), t->nth);
    else
        what = digest_with(what, t->msg); // a timer or the body
    for (uint32_t k = 0; k < t->n_picks; k++)
        what = digest_with(what, all->picks.at[t->picks + k]);
    return digest_join(past, what);
}

// How the world's newest step changed the messages in flight.
static struct digest flights_change(struct world *w)
{
    const struct trail_step *t = &vec_last(&w->trail);
    struct digest h = {0};
    for (uint32_t i = t->flights; i < w->flights.n; i++)
        h = digest_plus(h, world_flight_hash(w, i));
    return is_flight(t->flight)
               ? digest_minus(h, world_flight_hash(w, t->flight))
               : h;
}

// Of the states and the body.
static struct digest rest_of(const struct world *w)
{
    uint64_t body = hash_join(w->body, w->due);
    return digest_plus(w->hash, (struct digest){body, body});
}

// Learn the order of the whole schedule, and what each step changes.
static bool learn(struct cuts *c, const struct schedule *all)
{
    struct world *w = &c->world;
    begin(c);
    order_clear(&c->order);
    vec_clear(&c->ids);
    vec_clear(&c->changes);
    for (uint32_t i = 0; i < all->steps.n; i++) {
        struct digest before = rest_of(w);
        if (!do_step(c, all, i))
            return false;
        struct digest after = digest_plus(rest_of(w), flights_change(w));
        vec_push(&c->changes, digest_minus(after, before));
        order_push(&c->order, w);
        struct digest id = identity(c, all, i);
        vec_push(&c->ids, id);
    }
    return true;
}

static void list_steps(struct cuts *c, bool old)
{
    for (uint32_t i = 0; i < c->ids.n; i++) {
        bool met = seen_find(&c->before, c->ids.at[i]) != SEEN_NONE;
        if (met == old)
            vec_push(&c->list, i);
    }
}

// Make the list.  Returns how many of its steps are not new.
static uint32_t compare(struct cuts *c)
{
    vec_clear(&c->list);
    list_steps(c, true);
    uint32_t old = c->list.n;
    list_steps(c, false);
    seen_clear(&c->before);
    for (uint32_t i = 0; i < c->ids.n; i++)
        if (seen_find(&c->before, c->ids.at[i]) == SEEN_NONE)
            seen_add(&c->before, c->ids.at[i]);
    return old;
}

// Bring the world to the cut.
static bool go_there(struct cuts *c, const struct schedule *all)
{
    begin(c);
    for (uint32_t k = 0; k < c->list.n; k++)
        if (c->in.at[c->list.at[k]] && !do_step(c, all, c->list.at[k]))
            return false;
    return true;
}

// Was the state of the cut not met before?  States beyond the bound on their
// number are new each time.
static bool is_new(struct search *s, struct digest state)
{
    uint64_t most = s->options->max_states ? s->options->max_states : 1u << 26;
    if (seen_find(&s->checked, state) != SEEN_NONE)
        return false;
    if (s->checked.n < most)
        seen_add(&s->checked, state);
    return true;
}

static void check(struct cuts *c, const struct schedule *all)
{
    struct search *s = c->search;
    if (!is_new(s, c->sum))
        return;
    if ((++s->result->states & 255) == 0)
        search_look(s);
    if (!go_there(c, all))
        return;
    const struct bug *b = world_invariant(&c->world, false);
    if (!b)
        return;
    world_schedule(&c->world, &c->found);
    search_bug(s, b, &c->found);
}

static bool may_follow(const struct cuts *c, uint32_t i)
{
    const struct order_event *e = &c->order.events.at[i];
    for (uint32_t k = 0; k < e->n_preds; k++)
        if (!c->in.at[c->order.preds.at[e->preds + k]])
            return false;
    return true;
}

static void add(struct cuts *c, uint32_t i)
{
    c->in.at[i] = true;
    c->sum = digest_plus(c->sum, c->changes.at[i]);
}

static void drop(struct cuts *c, uint32_t i)
{
    c->in.at[i] = false;
    c->sum = digest_minus(c->sum, c->changes.at[i]);
}

// The cut of step `last` and all that happens before it.
static void least_cut(struct cuts *c, uint32_t last)
{
    c->sum = (struct digest){0};
    vec_clear(&c->in);
    for (uint32_t i = 0; i < c->ids.n; i++)
        vec_push(&c->in, false);
    for (uint32_t i = 0; i < last; i++)
        if (order_before(&c->order, i, last))
            add(c, i);
    add(c, last);
}

// All cuts whose last step in the list is the one at this place.
static void check_last(struct cuts *c, const struct schedule *all, uint32_t end)
{
    uint32_t k = 0;
    vec_clear(&c->added);
    least_cut(c, c->list.at[end]);
    check(c, all);
    while (!c->search->over) {
        while (k < end &&
               (c->in.at[c->list.at[k]] || !may_follow(c, c->list.at[k])))
            k++;
        if (k < end) {
            add(c, c->list.at[k]);
            vec_push(&c->added, k);
            check(c, all);
        } else if (c->added.n) {
            k = vec_pop(&c->added);
            drop(c, c->list.at[k]);
        } else {
            return;
        }
        k++;
    }
}

void cuts_check(struct cuts *c, const struct schedule *all)
{
    if (!learn(c, all))
        return;
    for (uint32_t k = compare(c); k < c->list.n && !c->search->over; k++)
        check_last(c, all, k);
}
