// Tables of names, and the way to each strategy.
#include "explore/explore.h"

#include "explore/recipe.h"
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

// Do receives of different actors commute for it, whatever the clock shows?
static bool ignores_clock(enum strategy s)
{
    return s == STRATEGY_OPTIMAL || s == STRATEGY_ETA || s == STRATEGY_REDUCED;
}

static void run(struct search *s)
{
    bool scatter = s->options->order == ORDER_SCATTER;
    if (play_clocked(s->play) && ignores_clock(s->options->strategy)) {
        search_refuse(s, REFUSAL_CLOCK);
        return;
    }
    if (s->options->bounded_delays) {
        if (can_bound_delays(s->options->strategy))
            explore_exhaustive(s);
        else
            search_refuse(s, REFUSAL_DELAYS);
        return;
    }
    switch (s->options->strategy) {
    case STRATEGY_AUTO: // its searches come here one by one
        break;
    case STRATEGY_OPTIMAL:
        explore_optimal(s);
        break;
    case STRATEGY_SOURCE:
        explore_source(s);
        break;
    case STRATEGY_ETA:
        if (scatter)
            explore_scattered(s, true);
        else
            explore_eta(s);
        break;
    case STRATEGY_EXHAUSTIVE:
        if (scatter)
            explore_scattered(s, false);
        else
            explore_exhaustive(s);
        break;
    case STRATEGY_STATEFUL:
        explore_stateful(s);
        break;
    case STRATEGY_REDUCED:
        explore_reduced(s);
        break;
    case STRATEGY_RANDOM:
    case STRATEGY_PCT:
    case STRATEGY_POS:
    case STRATEGY_URW:
    case STRATEGY_ROUNDROBIN:
        explore_samples(s);
        break;
    case STRATEGIES_N:
        break;
    }
}

struct here {
    struct play *play;
    const struct explore_sink *sink;
};

static void search_here(void *self, const struct explore_options *o,
                        struct explore_result *r)
{
    struct here *h = self;
    struct search s;
    search_init(&s, h->play, o, h->sink, r);
    run(&s);
    search_release(&s);
}

void explore(struct play *p, const struct explore_options *o,
             const struct explore_sink *sink, struct explore_result *r)
{
    static const struct explore_sink deaf;
    struct here h = {p, sink ? sink : &deaf};
    struct recipe recipe = {.self = &h, .search = search_here};
    if (o->strategy == STRATEGY_AUTO && !o->bounded_delays)
        recipe_follow(&recipe, o, r);
    else
        search_here(&h, o, r);
}
