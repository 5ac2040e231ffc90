// Strategies that sample: one execution after another, from the start.
//
//   random      each choice with the same probability
//   pct         Burckhardt et al., ASPLOS 2010, with a priority per (receiver,
//               sender), in `any` per message: the highest goes first; at
//               depth - 1 random points of the run the one about to go drops
//               below all others; a run that seems to turn round goes on as
//               in random
//   pos         partial order sampling (Yuan, Yang, Gu, CAV 2018): a random
//               priority per message; those that lost against one for the same
//               actor draw again
//   urw         Zhao, Yuan et al., ASPLOS 2025: actors weighted by how many
//               receives they have still to make, known from earlier runs, so
//               that interleavings come out nearly equally likely
//   roundrobin  actors in turn, in each the first message; one execution
//
// The runs before say how long a run is (pct) and what each actor gets (urw).
#include "explore/search.h"

#include "base/die.h"

#include <stdlib.h>

struct sampler {
    struct search *search;
    struct world world;
    choices choices;
    struct rng rng;
    uint64_t runs;
    uint32_t longest;       // pct: run so far that did not turn round, in steps
    uint64_t ended, steps;  // runs that came to an end, and steps in them
    VEC(uint64_t) priority; // pos: of each flight, 0 if not drawn
    VEC(uint64_t) timer;    // pos: of each actor's timers, likewise
    uint64_t salt;          // pct: of this run
    VEC(uint64_t) lowered;  // pct: channels, the first the highest
    VEC(uint32_t) points;   // pct: steps at which priorities change
    VEC(uint64_t) total;    // urw: receives of each actor in all runs
    VEC(double) weight;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    struct rng r = rng_of(a ^ (b * 0xd6e8feb86659fd93u));
    return rng_next(&r);
}

// ---- pct ------------------------------------------------------------------

// What goes in order: the messages of a sender to a receiver; in `any` each
// message is alone.
static uint64_t channel(const struct sampler *x, const struct choice *c)
{
    bool in_order = x->world.delivery != DELIVERY_ANY;
    uint32_t from = is_flight(c->flight) && in_order
                        ? x->world.flights.at[c->flight].sender
                        : c->flight;
    return (uint64_t)c->actor << 32 | from;
}

// Lowered channels come below all others, the last lowered the lowest.
static uint64_t pct_priority(const struct sampler *x, uint64_t channel)
{
    for (uint32_t i = x->lowered.n; i-- > 0;)
        if (x->lowered.at[i] == channel)
            return x->lowered.n - i;
    return mix(x->salt, channel) | UINT64_C(1) << 63;
}

static uint32_t pct_best(const struct sampler *x)
{
    uint32_t best = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < x->choices.n; i++) {
        uint64_t p = pct_priority(x, channel(x, &x->choices.at[i]));
        if (p > most) {
            most = p;
            best = i;
        }
    }
    return best;
}

enum { LONG = 1000, LONGER = 4 };

// Is the run so much longer than those that came to an end that it seems to
// turn round?  Priorities let two actors that ask each other again and again
// keep a third from moving for ever, which says nothing about the program.
static bool pct_turns_round(const struct sampler *x)
{
    uint64_t usual = x->ended ? x->steps / x->ended : 0, most = LONGER * usual;
    return x->world.trail.n > (most > LONG ? most : LONG);
}

static uint32_t pct_pick(struct sampler *x)
{
    if (pct_turns_round(x))
        return rng_below(&x->rng, x->choices.n);
    uint32_t best = pct_best(x);
    for (uint32_t i = 0; i < x->points.n; i++) {
        if (x->points.at[i] != x->world.trail.n)
            continue;
        vec_push(&x->lowered, channel(x, &x->choices.at[best]));
        best = pct_best(x);
    }
    return best;
}

static void pct_begin(struct sampler *x)
{
    uint32_t depth = x->search->options->depth;
    depth = depth ? depth : 3;
    x->salt = rng_next(&x->rng);
    vec_clear(&x->lowered);
    vec_clear(&x->points);
    for (uint32_t i = 1; i < depth; i++)
        vec_push(&x->points,
                 1 + rng_below(&x->rng, x->longest ? x->longest : 16));
}

// ---- pos ------------------------------------------------------------------

static uint64_t *pos_draw(struct sampler *x, const struct choice *c)
{
    while (x->priority.n < x->world.flights.n)
        vec_push(&x->priority, 0);
    while (x->timer.n < x->world.n)
        vec_push(&x->timer, 0);
    uint64_t *p = is_flight(c->flight) ? &x->priority.at[c->flight]
                                       : &x->timer.at[c->actor];
    if (!*p)
        *p = rng_next(&x->rng) | 1;
    return p;
}

static uint64_t pos_priority(struct sampler *x, const struct choice *c)
{
    uint64_t drawn = *pos_draw(x, c);
    return is_flight(c->flight) ? drawn : mix(drawn, c->flight);
}

static uint32_t pos_pick(struct sampler *x)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < x->choices.n; i++)
        if (pos_priority(x, &x->choices.at[i]) >
            pos_priority(x, &x->choices.at[best]))
            best = i;
    uint32_t actor = x->choices.at[best].actor;
    for (uint32_t i = 0; i < x->choices.n; i++)
        if (x->choices.at[i].actor == actor)
            *pos_draw(x, &x->choices.at[i]) = 0;
    return best;
}

// ---- urw ------------------------------------------------------------------

static double urw_left(const struct sampler *x, uint32_t actor)
{
    const struct seat *s = &x->world.seats.at[actor];
    double all = 0;
    if (x->runs && actor < x->total.n)
        all = (double)x->total.at[actor] / (double)x->runs;
    double left = all - s->receives;
    return left > s->n_flights ? left : s->n_flights ? s->n_flights : 1;
}

// An actor's weight is shared by its choices, which come one after the other.
static uint32_t urw_pick(struct sampler *x)
{
    double sum = 0;
    vec_clear(&x->weight);
    for (uint32_t i = 0; i < x->choices.n;) {
        uint32_t a = x->choices.at[i].actor, same = 1;
        while (i + same < x->choices.n && x->choices.at[i + same].actor == a)
            same++;
        for (double each = urw_left(x, a) / same; same; same--, i++) {
            sum += each;
            vec_push(&x->weight, sum);
        }
    }
    double at = rng_unit(&x->rng) * sum;
    uint32_t i = 0;
    while (i + 1 < x->choices.n && x->weight.at[i] <= at)
        i++;
    return i;
}

static void urw_end(struct sampler *x)
{
    while (x->total.n < x->world.n)
        vec_push(&x->total, 0);
    for (uint32_t a = 0; a < x->world.n; a++)
        x->total.at[a] += x->world.seats.at[a].receives;
}

// ---- round robin ----------------------------------------------------------

static uint32_t next_in_turn(const struct sampler *x)
{
    if (!x->world.trail.n)
        return 0;
    uint32_t last = vec_last(&x->world.trail).actor;
    for (uint32_t i = 0; i < x->choices.n; i++)
        if (x->choices.at[i].actor > last)
            return i;
    return 0;
}

// ---- runs -----------------------------------------------------------------

static uint32_t pick(struct sampler *x)
{
    if (x->choices.at[0].flight == CHOICE_BODY)
        return 0;
    switch (x->search->options->strategy) {
    case STRATEGY_PCT:
        return pct_pick(x);
    case STRATEGY_POS:
        return pos_pick(x);
    case STRATEGY_URW:
        return urw_pick(x);
    case STRATEGY_ROUNDROBIN:
        return next_in_turn(x);
    case STRATEGY_AUTO:
    case STRATEGY_OPTIMAL:
    case STRATEGY_SOURCE:
    case STRATEGY_ETA:
    case STRATEGY_EXHAUSTIVE:
    case STRATEGY_STATEFUL:
    case STRATEGY_REDUCED:
    case STRATEGY_RANDOM:
    case STRATEGY_COVER:
    case STRATEGIES_N:
        break;
    }
    return rng_below(&x->rng, x->choices.n);
}

// Make the choice; choose() is answered at random, by round robin with 0.
static void make(struct sampler *x, struct choice c)
{
    bool fixed = x->search->options->strategy == STRATEGY_ROUNDROBIN;
    const struct effect *e;
    while ((e = world_do(&x->world, &c))->flags & EFFECT_PICK)
        c = world_pick(&x->world, &c,
                       (uint16_t)(fixed ? 0 : rng_below(&x->rng, e->pick)));
    search_effect(x->search, &x->world, e, true);
}

// The run came to an end.
static void note_length(struct sampler *x)
{
    if (x->world.trail.n > x->longest && !pct_turns_round(x))
        x->longest = x->world.trail.n;
    x->ended++;
    x->steps += x->world.trail.n;
}

// False if there is nothing left to do.
static bool advance(struct sampler *x)
{
    vec_clear(&x->choices);
    world_choices(&x->world, &x->choices);
    if (!x->choices.n) {
        search_ending(x->search, &x->world);
        note_length(x);
        return false;
    }
    if (x->world.trail.n > x->search->steps) {
        search_give_up(x->search, &x->world);
        return false;
    }
    make(x, x->choices.at[pick(x)]);
    return true;
}

static void sample(struct sampler *x)
{
    world_reset(&x->world);
    vec_clear(&x->priority);
    vec_clear(&x->timer);
    pct_begin(x);
    while (!x->search->over && advance(x))
        ;
    urw_end(x);
    x->runs++;
}

static void *begin(struct search *s)
{
    struct sampler *x = need_zero(sizeof *x);
    x->search = s;
    x->rng = rng_of(s->options->seed);
    world_init(&x->world, s->play, s->options->delivery);
    return x;
}

// How many samples there are to be; 0: no bound.
static uint64_t samples_of(const struct explore_options *o)
{
    if (o->strategy == STRATEGY_ROUNDROBIN)
        return 1;
    return o->schedules || o->seconds > 0 ? o->schedules : 10000;
}

// A sample pauses only between executions: then it holds nothing of the play.
static bool go(void *self)
{
    struct sampler *x = self;
    uint64_t most = samples_of(x->search->options);
    x->world.guest = x->search->guest;
    while (!search_pauses(x->search) && (!most || x->runs < most))
        sample(x);
    if (most && x->runs >= most)
        search_stop(x->search, STOP_SAMPLED);
    return !x->search->over;
}

static void end(void *self)
{
    struct sampler *x = self;
    world_release(&x->world);
    vec_free(&x->choices);
    vec_free(&x->priority);
    vec_free(&x->timer);
    vec_free(&x->lowered);
    vec_free(&x->points);
    vec_free(&x->total);
    vec_free(&x->weight);
    free(x);
}

const struct engine engine_samples = {begin, go, end};
