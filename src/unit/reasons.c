#include "unit/reasons.h"

#include "base/libc.h"
#include "unit/callees.h"

#include <string.h>

// ---- what a side asks for ---------------------------------------------------

static bool is_allocation(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    if (ir_is_const(v) || v < f->n_params)
        return false;
    const struct ir_fn *g = callees_called(ir, f, &f->insts.at[v]);
    return g && libc_allocates(g->name);
}

// Are these two ways to the same place?
static bool is_same_place(const struct ir_fn *f, ir_id a, ir_id b)
{
    if (a == b || ir_is_const(a) || ir_is_const(b))
        return a == b;
    const struct ir_inst *x = &f->insts.at[a], *y = &f->insts.at[b];
    return x->op == IR_FIELD && y->op == IR_FIELD && x->imm == y->imm &&
           is_same_place(f, ir_args(f, x)[0], ir_args(f, y)[0]);
}

// Is v what an allocation gave, or read from where that was put?
static bool is_allocated(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    if (is_allocation(ir, f, v))
        return true;
    if (ir_is_const(v) || f->insts.at[v].op != IR_LOAD)
        return false;
    ir_id from = ir_args(f, &f->insts.at[v])[0];
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        if (i->op == IR_STORE && is_same_place(f, ir_args(f, i)[1], from) &&
            is_allocation(ir, f, ir_args(f, i)[0]))
            return true;
    }
    return false;
}

// Is the side taken where an allocation fails?
static bool asks_memory(const struct reasons *w, uint32_t side)
{
    const struct side *s = &w->out->sides.at.at[side];
    const struct ir_inst *i = &w->f->insts.at[s->inst], *c;
    if (i->op != IR_BRANCH || ir_is_const(ir_args(w->f, i)[0]))
        return false;
    c = &w->f->insts.at[ir_args(w->f, i)[0]];
    return (c->op == IR_EQ || c->op == IR_NE) && s->k == (c->op == IR_NE) &&
           is_allocated(w->s->ir, w->f, ir_args(w->f, c)[0]);
}

// A function without a body is given the address of a variable.
static const char *writes_outside(const struct reasons *w)
{
    const struct ir *ir = w->s->ir;
    if (!(w->engine->labels & SX_STUBBED))
        return NULL;
    for (uint32_t n = 0; n < w->f->insts.n; n++) {
        const struct ir_inst *i = &w->f->insts.at[n];
        const struct ir_fn *g = callees_called(ir, w->f, i);
        bool stub = false;
        for (uint32_t k = 0; g && k < w->s->stubs.n; k++)
            stub |= strcmp(w->s->stubs.at[k], g->name) == 0;
        for (uint32_t k = 1; stub && k < i->n; k++) {
            ir_id v = ir_args(w->f, i)[k];
            if (!ir_is_const(v) && w->f->insts.at[v].op == IR_ALLOCA)
                return arena_format(w->a,
                                    "%s() would have to write to memory "
                                    "(--model FILE.c gives it code)",
                                    g->name);
        }
    }
    return NULL;
}

// ---- reasons ----------------------------------------------------------------

// Why a side stays open: what stopped the engine first.
static const char *reason(const struct reasons *w)
{
    const struct engine_result *e = w->engine;
    if (search_guided(w->o))
        return w->o->local ? "no local path that was tried takes it (--loop)"
                           : "not asked for (--at)";
    if (e->late)
        return "the engine did not stop in its time, and what it had found is "
               "lost (--time)";
    if (e->died)
        return "the engine was lost: a fault of this tool";
    if (e->notes.n)
        return e->notes.at[0];
    if (e->complete && e->labels & SX_PLACED)
        return "may need a pointer into an object that another pointer leads "
               "to";
    if (e->cut_line)
        return arena_format(w->a,
                            "needs more than %u turn%s of the loop at line %u "
                            "(%s %u)",
                            e->loop, e->loop == 1 ? "" : "s", e->cut_line,
                            w->o->all ? "--loop" : "--time, or --loop",
                            2 * e->loop + !e->loop);
    return "no input found within the time (--time)";
}

static bool is_on_way_to_trap(const struct unit_result *r, uint32_t side)
{
    for (uint32_t i = 0; i < r->cases.n; i++)
        if (!r->cases.at[i].counts && r->cases.at[i].sides[side])
            return true;
    return false;
}

void reasons_say(const struct reasons *w)
{
    w->out->outside = writes_outside(w);
    for (uint32_t i = 0; i < w->out->sides.at.n; i++) {
        struct side_result *s = &w->out->of[i];
        bool taken = w->engine->taken && w->engine->taken[i];
        if (s->state == SIDE_COVERED)
            continue;
        if (w->never[i] && !taken) {
            s->state = SIDE_INFEASIBLE;
            s->why = w->never[i];
        } else if (is_on_way_to_trap(w->out, i)) {
            s->why = "taken only on the way to a trap";
        } else if (w->engine->labels & SX_ALLOCATION &&
                   (w->engine->complete || asks_memory(w, i))) {
            s->why = "malloc is taken to succeed";
        } else if (w->out->outside) {
            s->why = w->out->outside;
        } else if (taken) {
            s->why = w->engine->notes.n
                         ? w->engine->notes.at[0]
                         : "a path takes it, but its native run ends in "
                           "another way";
        } else if (w->engine->complete && !w->out->lost &&
                   !(w->engine->labels & ~(uint32_t)SX_PRECISE)) {
            s->state = SIDE_INFEASIBLE;
            s->why = "no path takes it";
        } else if (!s->why) {
            s->why = w->out->refused ? w->out->refused : reason(w);
        }
    }
}
