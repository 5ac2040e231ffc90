// The numbers of a search: summed over what workers return, and told.
#include "crew/inner.h"

#include "base/clock.h"

#include <string.h>

void figures_add_beside(struct explore_result *sum,
                        const struct explore_result *r)
{
    struct explore_result beside = {.warm_up = explore_made(r),
                                    .receives = r->receives,
                                    .ruled_out = r->ruled_out,
                                    .rested = r->rested,
                                    .warnings = r->warnings,
                                    .max_depth = r->max_depth};
    memcpy(beside.share, r->share, sizeof beside.share);
    explore_result_add(sum, &beside);
}

void figures_count(struct crew *c, const struct crew_return *r)
{
    explore_result_add(&c->out->result, &r->result);
    if (r->peak_bytes > c->out->peak_bytes)
        c->out->peak_bytes = r->peak_bytes;
    if (r->result.executions)
        c->losses = 0;
}

static uint32_t units_out(const struct crew *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        n += c->members[i].busy ? c->members[i].holds.list.n : 0;
    return n;
}

void figures_refresh(struct crew *c)
{
    struct crew_figures *o = c->out;
    o->result.bugs = c->bugs.n;
    o->result.seconds = clock_now() - c->began;
    o->handler_runs = c->runs_gone;
    o->runs_once = c->once_gone;
    o->memo_hits = c->hits_gone;
    for (uint32_t i = 0; i < c->n; i++) {
        o->handler_runs += c->members[i].counts.runs;
        o->runs_once += c->members[i].counts.once;
        o->memo_hits += c->members[i].counts.hits;
    }
    o->far.now = c->places.workers;
    o->far.cores = c->places.cores;
    o->far.gone = c->places.gone;
    if (c->places.workers > o->far.most)
        o->far.most = c->places.workers;
    if (c->places.cores > o->far.most_cores)
        o->far.most_cores = c->places.cores;
    o->far.out = units_out(c);
    if (o->far.out > o->far.most_out)
        o->far.most_out = o->far.out;
    o->far.left = c->queue.units.list.n + c->suspect.units.list.n;
    o->set_aside = c->set_aside.list.n;
}

void figures_tell(struct crew *c)
{
    if (!c->sink->progress || clock_now() - c->told < 0.2)
        return;
    c->told = clock_now();
    figures_refresh(c);
    struct crew_figures f = *c->out;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct member *m = &c->members[i];
        (member_is_beside(c, m) ? figures_add_beside
                                : explore_result_add)(&f.result, &m->now);
        if (!m->busy || !m->whole)
            continue; // only who has it all can tell how large it is
        if (m->now.estimate > 0)
            f.result.estimate = m->now.estimate;
        f.result.progress = m->now.progress;
    }
    c->sink->progress(c->sink->self, &f);
}
