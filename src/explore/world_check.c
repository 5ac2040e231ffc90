// What is true of a world between two steps, written as asserts: all that is
// kept up to date step by step is computed again from the seats, the flights
// and the trail.
#include "explore/world.h"

#include <assert.h>

// The list of messages in flight to one actor, in order of sending.
static void check_list(const struct world *w, uint32_t actor)
{
    const struct seat *s = &w->seats.at[actor];
    uint32_t n = 0, last = PLAY_NONE;
    for (uint32_t i = s->first; i != PLAY_NONE; i = w->flights.at[i].next) {
        const struct flight *f = &w->flights.at[i];
        assert(i < w->flights.n && n < s->n_flights);
        assert(f->to == actor && f->prev == last);
        assert(last == PLAY_NONE || last < i);
        assert(f->source < w->trail.n);
        assert(f->clock + f->n_clock <= w->clocks.n);
        last = i;
        n++;
    }
    assert(s->last == last && s->n_flights == n);
}

static void check_seat(const struct world *w, uint32_t actor)
{
    const struct seat *s = &w->seats.at[actor];
    assert(w->states.at[actor] == s->state);
    check_list(w, actor);
    if (s->state == PLAY_NONE) {
        assert(!s->n_flights && !s->receives && !s->flags &&
               digest_equal(s->part, (struct digest){0}));
        return;
    }
    const struct play_state *p = play_state(w->play, s->state);
    assert(s->flags == p->flags && s->hashed);
    assert(digest_equal(s->part, world_part(p->hash, s->name_hash)));
    assert(s->clock + s->n_clock <= w->clocks.n);
    assert(s->creator == PLAY_NONE || s->creator < w->trail.n);
}

// The sums over all seats that the world holds.
static void check_sums(const struct world *w)
{
    uint32_t pending = 0, timers = 0, every = 0, receives = 0, born = 0;
    struct digest hash = w->shared_part;
    for (uint32_t a = 0; a < w->n; a++) {
        const struct seat *s = &w->seats.at[a];
        pending += s->n_flights;
        timers += s->flags & STATE_TIMER;
        every += !!(s->flags & STATE_EVERY);
        receives += s->receives;
        born += a != PLAY_ENV && s->state != PLAY_NONE;
        hash = digest_plus(hash, s->part);
    }
    assert(w->pending == pending && w->timers == timers && w->every == every &&
           digest_equal(w->hash, hash));
    assert(receives == world_receives(w) && born == w->births.n);
}

// The stacks only grow along the trail, and each message was received once or
// is in flight.
static void check_trail(const struct world *w)
{
    uint32_t flights = 0, births = 0, clocks = 0, received = 0;
    for (uint32_t i = 0; i < w->trail.n; i++) {
        const struct trail_step *t = &w->trail.at[i];
        assert(t->flights >= flights && t->births >= births);
        assert(t->clocks >= clocks && t->actor < w->n);
        if (is_flight(t->flight)) {
            assert(t->flight < t->flights);
            assert(w->flights.at[t->flight].to == t->actor);
            received++;
        }
        flights = t->flights;
        births = t->births;
        clocks = t->clocks;
    }
    assert(flights <= w->flights.n && births <= w->births.n);
    assert(clocks <= w->clocks.n && received + w->pending == w->flights.n);
}

void world_check(const struct world *w)
{
    assert(w->seats.n == w->n && w->states.n == w->n);
    for (uint32_t a = 0; a < w->n; a++)
        check_seat(w, a);
    check_sums(w);
    check_trail(w);
}
