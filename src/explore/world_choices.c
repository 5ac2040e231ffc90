// What may happen next in a world: the rules of the delivery models, timers,
// and when it is the test body's turn.
#include "explore/world.h"

#include "base/debug.h"

static bool causal_ready(const struct world *w, uint32_t flight)
{
    const struct flight *all = w->flights.at;
    for (uint32_t i = all[flight].prev; i != PLAY_NONE; i = all[i].prev)
        if (world_before(w, i, flight))
            return false;
    return true;
}

static bool pair_ready(const struct world *w, uint32_t flight)
{
    const struct flight *all = w->flights.at;
    uint32_t sender = all[flight].sender;
    for (uint32_t i = all[flight].prev; i != PLAY_NONE; i = all[i].prev)
        if (all[i].sender == sender)
            return false;
    return true;
}

bool world_deliverable(struct world *w, uint32_t flight)
{
    debug_assert(flight < w->flights.n);
    switch (w->delivery) {
    case DELIVERY_ANY:
        return true;
    case DELIVERY_PAIR:
        return pair_ready(w, flight);
    case DELIVERY_CAUSAL:
        return causal_ready(w, flight);
    case DELIVERY_MAILBOX:
        return w->flights.at[flight].prev == PLAY_NONE;
    case DELIVERIES_N:
        break;
    }
    return false;
}

// The first message of each sender: one pass, senders marked with a stamp.
static void pair_choices(struct world *w, uint32_t actor, choices *out)
{
    uint32_t stamp = ++w->stamp;
    uint32_t i = w->seats.at[actor].first;
    for (; i != PLAY_NONE; i = w->flights.at[i].next) {
        struct seat *from = &w->seats.at[w->flights.at[i].sender];
        if (from->stamp == stamp)
            continue;
        from->stamp = stamp;
        vec_push(out, ((struct choice){actor, i, 0, 0}));
    }
}

// i: the first message in flight to this actor.
static void actor_choices(struct world *w, uint32_t actor, uint32_t i,
                          choices *out)
{
    if (w->delivery == DELIVERY_MAILBOX || w->flights.at[i].next == PLAY_NONE) {
        vec_push(out, ((struct choice){actor, i, 0, 0}));
        return;
    }
    if (w->delivery == DELIVERY_PAIR) {
        pair_choices(w, actor, out);
        return;
    }
    for (; i != PLAY_NONE; i = w->flights.at[i].next)
        if (world_deliverable(w, i))
            vec_push(out, ((struct choice){actor, i, 0, 0}));
}

static uint32_t all_flags(const struct world *w)
{
    uint32_t flags = 0;
    for (uint32_t a = 0; a < w->n; a++)
        flags |= w->seats.at[a].flags;
    return flags;
}

// Of the timers of a seat, how many may be the next to fire?
static uint32_t timers_of(const struct world *w, const struct seat *s)
{
    return w->tireless ? state_all_timers(s->flags) : state_timers(s->flags);
}

static void timer_choices(uint32_t actor, uint32_t n, choices *out)
{
    for (uint32_t k = 0; k < n; k++)
        vec_push(out, ((struct choice){actor, play_timer(k), 0, 0}));
}

static bool is_quiet(const struct world *w)
{
    if (w->pending + w->timers)
        return false;
    for (uint32_t a = 0; w->tireless && a < w->n; a++)
        if (timers_of(w, &w->seats.at[a]))
            return false;
    return true;
}

// Nothing can be received.  A body that waits for a timer that fires once, or
// for a reply that a tick more might bring, does not go on.
static bool body_is_due(const struct world *w)
{
    uint32_t flags = all_flags(w);
    if (!w->body || w->body & EFFECT_BODY_DONE || flags & STATE_OWES)
        return false;
    return !(flags & STATE_BODY_WAITS && flags & STATE_RESTS);
}

// May the body go on, or the test end, before the timers that are left fire?
static bool need_not_wait(const struct world *w)
{
    if (w->pending || w->tireless || !world_beside_ticks(w))
        return false;
    return !(all_flags(w) & (STATE_OWES | STATE_BODY_WAITS));
}

void world_choices(struct world *w, choices *out)
{
    if (w->body & WORLD_OVER)
        return;
    bool quiet = is_quiet(w);
    if (quiet && body_is_due(w))
        w->due = true;
    if (w->due) {
        vec_push(out, ((struct choice){PLAY_ENV, CHOICE_BODY, 0, 0}));
        return;
    }
    if (quiet)
        return;
    bool timed = w->timers || w->tireless;
    const struct seat *s = w->seats.at;
    for (uint32_t a = 0; a < w->n; a++, s++) {
        if (s->first != PLAY_NONE)
            actor_choices(w, a, s->first, out);
        if (timed)
            timer_choices(a, timers_of(w, s), out);
    }
    if (need_not_wait(w))
        vec_push(out, ((struct choice){PLAY_ENV, CHOICE_BODY, 0, 0}));
}
