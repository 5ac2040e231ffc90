// Source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014),
// for messages: a step is a receive, and which others it does not commute with
// is said in order.h.  A receive never disables another, with one exception:
// it may cancel its actor's timers, or let them wait for one that it sets.
//
//   - Race: step i is ordered before step j by nothing but that they do not
//     commute, and the message of j could have come first.  Then at the node
//     before i some first step of "what is not after i, then j" must be taken.
//   - The message could not have come first if the delivery model keeps it
//     behind that of i: same sender (`pair`), sent knowing of it (`causal`),
//     always for two messages of one actor in `mailbox`, where only the sends
//     race.
//   - All timers of an actor that may fire are taken at every node at which a
//     step of that actor is taken: the step might cancel them.  A timer that is
//     still there and fires later races with that step like others do: it may
//     be asleep at the node and yet have to come first, behind a step that it
//     does not commute with.
//   - choose(): wherever a step is taken, all its picks are.  A sleeping step
//     has the receivers of all of them.
//   - While the body goes on after each receive, no two steps commute, and all
//     choices are taken.
#include "explore/search.h"

#include "base/die.h"
#include "explore/order.h"

#include <stdlib.h>

// A step taken at a node, or asleep there.
struct branch {
    uint32_t actor, flight;
    uint32_t receivers,
        n_receivers; // a part of node.receivers: of what its runs sent
    bool shared, whole, by_clock, moves_clock;
};

// A node of the path: its index is the number of steps made to get there.
struct node {
    VEC(struct branch) branches; // taken or to be taken; before `next`: done
    VEC(struct branch) sleep;
    VEC(uint32_t) receivers;
    VEC(struct choice) todo; // choices of the current branch, by picks
    VEC(struct choice) enabled;
    uint32_t next;
    uint32_t picks; // length of world.picks when it was entered
};

struct source {
    struct search *search;
    struct world world;
    struct order order;
    VEC(struct node) nodes; // those behind n are kept for reuse
    uint32_t n;
    choices scratch;
    struct schedule schedule;
};

// ---- sets of branches -----------------------------------------------------

static bool asleep(const struct node *n, uint32_t actor, uint32_t flight)
{
    for (uint32_t i = 0; i < n->sleep.n; i++)
        if (n->sleep.at[i].actor == actor && n->sleep.at[i].flight == flight)
            return true;
    return false;
}

static bool planned(const struct node *n, uint32_t actor, uint32_t flight)
{
    for (uint32_t i = 0; i < n->branches.n; i++)
        if (n->branches.at[i].actor == actor &&
            n->branches.at[i].flight == flight)
            return true;
    return false;
}

static bool enabled(const struct node *n, uint32_t actor, uint32_t flight)
{
    for (uint32_t i = 0; i < n->enabled.n; i++)
        if (n->enabled.at[i].actor == actor &&
            n->enabled.at[i].flight == flight)
            return true;
    return false;
}

static void plan_one(struct node *n, uint32_t actor, uint32_t flight)
{
    if (!planned(n, actor, flight) && !asleep(n, actor, flight))
        vec_push(&n->branches,
                 ((struct branch){.actor = actor, .flight = flight}));
}

static void plan(struct node *n, uint32_t actor, uint32_t flight)
{
    plan_one(n, actor, flight);
    for (uint32_t k = 0; enabled(n, actor, play_timer(k)); k++)
        plan_one(n, actor, play_timer(k));
}

// Add what the newest step sent to, and touched, to its branch.
static void note_receivers(struct source *x, struct node *n, struct branch *b)
{
    const struct world *w = &x->world;
    const struct trail_step *t = &vec_last(&w->trail);
    b->shared |= (t->effect_flags & EFFECT_SHARED) != 0;
    b->whole |= vec_last(&x->order.events).is_whole;
    b->by_clock |= vec_last(&x->order.events).by_clock;
    b->moves_clock |= t->moves_clock;
    if (!x->order.sends)
        return;
    for (uint32_t i = t->flights; i < w->flights.n; i++)
        vec_push(&n->receivers, w->flights.at[i].to);
    b->n_receivers = n->receivers.n - b->receivers;
}

static bool sends_to(const struct node *n, const struct branch *b,
                     uint32_t actor)
{
    for (uint32_t i = 0; i < b->n_receivers; i++)
        if (n->receivers.at[b->receivers + i] == actor)
            return true;
    return false;
}

// Does this branch, asleep at n, not commute with the newest step?
static bool awoken(struct source *x, const struct node *n,
                   const struct branch *b)
{
    const struct world *w = &x->world;
    const struct trail_step *t = &vec_last(&w->trail);
    if (b->actor == t->actor || b->whole || vec_last(&x->order.events).is_whole)
        return true;
    if (b->shared && t->effect_flags & EFFECT_SHARED)
        return true;
    if ((b->by_clock && t->moves_clock) ||
        (b->moves_clock && t->effect_flags & EFFECT_CLOCK))
        return true;
    for (uint32_t i = t->flights; x->order.sends && i < w->flights.n; i++)
        if (sends_to(n, b, w->flights.at[i].to))
            return true;
    return false;
}

static void pass_sleep(struct source *x, const struct node *from,
                       struct node *to, const struct branch *b)
{
    if (awoken(x, from, b))
        return;
    struct branch copy = *b;
    copy.receivers = to->receivers.n;
    for (uint32_t i = 0; i < b->n_receivers; i++)
        vec_push(&to->receivers, from->receivers.at[b->receivers + i]);
    vec_push(&to->sleep, copy);
}

// ---- races ----------------------------------------------------------------

// By which flight step j can be taken at the node before step i.  Timers are
// numbered by order, so one may have another number there; PLAY_NONE: it could
// not fire.
static uint32_t flight_before(const struct source *x, uint32_t i, uint32_t j)
{
    const struct trail_step *a = &x->world.trail.at[i],
                            *b = &x->world.trail.at[j];
    if (!play_is_timer(b->flight) || a->actor != b->actor)
        return b->flight;
    uint32_t name = timer_number(x->world.play, b->state, b->flight);
    for (uint32_t k = 0; k < state_timers(a->flags); k++)
        if (timer_number(x->world.play, a->state, play_timer(k)) == name)
            return play_timer(k);
    return PLAY_NONE;
}

static bool is_race(const struct source *x, uint32_t i, uint32_t j)
{
    const struct order *o = &x->order;
    const struct order_event *e = &o->events.at[j];
    const struct trail_step *t = &x->world.trail.at[j];
    if (e->is_whole || o->events.at[i].is_whole)
        return false;
    if (is_flight(t->flight) && x->world.flights.at[t->flight].source == i)
        return false;
    if (x->world.seats.at[e->actor].creator == i)
        return false;
    for (uint32_t k = 0; k < e->n_preds; k++) {
        uint32_t p = o->preds.at[e->preds + k];
        if (p > i && order_before(o, i, p))
            return false;
    }
    if (o->events.at[i].actor != e->actor)
        return true;
    if (play_is_timer(t->flight)) // could it have fired before?
        return flight_before(x, i, j) != PLAY_NONE;
    return order_may_overtake(&x->world, i, j);
}

// Can step l be taken first among j and those steps after i that do not depend
// on i?
static bool is_initial(const struct order *o, uint32_t i, uint32_t l,
                       uint32_t j)
{
    if (l != j && order_before(o, i, l))
        return false;
    const struct order_event *e = &o->events.at[l];
    for (uint32_t k = 0; k < e->n_preds; k++)
        if (o->preds.at[e->preds + k] > i)
            return false;
    return true;
}

static void reverse(struct source *x, uint32_t i, uint32_t j)
{
    struct node *n = &x->nodes.at[i];
    uint32_t first = PLAY_NONE;
    for (uint32_t l = j; l > i; l--) {
        if (!is_initial(&x->order, i, l, j))
            continue;
        uint32_t actor = x->world.trail.at[l].actor;
        uint32_t flight = flight_before(x, i, l);
        if (planned(n, actor, flight) || asleep(n, actor, flight))
            return;
        first = first == PLAY_NONE ? l : first;
    }
    plan(n, x->world.trail.at[first].actor, flight_before(x, i, first));
}

static void find_races(struct source *x)
{
    uint32_t j = x->order.events.n - 1;
    struct order_event e = x->order.events.at[j];
    for (uint32_t k = 0; k < e.n_preds; k++) {
        uint32_t i = x->order.preds.at[e.preds + k];
        if (is_race(x, i, j))
            reverse(x, i, j);
    }
}

// ---- the search -----------------------------------------------------------

static struct node *fresh_node(struct source *x)
{
    if (x->n == x->nodes.n)
        vec_push(&x->nodes, ((struct node){0}));
    struct node *n = &x->nodes.at[x->n++];
    vec_clear(&n->branches);
    vec_clear(&n->sleep);
    vec_clear(&n->receivers);
    vec_clear(&n->todo);
    vec_clear(&n->enabled);
    n->next = 0;
    n->picks = x->world.picks.n;
    return n;
}

static void inherit_sleep(struct source *x, struct node *n)
{
    if (x->n < 2)
        return;
    const struct node *up = &x->nodes.at[x->n - 2];
    for (uint32_t i = 0; i < up->sleep.n; i++)
        pass_sleep(x, up, n, &up->sleep.at[i]);
    for (uint32_t i = 0; i + 1 < up->next; i++)
        pass_sleep(x, up, n, &up->branches.at[i]);
}

static void plan_first(struct source *x, struct node *n)
{
    bool all = x->world.body & EFFECT_BODY_ONE;
    for (uint32_t i = 0; i < n->enabled.n; i++) {
        struct choice c = n->enabled.at[i];
        if (all || (!n->branches.n && !asleep(n, c.actor, c.flight)))
            plan(n, c.actor, c.flight);
    }
    if (!n->branches.n)
        x->search->result->blocked++;
}

static void ending(struct source *x)
{
    if (x->search->invariants) {
        world_schedule(&x->world, &x->schedule);
        search_check_cuts(x->search, &x->schedule);
    }
    search_ending(x->search, &x->world);
}

static void enter(struct source *x)
{
    struct node *n = fresh_node(x);
    inherit_sleep(x, n);
    vec_clear(&x->scratch);
    world_choices(&x->world, &x->scratch);
    for (uint32_t i = 0; i < x->scratch.n; i++)
        vec_push(&n->enabled, x->scratch.at[i]);
    if (!n->enabled.n)
        ending(x);
    else if (x->world.trail.n > x->search->steps)
        search_give_up(x->search, &x->world);
    else
        plan_first(x, n);
}

static void leave(struct source *x)
{
    x->world.picks.n = x->nodes.at[x->n - 1].picks;
    x->n--;
    if (!x->n)
        return;
    order_pop(&x->order);
    world_undo(&x->world);
}

static void take(struct source *x, struct choice c)
{
    const struct effect *e = world_do(&x->world, &c);
    struct node *n = &x->nodes.at[x->n - 1];
    if (e->flags & EFFECT_PICK) {
        for (uint16_t i = e->pick; i-- > 0;)
            vec_push(&n->todo, world_pick(&x->world, &c, i));
        return;
    }
    order_push(&x->order, &x->world);
    note_receivers(x, n, &n->branches.at[n->next - 1]);
    search_effect(x->search, &x->world, e, false);
    find_races(x);
    enter(x);
}

static void step(struct source *x)
{
    struct node *n = &x->nodes.at[x->n - 1];
    if (n->todo.n) {
        take(x, vec_pop(&n->todo));
        return;
    }
    if (n->next == n->branches.n) {
        leave(x);
        return;
    }
    struct branch *b = &n->branches.at[n->next++];
    b->receivers = n->receivers.n;
    take(x, (struct choice){b->actor, b->flight, 0, 0});
}

static void end(void *self)
{
    struct source *x = self;
    for (uint32_t i = 0; i < x->nodes.n; i++) {
        struct node *n = &x->nodes.at[i];
        vec_free(&n->branches);
        vec_free(&n->sleep);
        vec_free(&n->receivers);
        vec_free(&n->todo);
        vec_free(&n->enabled);
    }
    vec_free(&x->nodes);
    vec_free(&x->scratch);
    world_release(&x->world);
    order_release(&x->order);
    schedule_free(&x->schedule);
    free(x);
}

static void *begin(struct search *s)
{
    struct source *x = need_zero(sizeof *x);
    x->search = s;
    world_init(&x->world, s->play, s->options->delivery);
    x->world.guest = s->guest;
    order_init(&x->order, s->options->delivery == DELIVERY_MAILBOX);
    enter(x);
    return x;
}

static bool go(void *self)
{
    struct source *x = self;
    x->world.guest = x->search->guest;
    while (x->n && !search_pauses(x->search))
        step(x);
    return x->n && !x->search->over;
}

const struct engine engine_source = {begin, go, end};
