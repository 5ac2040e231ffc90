// Tables of names, schedules as values, and the way to each strategy.
#include "explore/explore.h"

#include "explore/search.h"

#include <string.h>

#define EXPLORE_ID_(name, id, text) id,
#define EXPLORE_TEXT_(name, id, text) text,
static const char *const delivery_ids[] = {DELIVERIES(EXPLORE_ID_)};
static const char *const strategy_ids[] = {STRATEGIES(EXPLORE_ID_)};
static const char *const stop_ids[] = {STOPS(EXPLORE_ID_)};
static const char *const stop_texts[] = {STOPS(EXPLORE_TEXT_)};

const char *delivery_id(enum delivery d)
{
    return delivery_ids[d];
}

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

static int find(const char *const *ids, int n, const char *id)
{
    int i = 0;
    while (i < n && strcmp(ids[i], id) != 0)
        i++;
    return i;
}

enum delivery delivery_of(const char *id)
{
    return (enum delivery)find(delivery_ids, DELIVERIES_N, id);
}

enum strategy strategy_of(const char *id)
{
    return (enum strategy)find(strategy_ids, STRATEGIES_N, id);
}

// ---- schedules ------------------------------------------------------------

void schedule_clear(struct schedule *s)
{
    vec_clear(&s->steps);
    vec_clear(&s->picks);
}

void schedule_free(struct schedule *s)
{
    vec_free(&s->steps);
    vec_free(&s->picks);
}

void schedule_copy(struct schedule *to, const struct schedule *from)
{
    schedule_clear(to);
    for (uint32_t i = 0; i < from->steps.n; i++) {
        struct step s = from->steps.at[i];
        schedule_add(to, s, s.n_picks ? from->picks.at + s.picks : NULL);
    }
}

void schedule_add(struct schedule *s, struct step step, const uint16_t *picks)
{
    step.picks = s->picks.n;
    for (uint32_t i = 0; i < step.n_picks; i++)
        vec_push(&s->picks, picks[i]);
    vec_push(&s->steps, step);
}

// ---- strategies -----------------------------------------------------------

// A bound on delays is a bound on exhaustive's tree.
static bool can_bound_delays(enum strategy s)
{
    return s == STRATEGY_AUTO || s == STRATEGY_EXHAUSTIVE ||
           s == STRATEGY_ROUNDROBIN;
}

static void run(struct search *s)
{
    bool scatter = s->options->order == ORDER_SCATTER;
    if (s->options->bounded_delays) {
        if (can_bound_delays(s->options->strategy))
            explore_exhaustive(s);
        else
            search_refuse(s, "only exhaustive and roundrobin bound delays");
        return;
    }
    switch (s->options->strategy) {
    case STRATEGY_AUTO:
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

void explore(struct play *p, const struct explore_options *o,
             const struct explore_sink *sink, struct explore_result *r)
{
    static const struct explore_sink deaf;
    struct search s;
    search_init(&s, p, o, sink ? sink : &deaf, r);
    run(&s);
    search_release(&s);
}
