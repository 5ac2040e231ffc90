// Listed in the order of the schedule, every beginning of a cut is a cut.  So
// adding only later steps than the last one added reaches each cut once.
#include "explore/cuts.h"

#include "base/die.h"
#include "explore/order.h"
#include "explore/search.h"

#include <stdlib.h>

struct cuts {
    struct search *search;
    struct world world;
    struct order order;
    VEC(uint32_t) path; // steps of the schedule, in the order of the world
    VEC(bool) in;       // the cut, by step
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
    schedule_free(&c->found);
    free(c);
}

static void begin(struct cuts *c)
{
    world_reset(&c->world);
    order_clear(&c->order);
    vec_clear(&c->path);
    vec_clear(&c->in);
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
    if (t->msg == PLAY_TIMER)
        x.flight = CHOICE_TIMER;
    else if (t->msg != PLAY_NONE && (x.flight = flight_of(c, t)) == PLAY_NONE)
        return false;
    for (uint32_t k = 0; k < t->n_picks; k++)
        x = world_pick(&c->world, &x, all->picks.at[t->picks + k]);
    if (world_do(&c->world, &x)->flags & EFFECT_PICK)
        return false;
    vec_push(&c->path, i);
    return true;
}

// Learn the order of the whole schedule, then go back to the start.
static bool learn(struct cuts *c, const struct schedule *all)
{
    for (uint32_t i = 0; i < all->steps.n; i++) {
        if (!do_step(c, all, i))
            return false;
        order_push(&c->order, &c->world);
        vec_push(&c->in, false);
    }
    world_reset(&c->world);
    vec_clear(&c->path);
    return true;
}

static void check(struct cuts *c)
{
    struct search *s = c->search;
    if (!hashset_add(&s->checked, world_hash(&c->world, true)))
        return;
    if ((++s->result->states & 255) == 0)
        search_look(s);
    const struct bug *b = world_invariant(&c->world);
    if (!b)
        return;
    world_schedule(&c->world, &c->found);
    search_bug(s, b, &c->found);
}

static bool may_follow(const struct cuts *c, uint32_t i)
{
    const struct event *e = &c->order.events.at[i];
    for (uint32_t k = 0; k < e->n_preds; k++)
        if (!c->in.at[c->order.preds.at[e->preds + k]])
            return false;
    return true;
}

static uint32_t drop_last(struct cuts *c)
{
    uint32_t i = vec_pop(&c->path);
    c->in.at[i] = false;
    world_undo(&c->world);
    return i;
}

void cuts_check(struct cuts *c, const struct schedule *all)
{
    begin(c);
    if (!learn(c, all))
        return;
    uint32_t i = 0;
    for (;;) {
        while (i < all->steps.n && !may_follow(c, i))
            i++;
        if (c->search->over || i == all->steps.n) {
            if (!c->path.n)
                return;
            i = drop_last(c) + 1;
        } else if (do_step(c, all, i)) {
            c->in.at[i] = true;
            check(c);
            i++;
        } else {
            i++;
        }
    }
}
