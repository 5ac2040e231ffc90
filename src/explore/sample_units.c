#include "explore/sample_units.h"

#include "base/hash.h"

#include <string.h>

enum { BATCH = 64, WITHOUT_BOUND = 10000 };

struct samples {
    uint64_t from, to; // from is the first of a batch
};

bool strategy_samples(enum strategy s)
{
    return s == STRATEGY_RANDOM || s == STRATEGY_PCT || s == STRATEGY_POS ||
           s == STRATEGY_URW;
}

static void put(struct work_list *to, struct samples s)
{
    struct work_bytes b = {0};
    if (s.from == s.to)
        return;
    work_put(&b, s.from);
    work_put(&b, s.to);
    work_list_add(to, b.bytes.at, b.bytes.n);
    work_free(&b);
}

static bool get(const struct work *w, struct samples *out)
{
    struct work_reader r = {w->bytes, (const uint8_t *)w->bytes + w->size,
                            false};
    out->from = work_get(&r);
    out->to = work_get(&r);
    return !r.bad && r.at == r.end && out->from % BATCH == 0 &&
           out->from < out->to;
}

void sample_units_all(const struct explore_options *o, struct work_list *out)
{
    uint64_t n = o->schedules ? o->schedules : WITHOUT_BOUND;
    if (!o->schedules && o->seconds > 0)
        n = UINT64_C(1) << 60;
    put(out, (struct samples){0, n});
}

// In halves, so that somebody else can help.
static void put_halves(struct work_list *to, struct samples s)
{
    if (s.from >= s.to)
        return;
    uint64_t middle = s.from + (s.to - s.from) / 2 / BATCH * BATCH;
    put(to, (struct samples){s.from, middle});
    put(to, (struct samples){middle, s.to});
}

static bool asked_to_stop(const struct explore_sink *sink)
{
    return sink->stop && sink->stop(sink->self);
}

// One batch.  True: the search goes on.
static bool make(struct play *p, const struct explore_options *all,
                 const struct explore_sink *sink, struct samples *s,
                 struct explore_result *r)
{
    struct explore_options o = *all;
    struct explore_sink mine = *sink;
    struct explore_result one;
    uint64_t n = s->to - s->from;
    mine.stop = NULL; // a batch is made as a whole
    mine.progress = NULL;
    o.seed = hash_join(all->seed, s->from);
    o.schedules = n < BATCH ? n : BATCH;
    explore(p, &o, &mine, &one);
    explore_result_add(r, &one);
    r->stopped_by = one.stopped_by;
    r->refused = one.refused;
    s->from += BATCH;
    return one.stopped_by == STOP_SCHEDULES;
}

void sample_units_explore(struct play *p, const struct explore_options *o,
                          const struct work *units, uint32_t n,
                          const struct explore_sink *sink,
                          struct explore_result *r, struct work_list *rest)
{
    bool goes_on = true;
    memset(r, 0, sizeof *r);
    r->estimate = r->progress = -1;
    r->decided = o->strategy;
    for (uint32_t i = 0; i < n; i++) {
        struct samples s = {0};
        if (!get(&units[i], &s)) {
            r->stopped_by = STOP_REFUSED;
            r->refused = REFUSAL_UNIT;
            return;
        }
        while (goes_on && s.from < s.to) {
            goes_on = make(p, o, sink, &s, r);
            if (goes_on)
                r->stopped_by = STOP_DONE;
            if (goes_on && asked_to_stop(sink)) {
                r->stopped_by = STOP_ASKED;
                goes_on = false;
            }
        }
        put_halves(rest, s);
    }
}
