// First wide: few decisions first, near open sides.  After a second without
// news deep, after another the bound on turns of loops is doubled.  Traps are a
// second goal with a budget of their own.
#include "unit/engine.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/map.h"
#include "unit/callees.h"
#include "unit/engine_wire.h"
#include "unit/guide.h"
#include "unit/model.h"

#include <string.h>
#include <time.h>

static const double PATIENCE = 1.0; // seconds without news
static const double GRACE = 3;      // seconds to finish a question
static const double LEAST = 0.4;    // seconds of processor time for traps,
static const double LONGEST = 5;    // and no more than so many in all
enum { LOOP_MOST = 64, TEXT_LEAST = 16 };

struct engine {
    const struct unit_subject *s;
    const struct ir_fn *f;
    const struct sides *sides;
    const struct engine_options *o;
    struct arena *a;
    struct engine_result *out;
    struct terms *ts;
    struct solver *solver;
    struct symex *x;
    struct sx_run *run;
    uint8_t *taken; // by side
    struct input signature;
    const char *unnamed; // why that cannot be written, NULL: it can
    VEC(uint64_t) traps; // function and instruction of those found
    double begin, end, slice;
    double least; // processor time that is not over yet, whatever the slice
    uint32_t loop;
    bool returned;           // some path did
    bool unknown;            // a question of this run was not answered
    bool apart;              // the cases of callees are not joined
    struct sx_hints hints;   // what pointers may be,
    uint32_t known;          // and how many of those this run began with
    struct sx_counts before; // of the run that did
};

// Of this process: on a busy machine, little of the time that passes.
static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_over(void *self)
{
    const struct engine *e = self;
    double now = clock_now();
    return now + e->o->each * e->out->found.n > e->end || interrupted() ||
           e->hints.at.n > e->known ||
           (now > e->slice && processor_time() >= e->least);
}

static void note(struct engine *e, const char *text)
{
    for (uint32_t i = 0; i < e->out->notes.n; i++)
        if (strcmp(e->out->notes.at[i], text) == 0)
            return;
    vec_push(&e->out->notes, arena_text(e->a, text));
}

// ---- a path ---------------------------------------------------------------

// Is the trap that a parameter is null?
static bool is_null_parameter(struct engine *e, const struct sx_path *p)
{
    if (p->trap != IR_TRAP_NULL || !p->n_conditions)
        return false;
    term last = p->conditions[p->n_conditions - 1];
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(e->run, p->refs[i]);
        if (r->place.from == SX_PARAM &&
            last ==
                term_eq(e->ts, r->var, term_const(e->ts, SX_OBJECT_BITS, 0)))
            return true;
    }
    return false;
}

// Each place once; where a parameter may be null, once more for other reasons.
static bool is_new_trap(struct engine *e, const struct sx_path *p)
{
    if (p->end != SX_TRAPPED)
        return false;
    bool parameter = is_null_parameter(e, p);
    uint64_t key = map_pair(p->fn, 2 * p->inst + parameter);
    for (uint32_t i = 0; i < e->traps.n; i++)
        if (e->traps.at[i] == key)
            return false;
    vec_push(&e->traps, key);
    if (parameter)
        sx_trap_again(e->run, p->fn, p->inst);
    return true;
}

// Does it end where the source says so?
static bool is_written(const struct sx_path *p)
{
    return p->end == SX_RETURNED ||
           (p->end == SX_TRAPPED &&
            (p->trap == IR_TRAP_ASSERT || p->trap == IR_TRAP_ABORT ||
             p->trap == IR_TRAP_EXIT));
}

static bool takes_new_side(struct engine *e, const struct sx_path *p)
{
    bool new = false;
    if (!is_written(p))
        return false;
    for (uint32_t i = 0; i < p->n_goals; i++) {
        const struct sx_goal_met *g = &p->goals[i];
        for (uint32_t k = 0; k < e->sides->at.n; k++) {
            const struct side *s = &e->sides->at.at[k];
            if (g->fn != e->f->id || s->inst != g->inst || s->k != g->side ||
                e->taken[k])
                continue;
            e->taken[k] = new = true;
            sx_goal(e->run, g->fn, g->inst, g->side, false);
        }
    }
    return new;
}

// The path's model with values as plain as its conditions allow.
// With classes: what the path follows is kept apart and together as they say.
static struct model *plain_model(struct engine *e, const struct sx_path *p,
                                 const uint32_t *classes,
                                 const struct model *of)
{
    struct path path = {0};
    VEC(term) first = {0};
    for (uint32_t i = 0; i < p->n_conditions; i++)
        path_add(e->ts, &path, p->conditions[i]);
    for (uint32_t i = 0; classes && i < p->n_followed; i++)
        for (uint32_t k = 0; k < i; k++) {
            term a = sx_run_ref(e->run, p->followed[i].ref)->var;
            term b = sx_run_ref(e->run, p->followed[k].ref)->var;
            if (classes[i] && classes[k] && a != b)
                path_add(e->ts, &path,
                         classes[i] == classes[k] ? term_eq(e->ts, a, b)
                                                  : term_ne(e->ts, a, b));
        }
    path_take_model(&path, model_copy(of));
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(e->run, p->refs[i]);
        if (r->count != TERM_NONE)
            vec_push(&first, r->count);
    }
    solver_label(e->solver, &path, first.at, first.n);
    struct model *m = model_copy(path.model);
    path_release(&path);
    vec_free(&first);
    return m;
}

// Is it an access outside of an object, or the like, which a plain run of the
// call may not show?
static bool is_silent(const struct sx_path *p)
{
    return p->end == SX_TRAPPED &&
           (p->trap == IR_TRAP_BOUNDS || p->trap == SX_TRAP_OVERFLOW);
}

static void add_found(struct engine *e, const struct sx_path *p,
                      const struct model *m)
{
    struct model_of of = {e->s, e->f, e->run, e->ts, p, m, &e->signature};
    struct engine_found f = {.returned = p->end == SX_RETURNED,
                             .trap = IR_NOTHING,
                             .fn = p->fn,
                             .inst = p->inst,
                             .labels = p->labels,
                             .loop = e->loop};
    const char *why = e->unnamed;
    if (p->end == SX_TRAPPED)
        f.kind = sx_trap_id(p->trap);
    if (p->end == SX_TRAPPED &&
        e->s->ir->fns.at[p->fn]->insts.at[p->inst].op == IR_TRAP)
        f.trap = e->s->ir->fns.at[p->fn]->insts.at[p->inst].site;
    if (!why && model_input(&of, e->a, &f.in, &why))
        vec_push(&e->out->found, f);
    else
        note(e, why);
}

// A silent trap is told with pointers that are no null, and once more with
// numbers that are no zero: memory of no bytes may have some.
static void take_model(struct engine *e, const struct sx_path *p,
                       const uint32_t *classes, const struct model *from)
{
    struct model *m = plain_model(e, p, classes, from);
    struct model_of of = {e->s, e->f, e->run, e->ts, p, m, &e->signature};
    if (is_silent(p))
        model_fill(&of, m, false);
    add_found(e, p, m);
    if (is_silent(p) && !e->o->all) {
        model_fill(&of, m, true);
        add_found(e, p, m);
    }
    model_free(m);
}

static void take_path(struct engine *e, const struct sx_path *p)
{
    take_model(e, p, NULL, p->model);
}

// Count the path.  Is it worth a case?
static bool look_at(struct engine *e, const struct sx_path *p)
{
    if (e->hints.at.n > e->known)
        return false; // another run begins
    e->out->paths++;
    e->out->labels |= p->labels;
    if (p->end == SX_UNSUPPORTED && p->text)
        note(e, p->text);
    e->unknown |= p->end == SX_UNKNOWN;
    if (p->end == SX_UNKNOWN)
        note(e, "the solver gave no answer in time");
    if (p->end != SX_RETURNED && p->end != SX_TRAPPED)
        return false;
    bool new = takes_new_side(e, p);
    new |= is_new_trap(e, p);
    new |= !e->returned && p->end == SX_RETURNED;
    e->returned |= p->end == SX_RETURNED;
    if (new)
        take_path(e, p);
    return new;
}

// ---- runs -----------------------------------------------------------------

static void set_goals(struct engine *e)
{
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i])
            sx_goal(e->run, e->f->id, e->sides->at.at[i].inst,
                    e->sides->at.at[i].k, true);
}

static bool is_guided(const struct engine_options *o)
{
    return o->local || o->n_lines;
}

static struct sx_options bounds_of(const struct engine_options *o)
{
    if (is_guided(o))
        return (struct sx_options){.loop = o->loop,
                                   .recursion = o->loop,
                                   .array = o->array,
                                   .labels = true,
                                   .summaries = !o->inlined,
                                   .join = !o->inlined,
                                   .overflow = o->overflow};
    if (!o->all)
        return (struct sx_options){.loop = 1,
                                   .recursion = 1,
                                   .array = o->array,
                                   .selects = true,
                                   .labels = true,
                                   .traps_once = true,
                                   .summaries = !o->inlined,
                                   .join = !o->inlined,
                                   .overflow = o->overflow};
    return (struct sx_options){
        .loop = o->loop,
        .recursion = o->recursion == UINT32_MAX ? o->loop : o->recursion,
        .array = o->array,
        .lazy = o->lazy,
        .summaries = !o->inlined,
        .overflow = o->overflow};
}

static void begin_run(struct engine *e)
{
    struct sx_options o = bounds_of(e->o);
    struct sx_start start = {
        .fn = e->f->id, .pre = e->o->pre, .cls = IR_NOTHING, .msg = IR_NOTHING};
    o.join &= !e->apart;
    if (!e->o->all && callees_text(e->s->ir, e->f) + 2 > TEXT_LEAST)
        o.text = (uint32_t)callees_text(e->s->ir, e->f) + 2;
    if (!e->o->all && !is_guided(e->o))
        o.hints = &e->hints;
    e->known = e->hints.at.n;
    e->loop = o.loop;
    e->unknown = false;
    e->x = symex_new(e->s->ir, e->ts, e->solver, &o);
    symex_stop(e->x, is_over, e);
    e->run = sx_begin(e->x, &start);
    if (!is_guided(e->o))
        set_goals(e);
}

static bool has_joined(const struct engine *e)
{
    uint32_t n = e->s->ir->fns.n;
    struct sx_summary *all = arena_get(e->a, (n + 1ul) * sizeof *all);
    uint64_t joined = 0;
    n = sx_summaries(e->x, all, n);
    for (uint32_t i = 0; i < n; i++)
        joined += all[i].joined;
    return joined > 0;
}

static void begin_again(struct engine *e)
{
    struct sx_counts c = sx_counts(e->x);
    e->before.questions += c.questions;
    e->before.asked += c.asked;
    e->before.steps += c.steps;
    sx_end(e->run);
    symex_free(e->x);
    begin_run(e);
}

// A question about joined cases can be too hard where those about each of them
// are not: begin again, with the cases apart.  False: they were not joined.
static bool begin_apart(struct engine *e)
{
    if (e->apart || !has_joined(e))
        return false;
    e->apart = true;
    begin_again(e);
    return true;
}

// ---- the order of things --------------------------------------------------

static bool all_taken(const struct engine *e)
{
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i])
            return false;
    return true;
}

// Is there a side that no input has taken yet?
static bool is_wanting(const struct engine *e)
{
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i] && !(e->o->elsewhere && e->o->elsewhere[i]))
            return true;
    return false;
}

// If other inputs took all sides that are left, then simpler inputs for them
// are worth little time.
static bool is_enough(const struct engine *e)
{
    return all_taken(e) ||
           (clock_now() >= e->begin + PATIENCE / 2 && !is_wanting(e));
}

static bool raise_bound(struct engine *e)
{
    if (e->loop >= LOOP_MOST)
        return false;
    e->loop *= 2;
    return sx_raise(e->run, e->loop, e->loop);
}

static void search_sides(struct engine *e)
{
    bool deep = false;
    solver_until(e->solver, is_wanting(e) ? e->end : e->begin + PATIENCE);
    sx_set_order(e->run, SX_WIDE, e->o->seed);
    while (!is_enough(e) && clock_now() < e->end && !interrupted()) {
        e->slice = clock_now() + PATIENCE;
        const struct sx_path *p = NULL;
        while (!is_enough(e) && !(e->unknown && !e->apart) &&
               (p = sx_next(e->run)))
            if (look_at(e, p))
                e->slice = clock_now() + PATIENCE;
        if (is_enough(e))
            break;
        if (e->hints.at.n > e->known) {
            begin_again(e);
            sx_set_order(e->run, SX_WIDE, e->o->seed);
            deep = false;
            continue;
        }
        if (e->unknown && begin_apart(e)) {
            sx_set_order(e->run, SX_WIDE, e->o->seed);
            deep = false;
            continue;
        }
        if (!sx_stopped(e->run)) { // nothing is left within the bounds
            if (!raise_bound(e))
                break;
        } else if (!deep) {
            deep = true;
            sx_set_order(e->run, SX_DEEP, e->o->seed);
        } else {
            raise_bound(e);
        }
    }
}

static void search_traps(struct engine *e)
{
    double now = clock_now(), share = (now - e->begin) / 2;
    const struct sx_path *p;
    double last = now + LONGEST + share, all = e->begin + e->o->seconds;
    e->slice = now + (share > LEAST ? share : LEAST);
    e->end = all < last ? all : last;
    e->least = processor_time() + LEAST;
    solver_until(e->solver, e->end);
    e->known = UINT32_MAX; // what is learnt now comes too late
    sx_set_order(e->run, SX_TRAPS, e->o->seed);
    while ((p = sx_next(e->run)))
        look_at(e, p);
    if (e->loop < 2 && !sx_stopped(e->run) && raise_bound(e))
        while ((p = sx_next(e->run)))
            look_at(e, p);
}

static void say_cuts(struct engine *e)
{
    struct sx_cut cuts[8];
    uint32_t n = sx_cuts(e->run, cuts, 8);
    for (uint32_t i = 0; i < n && i < 8; i++) {
        const struct ir_fn *f = e->s->ir->fns.at[cuts[i].fn];
        const struct ir_block *b = &f->blocks.at[cuts[i].block];
        for (uint32_t k = b->first; k < b->first + b->n; k++)
            if (f->insts.at[k].line && !e->out->cut_line)
                e->out->cut_line = f->insts.at[k].line;
    }
}

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
    take_model(l->e, l->p, classes, m);
}

static void list_level(struct engine *e)
{
    const struct sx_path *p;
    while ((p = sx_next(e->run))) {
        struct listing l = {e, p};
        bool ended = p->end == SX_RETURNED || p->end == SX_TRAPPED;
        takes_new_side(e, p);
        e->out->labels |= p->labels;
        if (!ended)
            note(e, p->text ? p->text : "the solver gave no answer in time");
        if (!ended)
            continue;
        e->out->paths++;
        if (e->o->by_path)
            take_path(e, p);
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
static void list_all(struct engine *e)
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
            if (!is_written(p) && p->fn == e->f->id && is_new_trap(e, p))
                take_path(e, p);
            if (is_written(p)) {
                takes_new_side(e, p);
                e->out->paths++;
                take_path(e, p);
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
    set_goals(e);
    sx_set_order(e->run, SX_ALL, e->o->seed);
    bool found = first_path(e);
    bool undecided = !found && !sx_complete(e->run);
    bool stopped = sx_stopped(e->run);
    sx_end(e->run);
    e->run = before;
    if (undecided && begin_apart(e))
        return try_trace(e, t, left);
    e->out->traces++;
    e->out->feasible += found;
    e->out->undecided += undecided;
    e->out->stopped |= stopped;
    return found;
}

static void follow_traces(struct engine *e)
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

static void begin(struct engine *e)
{
    struct solver_options so = {0};
    e->begin = clock_now();
    e->end = e->begin + (e->o->all ? 1 : 0.85) * e->o->seconds;
    e->slice = e->end;
    e->taken = arena_zero(e->a, e->sides->at.n + 1ul);
    if (input_signature(e->s->ir, e->a, e->f, &e->signature, &e->unnamed))
        e->unnamed = NULL;
    e->ts = terms_new();
    e->solver = solver_new(e->ts, &so);
    begin_run(e);
}

// ---- apart ----------------------------------------------------------------

static void list_summaries(struct engine *e)
{
    uint32_t n = e->s->ir->fns.n;
    struct sx_summary *all = arena_get(e->a, (n + 1ul) * sizeof *all);
    n = sx_summaries(e->x, all, n);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&e->out->summaries, all[i]);
}

static void engine_here(void *self, int fd)
{
    struct engine *e = self;
    begin(e);
    if (is_guided(e->o))
        follow_traces(e);
    else if (e->o->all)
        list_all(e);
    else
        search_sides(e);
    say_cuts(e);
    if (!e->o->all && !is_guided(e->o) && !interrupted())
        search_traps(e);
    struct sx_counts c = sx_counts(e->x);
    e->out->questions = c.questions + e->before.questions;
    e->out->asked = c.asked + e->before.asked;
    e->out->steps = c.steps + e->before.steps;
    list_summaries(e);
    e->out->loop = e->loop;
    e->out->complete = !is_guided(e->o) && sx_complete(e->run);
    e->out->labels |= sx_labels(e->run);
    if (e->hints.at.n) // not all places that a pointer may lead to were tried
        e->out->labels |= SX_PLACED;
    memcpy(e->out->taken, e->taken, e->sides->at.n);
    engine_send(e->out, e->sides->at.n, fd);
}

void engine(const struct unit_subject *s, struct arena *a,
            const struct ir_fn *f, const struct sides *sides,
            const struct engine_options *o, struct engine_result *out)
{
    struct engine e = {
        .s = s, .f = f, .sides = sides, .o = o, .a = a, .out = out};
    struct child_plan plan = {.body = engine_here,
                              .self = &e,
                              .signals = CHILD_AS_PARENT,
                              .quiet = true};
    struct wire_in wire = {0};
    struct wire_message m;
    int status;
    memset(out, 0, sizeof *out);
    out->taken = arena_zero(a, sides->at.n + 1ul);
    if (child_ask(&plan, o->seconds + GRACE, &wire, &m, &status) ==
        CHILD_ANSWERED)
        engine_receive(&m.body, a, sides->at.n, out);
    else
        out->died = true;
    wire_free(&wire);
}

void engine_free(struct engine_result *r)
{
    for (uint32_t i = 0; i < r->found.n; i++)
        input_release(&r->found.at[i].in);
    vec_free(&r->found);
    vec_free(&r->notes);
    vec_free(&r->levels);
    vec_free(&r->summaries);
}
