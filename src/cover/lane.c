// One step of the loop is one execution, and what it told is counted after it.
//
// What it takes to find goals and to measure coverage is told as
// looks_ahead of the search, so that `auto` knows what an execution costs.
#include "cover/lane.h"

#include "base/die.h"
#include "cover/cover.h"

#include <stdlib.h>

enum {
    PAIRS = 400000, // of receives, in memory
    SOURCES = 20,
    IDLE_MOST = 4, // samples in a row, if there is nothing to try
    WITHOUT_BOUND = 10000
};

struct cover_lane {
    struct search *search;
    struct cover_options options;
    struct cover_sink sink;
    struct coverage coverage;
    struct cover_result result, told;
    struct cover_loop *loop;
    uint64_t final; // of the execution under way
};

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct cover_lane *x = self;
    search_bug(x->search, b, s);
}

static bool on_final(void *self, uint64_t hash)
{
    struct cover_lane *x = self;
    x->final = hash;
    return true;
}

static void on_execution(void *self, const struct cover_result *r)
{
    struct cover_lane *x = self;
    struct search *s = x->search;
    uint64_t receives = r->receives - x->told.receives;
    s->result->receives += receives;
    s->looks_ahead += r->effort - x->told.effort;
    if (r->cut > x->told.cut)
        search_give_up_schedule(s, NULL);
    else
        search_count(s, x->final, (uint32_t)receives);
    x->told = *r;
}

static bool on_stop(void *self)
{
    struct cover_lane *x = self;
    if (!x->search->over)
        search_look(x->search);
    return x->search->over;
}

static void *begin(struct search *s)
{
    const struct explore_options *o = s->options;
    struct cover_lane *x = need_zero(sizeof *x);
    x->search = s;
    x->options = (struct cover_options){.delivery = o->delivery,
                                        .seed = o->seed,
                                        .steps = o->steps,
                                        .sources = SOURCES,
                                        .ignore = o->ignore,
                                        .keep_going = true,
                                        .beside = true};
    for (int cr = 0; cr < CRITERIA_N; cr++)
        x->options.criteria[cr] = true;
    x->coverage.most = PAIRS;
    x->sink =
        (struct cover_sink){.self = x,
                            .bug = on_bug,
                            .execution = on_execution,
                            .stop = on_stop,
                            .final = o->no_final_states ? NULL : on_final};
    x->loop = cover_begin(s->play, &x->options, o->cover->self, &x->sink,
                          &x->coverage, &x->result);
    return x;
}

static uint64_t samples_of(const struct explore_options *o)
{
    return o->schedules || o->seconds > 0 ? o->schedules : WITHOUT_BOUND;
}

// What is left where nothing is to be tried are samples, which others make for
// less: then it pauses early.
static bool go(void *self)
{
    struct cover_lane *x = self;
    struct search *s = x->search;
    uint64_t most = samples_of(s->options);
    uint32_t idle = 0;
    bool alone = s->pause_at == UINT64_MAX;
    while (!search_pauses(s) && (!most || x->result.executions < most)) {
        if (!cover_step(x->loop)) {
            search_stop(s, STOP_SAMPLED);
            break;
        }
        idle = cover_is_idle(x->loop) ? idle + 1 : 0;
        if (idle >= IDLE_MOST && !alone)
            break;
    }
    if (most && x->result.executions >= most)
        search_stop(s, STOP_SAMPLED);
    return !s->over;
}

static void end(void *self)
{
    struct cover_lane *x = self;
    cover_end(x->loop);
    coverage_free(&x->coverage);
    free(x);
}

static const struct engine covering = {begin, go, end};

struct engine_above cover_above(const struct look *look)
{
    return (struct engine_above){.engine = &covering, .self = look};
}
