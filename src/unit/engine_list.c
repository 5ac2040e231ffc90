// What a user asks for by name: all cases within bounds, local paths, lines.
#include "unit/engine_run.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "unit/guide.h"

// ---- all cases ------------------------------------------------------------

enum { PATTERNS_MOST = 200 };

struct listing {
    struct engine *e;
    const struct sx_path *p;
};

static void take_case(void *self, const uint32_t *classes,
                      const struct model *m)
{
    struct listing *l = self;
    engine_take_model(l->e, l->p, classes, m);
}

static void list_level(struct engine *e)
{
    const struct sx_path *p;
    while ((p = sx_next(e->run))) {
        struct listing l = {e, p};
        bool ended = p->end == SX_RETURNED || p->end == SX_TRAPPED;
        engine_takes_new_side(e, p);
        e->out->labels |= p->labels;
        if (!ended)
            engine_note(e, p->text ? p->text
                                   : "the solver gave no answer in time");
        if (!ended)
            continue;
        e->out->paths++;
        if (e->o->by_path)
            engine_take_path(e, p);
        e->out->cases +=
            e->o->by_path ? 1
                          : sx_cases(e->run, p, PATTERNS_MOST, take_case, &l);
    }
    struct sx_cut cuts[64];
    struct sx_counts c = sx_counts(e->x);
    uint32_t n = sx_cuts(e->run, cuts, 64);
    e->out->cut = 0;
    for (uint32_t i = 0; i < n && i < 64; i++)
        e->out->cut += cuts[i].states;
    e->out->stopped = sx_stopped(e->run);
    vec_push(&e->out->levels,
             ((struct engine_level){e->loop, e->out->cases, e->out->paths,
                                    e->out->cut, c.steps, c.asked}));
}

// One bound after the other, each going on with what was cut.
void engine_list_all(struct engine *e)
{
    bool own = e->o->recursion == UINT32_MAX;
    solver_until(e->solver, e->end);
    sx_set_order(e->run, SX_ALL, e->o->seed);
    list_level(e);
    while (e->loop < e->o->loop_to && !e->out->stopped) {
        e->loop++;
        sx_raise(e->run, e->loop, own ? e->loop : e->o->recursion);
        list_level(e);
    }
}

// ---- guided ---------------------------------------------------------------

enum { CALLEES_MOST = 8 };           // turns of loops in callees
static const double TRACE_LEAST = 2; // seconds for one trace

// The first path of a trace, with as many turns in callees as it takes.
static bool first_path(struct engine *e)
{
    const struct sx_path *p;
    uint32_t loop = e->loop ? e->loop : 1;
    for (;;) {
        while ((p = sx_next(e->run))) {
            e->out->labels |= p->labels;
            if (!engine_is_written(p) && p->fn == e->f->id &&
                engine_is_new_trap(e, p))
                engine_take_path(e, p);
            if (engine_is_written(p)) {
                engine_takes_new_side(e, p);
                e->out->paths++;
                engine_take_path(e, p);
                return true;
            }
        }
        loop *= 2;
        if (sx_stopped(e->run) || loop > CALLEES_MOST ||
            !sx_raise(e->run, loop, loop))
            return false;
    }
}

// left: traces that share the rest of the time.
static bool try_trace(struct engine *e, const struct guide_trace *t,
                      uint32_t left)
{
    struct sx_start start = {.fn = e->f->id,
                             .pre = e->o->pre,
                             .cls = IR_NOTHING,
                             .msg = IR_NOTHING,
                             .trace = t->sides,
                             .n_trace = t->n};
    struct sx_run *before = e->run;
    double share = (e->end - clock_now()) / left;
    e->slice = clock_now() + (share > TRACE_LEAST ? share : TRACE_LEAST);
    solver_until(e->solver, e->slice < e->end ? e->slice : e->end);
    e->run = sx_begin(e->x, &start);
    engine_set_goals(e);
    sx_set_order(e->run, SX_ALL, e->o->seed);
    bool found = first_path(e);
    bool undecided = !found && !sx_complete(e->run);
    bool stopped = sx_stopped(e->run);
    sx_end(e->run);
    e->run = before;
    if (undecided && engine_begin_apart(e))
        return try_trace(e, t, left);
    e->out->traces++;
    e->out->feasible += found;
    e->out->undecided += undecided;
    e->out->stopped |= stopped;
    return found;
}

void engine_follow_traces(struct engine *e)
{
    struct guide g = {0};
    solver_until(e->solver, e->end);
    if (e->o->local)
        guide_local(e->s->ir, e->f, e->loop, e->a, &g);
    for (uint32_t i = 0; i < e->o->n_lines; i++)
        guide_point(e->s->ir, e->f, e->o->lines[i], e->loop, e->a, &g);
    uint32_t done = 0; // the last line that was reached
    for (uint32_t i = 0; i < g.traces.n && clock_now() < e->end; i++) {
        const struct guide_trace *t = &g.traces.at[i];
        if (interrupted())
            break;
        if (t->line && t->line == done)
            continue;
        if (try_trace(e, t, g.traces.n - i) && t->line) {
            done = t->line;
            e->out->reached++;
        }
    }
    guide_free(&g);
}
