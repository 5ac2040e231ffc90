// Code that the runtime can call is followed from the library's tables.  A
// check for null is no target if the pointer is a parameter that always has the
// address of an object.  That is assumed of all parameters of functions whose
// callers are all known, and taken back where a call contradicts it.
#include "ir/targets.h"

#include "troupe.h"

// ---- functions ------------------------------------------------------------

struct work {
    const struct ir *ir;
    struct ir_calls calls;
    bool *root;     // by function: the runtime calls it
    bool *callable; // the same, and what these call
    bool *escapes;  // its address is taken other than in the library's tables
    bool **valid;   // by function and parameter: always an object's address
    VEC(uint32_t) todo;
};

static void reach(struct work *w, uint32_t f)
{
    if (f == IR_NOTHING || w->callable[f] || !w->ir->fns.at[f]->defined)
        return;
    w->callable[f] = true;
    vec_push(&w->todo, f);
}

static void add_root(struct work *w, uint32_t f)
{
    if (f != IR_NOTHING)
        w->root[f] = true;
    reach(w, f);
}

static void add_roots(struct work *w)
{
    const struct ir *ir = w->ir;
    for (uint32_t i = 0; i < ir->behaviours.n; i++)
        for (uint32_t k = 0; k < ir->behaviours.at[i].n; k++)
            if (ir->behaviours.at[i].rows[k].policy == 0)
                add_root(w, ir->behaviours.at[i].rows[k].fn);
    for (uint32_t i = 0; i < ir->classes.n; i++) {
        add_root(w, ir->classes.at[i].init);
        add_root(w, ir->classes.at[i].fini);
    }
    for (uint32_t i = 0; i < ir->msgs.n; i++) {
        add_root(w, ir->msgs.at[i].copy);
        add_root(w, ir->msgs.at[i].drop);
    }
}

static void reach_mentioned(struct work *w, ir_id v)
{
    uint32_t f = ir_as_fn(w->ir, v), g = ir_as_global(w->ir, v);
    reach(w, f);
    for (uint32_t i = 0; g != IR_NOTHING && i < w->ir->globals.at[g].n_relocs;
         i++)
        reach(w, ir_as_fn(w->ir, w->ir->globals.at[g].relocs[i].value));
}

// The functions that function `id` calls, and those whose addresses it names.
static void follow(struct work *w, uint32_t id)
{
    const struct ir_fn *f = w->ir->fns.at[id];
    for (uint32_t i = 0; i < f->insts.n; i++)
        for (uint32_t k = 0; k < f->insts.at[i].n; k++)
            reach_mentioned(w, ir_args(f, &f->insts.at[i])[k]);
    for (uint32_t i = 0; i < w->calls.at.n; i++)
        if (w->calls.at.at[i].caller == id)
            reach(w, w->calls.at.at[i].callee);
}

static void find_callable(struct work *w)
{
    add_roots(w);
    while (w->todo.n)
        follow(w, vec_pop(&w->todo));
}

bool *ir_callable(const struct ir *ir, struct arena *a)
{
    struct work w = {.ir = ir};
    w.root = arena_zero(a, ir->fns.n + 1);
    w.callable = arena_zero(a, ir->fns.n + 1);
    ir_calls(ir, &w.calls);
    find_callable(&w);
    ir_calls_free(&w.calls);
    vec_free(&w.todo);
    return w.callable;
}

// ---- parameters that are never null ---------------------------------------

static void note_escapes(struct work *w)
{
    for (uint32_t k = 0; k < w->ir->fns.n; k++) {
        const struct ir_fn *f = w->ir->fns.at[k];
        for (uint32_t i = 0; i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            for (uint32_t a = in->op == IR_CALL; a < in->n; a++) {
                uint32_t to = ir_as_fn(w->ir, ir_args(f, in)[a]);
                if (to != IR_NOTHING)
                    w->escapes[to] = true;
            }
        }
    }
    for (uint32_t g = 0; g < w->ir->globals.n; g++)
        for (uint32_t i = 0; i < w->ir->globals.at[g].n_relocs; i++) {
            uint32_t to = ir_as_fn(w->ir, w->ir->globals.at[g].relocs[i].value);
            if (to != IR_NOTHING && !w->root[to])
                w->escapes[to] = true;
        }
}

static bool is_object(const struct work *w, const struct ir_fn *f, ir_id v)
{
    while (!ir_is_const(v) && v != IR_NOTHING) {
        const struct ir_inst *i = &f->insts.at[v];
        if (i->op == IR_ALLOCA)
            return true;
        if (i->op == IR_PARAM)
            return w->valid[f->id][v];
        if (i->op != IR_FIELD && i->op != IR_INDEX)
            return false;
        if (i->op == IR_FIELD && i->imm > 0)
            return true;
        v = ir_args(f, i)[0];
    }
    return v != IR_NOTHING && ir_const_at(w->ir, v)->kind == IR_C_GLOBAL;
}

// Take back what this call contradicts.  True if anything was taken back.
static bool contradict(struct work *w, const struct ir_call *c)
{
    const struct ir_fn *from = w->ir->fns.at[c->caller];
    const struct ir_fn *to = w->ir->fns.at[c->callee];
    const struct ir_inst *call = &from->insts.at[c->inst];
    bool changed = false;
    for (uint32_t p = 0; p < to->n_params; p++)
        if (w->valid[to->id][p] &&
            (p + 1 >= call->n ||
             !is_object(w, from, ir_args(from, call)[p + 1]))) {
            w->valid[to->id][p] = false;
            changed = true;
        }
    return changed;
}

static void find_valid(struct work *w, struct arena *a)
{
    note_escapes(w);
    w->valid = arena_zero(a, (w->ir->fns.n + 1) * sizeof *w->valid);
    for (uint32_t k = 0; k < w->ir->fns.n; k++) {
        uint32_t n = w->ir->fns.at[k]->n_params;
        w->valid[k] = arena_zero(a, n + 1);
        for (uint32_t p = 0; p < n; p++)
            w->valid[k][p] = !w->escapes[k];
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < w->calls.at.n; i++)
            if (contradict(w, &w->calls.at.at[i]))
                again = true;
    }
}

// ---- targets --------------------------------------------------------------

static bool never_fails(const struct work *w, const struct ir_fn *f,
                        const struct ir_block *trap)
{
    const struct ir_block *b = &f->blocks.at[ir_preds(f, trap)[0]];
    const struct ir_inst *branch = &f->insts.at[b->first + b->n - 1];
    ir_id ok = branch->op == IR_BRANCH ? ir_args(f, branch)[0] : IR_NOTHING;
    if (ok == IR_NOTHING || ir_is_const(ok) || f->insts.at[ok].op != IR_NE)
        return false;
    ir_id p = ir_args(f, &f->insts.at[ok])[0];
    return !ir_is_const(p) && f->insts.at[p].op == IR_PARAM &&
           w->valid[f->id][p];
}

static void place_of(const struct ir_fn *f, const struct ir_block *b,
                     struct ir_target *t)
{
    for (uint32_t i = b->first; i < b->first + b->n; i++)
        if (f->insts.at[i].line && f->insts.at[i].op != IR_PHI) {
            t->line = f->insts.at[i].line;
            t->file = f->insts.at[i].file;
            return;
        }
}

// The trap that the last part of an origin ends in, not one of a check.
static uint8_t ends_in(const struct ir_fn *f, uint32_t origin)
{
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        const struct ir_inst *last = &f->insts.at[k->first + k->n - 1];
        if (k->origin == origin && last->op == IR_TRAP &&
            last->site == IR_NOTHING)
            return last->sub;
    }
    return IR_TRAPS_N;
}

static void add_origins(const struct ir_fn *f, struct ir_targets *out)
{
    uint32_t next = 0;
    for (uint32_t b = 0; b < f->blocks.n && next < f->n_origins; b++) {
        if (f->blocks.at[b].origin != next)
            continue;
        struct ir_target t = {.fn = f->id,
                              .block = b,
                              .hit = f->first_hit + next,
                              .trap = IR_TRAPS_N,
                              .ends = ends_in(f, next)};
        place_of(f, &f->blocks.at[b], &t);
        vec_push(&out->at, t);
        next++;
    }
}

static void add_checks(const struct work *w, const struct ir_fn *f,
                       struct ir_targets *out)
{
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        const struct ir_inst *i = &f->insts.at[k->first + k->n - 1];
        if (i->op != IR_TRAP || i->site == IR_NOTHING ||
            (i->sub == IR_TRAP_NULL && never_fails(w, f, k)))
            continue;
        struct ir_target t = {
            .fn = f->id,
            .block = b,
            .hit = i->site,
            .trap = i->sub,
            .ends = IR_TRAPS_N,
            .file = i->file,
            .line = i->line,
        };
        vec_push(&out->at, t);
    }
}

void ir_targets(const struct ir *ir, struct ir_targets *out)
{
    struct arena a = {0};
    struct work w = {.ir = ir};
    w.root = arena_zero(&a, ir->fns.n + 1);
    w.callable = arena_zero(&a, ir->fns.n + 1);
    w.escapes = arena_zero(&a, ir->fns.n + 1);
    ir_calls(ir, &w.calls);
    find_callable(&w);
    find_valid(&w, &a);
    for (uint32_t k = 0; k < ir->fns.n; k++)
        if (w.callable[k]) {
            add_origins(ir->fns.at[k], out);
            add_checks(&w, ir->fns.at[k], out);
        }
    ir_calls_free(&w.calls);
    vec_free(&w.todo);
    arena_free(&a);
}

void ir_targets_free(struct ir_targets *t)
{
    vec_free(&t->at);
}

bool ir_target_on(const struct ir *ir, const struct ir_target *t, uint16_t file,
                  uint32_t line, bool jumps)
{
    const struct ir_fn *f = ir->fns.at[t->fn];
    if (t->trap != IR_TRAPS_N)
        return t->file == file && t->line == line;
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        if (k->origin != f->blocks.at[t->block].origin)
            continue;
        for (uint32_t i = k->first; i < k->first + k->n; i++)
            if (f->insts.at[i].line == line && f->insts.at[i].file == file &&
                f->insts.at[i].op != IR_PHI &&
                (jumps || f->insts.at[i].op != IR_JUMP))
                return true;
    }
    return false;
}
