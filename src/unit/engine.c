// First wide: few decisions first, near open sides.  After a second without
// news deep, after another the bound on turns of loops is doubled.  Traps are a
// second goal with a budget of their own.
#include "unit/engine.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/map.h"
#include "unit/input_wire.h"
#include "unit/model.h"

#include <string.h>

static const double PATIENCE = 1.0; // seconds without news
static const double GRACE = 3;      // seconds to finish a question
static const double LEAST = 0.4;    // seconds for traps
enum { LOOP_MOST = 64 };

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
    uint8_t *taken;      // by side
    VEC(uint64_t) traps; // function and instruction of those found
    double begin, end, slice;
    uint32_t loop;
    bool returned; // some path did
};

static bool is_over(void *self)
{
    const struct engine *e = self;
    double now = clock_now();
    return now > e->slice || now > e->end || interrupted();
}

static void note(struct engine *e, const char *text)
{
    for (uint32_t i = 0; i < e->out->notes.n; i++)
        if (strcmp(e->out->notes.at[i], text) == 0)
            return;
    vec_push(&e->out->notes, arena_text(e->a, text));
}

// ---- a path
// -------------------------------------------------------------------

static bool is_new_trap(struct engine *e, const struct sx_path *p)
{
    uint64_t key = map_pair(p->fn, p->inst);
    if (p->end != SX_TRAPPED)
        return false;
    for (uint32_t i = 0; i < e->traps.n; i++)
        if (e->traps.at[i] == key)
            return false;
    vec_push(&e->traps, key);
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
    for (uint32_t i = 0; i < p->n_decisions; i++) {
        const struct sx_decision *d = &p->decisions[i];
        if (d->depth || d->fn != e->f->id)
            continue;
        for (uint32_t k = 0; k < e->sides->at.n; k++) {
            const struct side *s = &e->sides->at.at[k];
            if (s->inst != d->inst || s->k != d->side || e->taken[k])
                continue;
            e->taken[k] = new = true;
            sx_goal(e->run, e->f->id, s->block, s->k, false);
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

static void take_model(struct engine *e, const struct sx_path *p,
                       const uint32_t *classes, const struct model *from)
{
    struct model *m = plain_model(e, p, classes, from);
    struct model_of of = {e->s, e->f, e->run, e->ts, p, m};
    struct engine_found f = {.returned = p->end == SX_RETURNED,
                             .trap = IR_NOTHING,
                             .fn = p->fn,
                             .inst = p->inst,
                             .labels = p->labels,
                             .loop = e->loop};
    const char *why = NULL;
    if (p->end == SX_TRAPPED)
        f.kind = sx_trap_id(p->trap);
    if (p->end == SX_TRAPPED &&
        e->s->ir->fns.at[p->fn]->insts.at[p->inst].op == IR_TRAP)
        f.trap = e->s->ir->fns.at[p->fn]->insts.at[p->inst].site;
    if (model_input(&of, e->a, &f.in, &why))
        vec_push(&e->out->found, f);
    else
        note(e, why);
    model_free(m);
}

static void take_path(struct engine *e, const struct sx_path *p)
{
    take_model(e, p, NULL, p->model);
}

// Is there anything in it?
static bool look_at(struct engine *e, const struct sx_path *p)
{
    e->out->paths++;
    e->out->labels |= p->labels;
    if (p->end == SX_UNSUPPORTED && p->text)
        note(e, p->text);
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

// ---- the order of things
// --------------------------------------------------------

static bool all_taken(const struct engine *e)
{
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i])
            return false;
    return true;
}

// What is left was taken by other inputs: simpler ways are worth little time.
static bool is_enough(const struct engine *e)
{
    if (all_taken(e))
        return true;
    if (clock_now() < e->begin + PATIENCE / 2)
        return false;
    for (uint32_t i = 0; i < e->sides->at.n; i++)
        if (!e->taken[i] && !(e->o->elsewhere && e->o->elsewhere[i]))
            return false;
    return true;
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
    sx_set_order(e->run, SX_WIDE, e->o->seed);
    while (!is_enough(e) && clock_now() < e->end && !interrupted()) {
        e->slice = clock_now() + PATIENCE;
        const struct sx_path *p = NULL;
        while (!is_enough(e) && (p = sx_next(e->run)))
            if (look_at(e, p))
                e->slice = clock_now() + PATIENCE;
        if (is_enough(e))
            break;
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
    double end = now + (share > LEAST ? share : LEAST);
    e->end = e->begin + e->o->seconds < end ? e->begin + e->o->seconds : end;
    e->slice = e->end;
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

// ---- all cases
// ------------------------------------------------------------------

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

static void list_all(struct engine *e)
{
    const struct sx_path *p;
    sx_set_order(e->run, SX_ALL, e->o->seed);
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
    uint32_t n = sx_cuts(e->run, cuts, 64);
    for (uint32_t i = 0; i < n && i < 64; i++)
        e->out->cut += cuts[i].states;
    e->out->stopped = sx_stopped(e->run);
}

static struct sx_options bounds_of(const struct engine_options *o)
{
    if (!o->all)
        return (struct sx_options){.loop = 1,
                                   .recursion = 1,
                                   .array = o->array,
                                   .selects = true,
                                   .labels = true,
                                   .traps_once = true,
                                   .overflow = o->overflow};
    return (struct sx_options){
        .loop = o->loop,
        .recursion = o->recursion == UINT32_MAX ? o->loop : o->recursion,
        .array = o->array,
        .lazy = o->lazy,
        .overflow = o->overflow};
}

static void begin(struct engine *e)
{
    struct sx_options o = bounds_of(e->o);
    struct solver_options so = {0};
    struct sx_start start = {
        .fn = e->f->id, .pre = e->o->pre, .cls = IR_NOTHING, .msg = IR_NOTHING};
    e->loop = o.loop;
    e->begin = clock_now();
    e->end = e->begin + (e->o->all ? 1 : 0.85) * e->o->seconds;
    e->slice = e->end;
    e->taken = arena_zero(e->a, e->sides->at.n + 1ul);
    e->ts = terms_new();
    e->solver = solver_new(e->ts, &so);
    e->x = symex_new(e->s->ir, e->ts, e->solver, &o);
    symex_stop(e->x, is_over, e);
    e->run = sx_begin(e->x, &start);
    for (uint32_t i = 0; i < e->sides->at.n && !e->o->all; i++)
        sx_goal(e->run, e->f->id, e->sides->at.at[i].block,
                e->sides->at.at[i].k, true);
}

// ---- apart
// ----------------------------------------------------------------------

enum { REPLY = 1 };

static void send_result(const struct engine_result *r, int fd)
{
    struct text t = {0};
    wire_begin(&t, REPLY);
    wire_put32(&t, r->labels);
    wire_put32(&t, r->complete);
    wire_put32(&t, r->loop);
    wire_put32(&t, r->cut_line);
    wire_put64(&t, r->paths);
    wire_put64(&t, r->questions);
    wire_put64(&t, r->asked);
    wire_put64(&t, r->cases);
    wire_put64(&t, r->cut);
    wire_put32(&t, r->stopped);
    wire_put32(&t, r->notes.n);
    for (uint32_t i = 0; i < r->notes.n; i++)
        wire_put_string(&t, r->notes.at[i]);
    wire_put32(&t, r->found.n);
    for (uint32_t i = 0; i < r->found.n; i++) {
        const struct engine_found *f = &r->found.at[i];
        wire_put32(&t, f->returned);
        wire_put32(&t, f->trap);
        wire_put_string(&t, f->kind);
        wire_put32(&t, f->fn);
        wire_put32(&t, f->inst);
        wire_put32(&t, f->labels);
        wire_put32(&t, f->loop);
        input_send(&f->in, &t);
    }
    wire_send(fd, &t);
    text_free(&t);
}

static void take_found(struct wire_reader *r, struct arena *a,
                       struct engine_result *out)
{
    struct engine_found f = {.returned = wire_get32(r)};
    f.trap = wire_get32(r);
    const char *kind = wire_get_string(r);
    f.kind = kind ? arena_text(a, kind) : NULL;
    f.fn = wire_get32(r);
    f.inst = wire_get32(r);
    f.labels = wire_get32(r);
    f.loop = wire_get32(r);
    input_receive(r, a, &f.in);
    if (!r->bad)
        vec_push(&out->found, f);
}

static void take_result(struct wire_reader *r, struct arena *a,
                        struct engine_result *out)
{
    out->labels = wire_get32(r);
    out->complete = wire_get32(r);
    out->loop = wire_get32(r);
    out->cut_line = wire_get32(r);
    out->paths = wire_get64(r);
    out->questions = wire_get64(r);
    out->asked = wire_get64(r);
    out->cases = wire_get64(r);
    out->cut = wire_get64(r);
    out->stopped = wire_get32(r);
    for (uint32_t n = wire_get32(r); n-- && !r->bad;) {
        const char *s = wire_get_string(r);
        vec_push(&out->notes, arena_text(a, s ? s : ""));
    }
    for (uint32_t n = wire_get32(r); n-- && !r->bad;)
        take_found(r, a, out);
}

static void engine_here(void *self, int fd)
{
    struct engine *e = self;
    begin(e);
    if (e->o->all)
        list_all(e);
    else
        search_sides(e);
    say_cuts(e);
    if (!e->o->all && !interrupted())
        search_traps(e);
    struct sx_counts c = sx_counts(e->x);
    e->out->questions = c.questions;
    e->out->asked = c.asked;
    e->out->loop = e->loop;
    e->out->complete = sx_complete(e->run);
    send_result(e->out, fd);
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
    if (child_ask(&plan, o->seconds + GRACE, &wire, &m, &status) ==
        CHILD_ANSWERED)
        take_result(&m.body, a, out);
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
}
