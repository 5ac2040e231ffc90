#include "explore/recipe.h"

// The warm-up gets a small part of the time, or three seconds if there is no
// bound on it, and ends early on small programs.
enum { WARM_UP_SCHEDULES = 10000, WARM_UP_SECONDS = 3 };
static const double warm_up_part = 0.05;
static const double least_seconds = 0.001; // 0 would be no bound

static struct explore_options warm_up(const struct explore_options *o)
{
    struct explore_options w = *o;
    w.strategy = STRATEGY_RANDOM;
    w.seconds = o->seconds > 0 ? o->seconds * warm_up_part : WARM_UP_SECONDS;
    if (!o->schedules || o->schedules > WARM_UP_SCHEDULES)
        w.schedules = WARM_UP_SCHEDULES;
    return w;
}

static struct explore_options with(const struct explore_options *o,
                                   enum strategy strategy, double spent)
{
    struct explore_options x = *o;
    x.strategy = strategy;
    if (o->seconds > 0)
        x.seconds = o->seconds > spent ? o->seconds - spent : least_seconds;
    return x;
}

enum strategy recipe_instead(const struct explore_result *r)
{
    return r->refused == REFUSAL_CLOCK ? STRATEGY_SOURCE : STRATEGY_EXHAUSTIVE;
}

// True if the main search is still to be done.
static bool warmed_up(const struct recipe *p, const struct explore_options *o,
                      struct explore_result *r)
{
    struct explore_options w = warm_up(o);
    p->search(p->self, &w, r);
    return r->stopped_by != STOP_BUG && r->stopped_by != STOP_LIMIT &&
           r->stopped_by != STOP_ASKED;
}

void recipe_follow(const struct recipe *p, const struct explore_options *o,
                   struct explore_result *r)
{
    uint64_t before = 0;
    double spent = 0;
    if (!o->no_warm_up) {
        if (!warmed_up(p, o, r))
            return;
        before = r->executions;
        spent = r->seconds;
    }
    struct explore_options x = with(o, STRATEGY_OPTIMAL, spent);
    p->search(p->self, &x, r);
    if (r->stopped_by == STOP_REFUSED) {
        if (p->instead)
            p->instead(p->self, r);
        x = with(o, recipe_instead(r), spent + r->seconds);
        p->search(p->self, &x, r);
    }
    r->warm_up = before;
}
