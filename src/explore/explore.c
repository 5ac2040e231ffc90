// Tables of names, and the way to each strategy.
#include "explore/explore.h"

#include "explore/portfolio.h"
#include "explore/search.h"

#include <string.h>

#define EXPLORE_ID_(name, id, text) id,
#define EXPLORE_TEXT_(name, id, text) text,
static const char *const strategy_ids[] = {STRATEGIES(EXPLORE_ID_)};
static const char *const stop_ids[] = {STOPS(EXPLORE_ID_)};
static const char *const stop_texts[] = {STOPS(EXPLORE_TEXT_)};
#define EXPLORE_REFUSAL_(name, text) text,
static const char *const refusal_texts[] = {REFUSALS(EXPLORE_REFUSAL_)};

const char *strategy_id(enum strategy s)
{
    return strategy_ids[s];
}

const char *stop_id(enum stop s)
{
    return stop_ids[s];
}

const char *stop_text(enum stop s)
{
    return stop_texts[s];
}

const char *refusal_text(enum refusal r)
{
    return refusal_texts[r];
}

bool strategy_by_state(enum strategy s)
{
    return s == STRATEGY_STATEFUL || s == STRATEGY_REDUCED;
}

enum strategy strategy_of(const char *id)
{
    int s = 0;
    while (s < STRATEGIES_N && strcmp(strategy_ids[s], id) != 0)
        s++;
    return (enum strategy)s;
}

// ---- strategies -----------------------------------------------------------

// A bound on delays is a bound on exhaustive's tree.
static bool can_bound_delays(enum strategy s)
{
    return s == STRATEGY_AUTO || s == STRATEGY_EXHAUSTIVE ||
           s == STRATEGY_ROUNDROBIN;
}

// Does the strategy assume that receives of different actors commute, whatever
// the clock shows?
static bool ignores_clock(enum strategy s)
{
    return s == STRATEGY_OPTIMAL || s == STRATEGY_ETA || s == STRATEGY_REDUCED;
}

// NULL: the strategy cannot pause.
const struct engine *engine_of(const struct explore_options *o, enum strategy s)
{
    static const struct engine *const engines[STRATEGIES_N] = {
        [STRATEGY_OPTIMAL] = &engine_optimal,
        [STRATEGY_SOURCE] = &engine_source,
        [STRATEGY_EXHAUSTIVE] = &engine_exhaustive,
        [STRATEGY_STATEFUL] = &engine_stateful,
        [STRATEGY_REDUCED] = &engine_reduced,
        [STRATEGY_RANDOM] = &engine_samples,
        [STRATEGY_PCT] = &engine_samples,
        [STRATEGY_POS] = &engine_samples,
        [STRATEGY_URW] = &engine_samples,
        [STRATEGY_ROUNDROBIN] = &engine_samples,
    };
    if (s == STRATEGY_COVER)
        return o->cover ? o->cover->engine : NULL;
    return engines[s];
}

void engine_run(const struct engine *e, struct search *s)
{
    void *self = e->begin(s);
    while (e->go(self))
        ;
    e->end(self);
}

bool search_clock_refused(struct search *s)
{
    if (!play_clocked(s->play) || !ignores_clock(s->options->strategy))
        return false;
    search_refuse(s, REFUSAL_CLOCK);
    return true;
}

static void run(struct search *s)
{
    const struct explore_options *o = s->options;
    enum strategy strategy =
        o->bounded_delays ? STRATEGY_EXHAUSTIVE : o->strategy;
    bool eta = strategy == STRATEGY_ETA;
    if (search_clock_refused(s))
        return;
    if (o->bounded_delays && !can_bound_delays(o->strategy))
        search_refuse(s, REFUSAL_DELAYS);
    else if (o->order == ORDER_SCATTER &&
             (eta || o->strategy == STRATEGY_EXHAUSTIVE) && !o->bounded_delays)
        explore_scattered(s, eta);
    else if (eta)
        explore_eta(s);
    else if (!engine_of(o, strategy))
        search_refuse(s, REFUSAL_ABSENT);
    else
        engine_run(engine_of(o, strategy), s);
}

static void explore_one(struct play *p, const struct explore_options *o,
                        const struct explore_sink *sink,
                        struct explore_result *r)
{
    struct search s;
    search_init(&s, p, o, sink, r);
    run(&s);
    search_release(&s);
}

void explore_result_add(struct explore_result *sum,
                        const struct explore_result *r)
{
    sum->executions += r->executions;
    sum->broken_off += r->broken_off;
    sum->warm_up += r->warm_up;
    for (uint32_t i = 0; i < STRATEGIES_N; i++)
        sum->share[i] += r->share[i];
    sum->blocked += r->blocked;
    sum->cut += r->cut;
    sum->receives += r->receives;
    sum->states += r->states;
    sum->warnings += r->warnings;
    sum->ruled_out += r->ruled_out;
    sum->rested |= r->rested;
    sum->more_final_states |= r->more_final_states;
    if (r->growth > 0)
        sum->growth = r->growth;
    if (r->max_depth > sum->max_depth)
        sum->max_depth = r->max_depth;
}

void explore(struct play *p, const struct explore_options *o,
             const struct explore_sink *sink, struct explore_result *r)
{
    static const struct explore_sink deaf;
    struct work_list rest = {0};
    sink = sink ? sink : &deaf;
    if (o->strategy == STRATEGY_AUTO && !o->bounded_delays)
        portfolio_explore(p, o, NULL, 0, sink, r, &rest);
    else
        explore_one(p, o, sink, r);
    work_list_free(&rest);
}
