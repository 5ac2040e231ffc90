#include "cover/force.h"

#include "base/hash.h"
#include "explore/follow.h"

enum { PICKS = 8 };

// As in partial order sampling: a message keeps its priority until another one
// is received by the same actor, then draws again.
static uint64_t priority(const struct world *w, const struct choice *c,
                         uint64_t salt)
{
    uint64_t what = (uint64_t)c->actor << 32 | c->flight;
    uint64_t when = w->seats.n > c->actor ? w->seats.at[c->actor].receives : 0;
    return hash_join(what, salt + when);
}

static uint32_t best(const struct follow *f, uint64_t salt)
{
    const choices *l = &f->choices;
    uint32_t b = 0;
    for (uint32_t i = 1; i < l->n; i++)
        if (priority(&f->world, &l->at[i], salt) >
            priority(&f->world, &l->at[b], salt))
            b = i;
    return b;
}

static void rest_randomly(struct follow *f, struct rng *rng)
{
    uint64_t salt = rng_next(rng);
    uint16_t picks[PICKS];
    while (!f->search.over && f->world.trail.n <= f->search.steps &&
           !follow_ended(f)) {
        for (uint32_t i = 0; i < PICKS; i++)
            picks[i] = (uint16_t)rng_below(rng, 4);
        follow_make(f, f->choices.at[best(f, salt)], picks, PICKS);
    }
}

uint32_t cover_force(struct play *p, enum delivery d, uint32_t steps,
                     const struct schedule *s, const uint32_t *events,
                     uint32_t n, struct rng *rng,
                     const struct explore_sink *sink, struct schedule *out)
{
    struct follow f;
    uint32_t i = 0;
    follow_init(&f, p, d, sink);
    f.within_ticks = true;
    if (steps)
        f.search.steps = steps;
    while (i < n && !f.search.over && follow_step(&f, s, events[i]))
        i++;
    if (rng)
        rest_randomly(&f, rng);
    else
        follow_rest(&f);
    world_schedule(&f.world, out);
    if (f.result.stopped_by == STOP_ASKED)
        i = PLAY_NONE;
    follow_release(&f);
    return i;
}
