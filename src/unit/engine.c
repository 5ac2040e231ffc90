// First wide: few decisions first, near open sides.  After a second without
// news deep, after another the bound on turns of loops is doubled.  Traps are a
// second goal with a budget of their own.
#include "unit/engine_run.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "unit/callees.h"
#include "unit/engine_wire.h"

#include <string.h>
#include <time.h>

static const double PATIENCE = 1.0; // seconds without news
static const double GRACE = 3;      // seconds to finish a question
static const double LEAST = 0.4;    // seconds of processor time for traps,
static const double LONGEST = 5;    // and no more than so many in all
enum { LOOP_MOST = 64, TEXT_LEAST = 16 };

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

// ---- runs -----------------------------------------------------------------

void engine_set_goals(struct engine *e)
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
        engine_set_goals(e);
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
bool engine_begin_apart(struct engine *e)
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

// Were all of those taken, be it by paths that read what nobody wrote?
static bool is_seen(const struct engine *e)
{
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i] && !e->unsure[i] &&
            !(e->o->elsewhere && e->o->elsewhere[i]))
            return false;
    return true;
}

// If other inputs took all sides that are left, then simpler inputs for them
// are worth little time.
static bool is_enough(const struct engine *e)
{
    return all_taken(e) ||
           (clock_now() >= e->begin + PATIENCE / 2 && !is_wanting(e)) ||
           (clock_now() >= e->begin + 2 * PATIENCE && is_seen(e));
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
            if (engine_look_at(e, p))
                e->slice = clock_now() + PATIENCE;
        if (is_enough(e))
            break;
        if (e->hints.at.n > e->known) {
            begin_again(e);
            sx_set_order(e->run, SX_WIDE, e->o->seed);
            deep = false;
            continue;
        }
        if (e->unknown && engine_begin_apart(e)) {
            sx_set_order(e->run, SX_WIDE, e->o->seed);
            deep = false;
            continue;
        }
        if (e->unknown && !e->apart) { // nothing is joined: others may go on
            e->unknown = false;
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
        engine_look_at(e, p);
    if (e->loop < 2 && !sx_stopped(e->run) && raise_bound(e))
        while ((p = sx_next(e->run)))
            engine_look_at(e, p);
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

static void begin(struct engine *e)
{
    struct solver_options so = {0};
    e->begin = clock_now();
    e->end = e->begin + (e->o->all ? 1 : 0.85) * e->o->seconds;
    e->slice = e->end;
    e->taken = arena_zero(e->a, e->sides->at.n + 1ul);
    e->unsure = arena_zero(e->a, e->sides->at.n + 1ul);
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
        engine_follow_traces(e);
    else if (e->o->all)
        engine_list_all(e);
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
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        e->out->taken[i] = e->taken[i] | e->unsure[i];
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
    enum child_answer answer =
        child_ask(&plan, o->seconds + GRACE, &wire, &m, &status);
    if (answer == CHILD_ANSWERED)
        engine_receive(&m.body, a, sides->at.n, out);
    out->died = answer != CHILD_ANSWERED;
    out->late = answer == CHILD_LATE;
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
