#include "delays.h"

struct delayer {
    struct search search;
    struct world world;
    choices choices;
    struct rng rng;
    uint32_t most;
    uint64_t clock;
    VEC(uint64_t) due;   // of each flight
    VEC(uint64_t) timer; // of each actor, 0: not drawn
};

static uint64_t draw(struct delayer *d)
{
    return d->clock + 1 + rng_below(&d->rng, d->most + 1);
}

static uint64_t due(struct delayer *d, const struct choice *c)
{
    if (is_flight(c->flight))
        return d->due.at[c->flight];
    while (d->timer.n <= c->actor)
        vec_push(&d->timer, 0);
    if (!d->timer.at[c->actor])
        d->timer.at[c->actor] = draw(d);
    return d->timer.at[c->actor];
}

static uint32_t first_due(struct delayer *d)
{
    uint32_t best = 0;
    if (d->choices.at[0].flight == CHOICE_BODY)
        return 0;
    for (uint32_t i = 1; i < d->choices.n; i++)
        if (due(d, &d->choices.at[i]) < due(d, &d->choices.at[best]))
            best = i;
    return best;
}

static void make(struct delayer *d, struct choice c)
{
    const struct effect *e;
    if (c.flight != CHOICE_BODY && due(d, &c) > d->clock)
        d->clock = due(d, &c);
    d->clock++;
    if (play_is_timer(c.flight))
        d->timer.at[c.actor] = 0;
    while ((e = world_do(&d->world, &c))->flags & EFFECT_PICK)
        c = world_pick(&d->world, &c, (uint16_t)rng_below(&d->rng, e->pick));
    while (d->due.n < d->world.flights.n)
        vec_push(&d->due, draw(d));
    search_effect(&d->search, &d->world, e, true);
}

static bool advance(struct delayer *d)
{
    vec_clear(&d->choices);
    world_choices(&d->world, &d->choices);
    if (!d->choices.n) {
        search_ending(&d->search, &d->world);
        return false;
    }
    if (d->world.trail.n > d->search.steps) {
        search_give_up(&d->search, &d->world);
        return false;
    }
    make(d, d->choices.at[first_due(d)]);
    return true;
}

uint64_t delays(struct play *p, const struct explore_options *o, uint32_t most,
                const struct explore_sink *sink)
{
    struct explore_result r;
    struct delayer d = {.rng = rng_of(o->seed), .most = most};
    uint64_t made = 0;
    search_init(&d.search, p, o, sink, &r);
    world_init(&d.world, p, o->delivery);
    for (; made < o->schedules && !d.search.over; made++) {
        world_reset(&d.world);
        vec_clear(&d.due);
        vec_clear(&d.timer);
        d.clock = 0;
        while (!d.search.over && advance(&d))
            ;
        if (sink->stop && sink->stop(sink->self))
            search_stop(&d.search, STOP_ASKED);
    }
    search_release(&d.search);
    world_release(&d.world);
    vec_free(&d.choices);
    vec_free(&d.due);
    vec_free(&d.timer);
    return made;
}
