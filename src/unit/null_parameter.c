#include "unit/null_parameter.h"

#include "symex/symex.h"
#include "unit/places.h"

enum { DEPTH_MOST = 4 };

struct looking {
    const struct ir *ir;
    const struct ir_fn *f; // under test
    const struct input *in;
    uint32_t depth; // of calls
};

// Is this parameter of the source null in the input?
static bool is_null(const struct looking *w, uint32_t i)
{
    if (i >= w->in->objects.n || w->in->objects.at[i].role != INPUT_PARAM ||
        places_kind(w->ir, w->in->objects.at[i].type) != CALL_POINTER)
        return false;
    const struct input_link *l = input_link_at(&w->in->objects.at[i], 0);
    return l && l->object == IR_NOTHING && l->fn == IR_NOTHING;
}

static uint32_t in_callers(struct looking *w, const struct ir_fn *callee,
                           uint32_t i);

// The parameter of f that parameter i of `of` is.
static uint32_t origin(struct looking *w, const struct ir_fn *of, uint32_t i)
{
    uint32_t found = IR_NOTHING;
    if (of->insts.at[i].type.kind != IR_PTR)
        return IR_NOTHING;
    if (of == w->f) {
        found = sx_source_param(w->ir, of, i);
        return found != IR_NOTHING && is_null(w, found) ? found : IR_NOTHING;
    }
    if (w->depth == DEPTH_MOST)
        return IR_NOTHING;
    w->depth++;
    found = in_callers(w, of, i);
    w->depth--;
    return found;
}

// The parameter that a pointer is at first: itself, or what a loop begins with.
static uint32_t parameter(struct looking *w, const struct ir_fn *of, ir_id v)
{
    if (v & IR_CONST_BIT)
        return IR_NOTHING;
    if (v < of->n_params)
        return origin(w, of, v);
    const struct ir_inst *i = &of->insts.at[v];
    uint32_t found = IR_NOTHING;
    if (i->op == IR_ADD && i->type.kind == IR_PTR) // "&a[i]"
        return parameter(w, of, ir_args(of, i)[0]);
    for (uint32_t k = 0; i->op == IR_PHI && k < i->n && found == IR_NOTHING;
         k++) {
        ir_id from = ir_args(of, i)[k];
        if (!(from & IR_CONST_BIT) && from < of->n_params)
            found = origin(w, of, from);
    }
    return found;
}

static uint32_t in_callers(struct looking *w, const struct ir_fn *callee,
                           uint32_t i)
{
    for (uint32_t k = 0; k < w->ir->fns.n; k++) {
        const struct ir_fn *g = w->ir->fns.at[k];
        for (uint32_t n = 0; n < g->insts.n; n++) {
            const struct ir_inst *call = &g->insts.at[n];
            if (call->op != IR_CALL || call->n <= i + 1 ||
                ir_as_fn(w->ir, ir_args(g, call)[0]) != callee->id)
                continue;
            uint32_t found = parameter(w, g, ir_args(g, call)[i + 1]);
            if (found != IR_NOTHING)
                return found;
        }
    }
    return IR_NOTHING;
}

// The parameter that a condition compares with null.
static uint32_t compared(struct looking *w, const struct ir_fn *of, ir_id v,
                         int depth)
{
    if (v & IR_CONST_BIT || depth > 3)
        return IR_NOTHING;
    const struct ir_inst *c = &of->insts.at[v];
    if (c->op == IR_NE || c->op == IR_EQ)
        return parameter(w, of, ir_args(of, c)[0]);
    uint32_t found = IR_NOTHING;
    for (uint32_t i = 0; i < c->n && found == IR_NOTHING &&
                         (c->op == IR_OR || c->op == IR_AND || c->op == IR_XOR);
         i++)
        found = compared(w, of, ir_args(of, c)[i], depth + 1);
    return found;
}

// The parameter that a failed check is about.
static uint32_t of_check(struct looking *w, const struct ir_fn *of,
                         const struct ir_inst *trap)
{
    uint32_t block = ir_block_of(of, (uint32_t)(trap - of->insts.at));
    for (uint32_t i = 0; i < of->blocks.at[block].n_preds; i++) {
        const struct ir_block *p =
            &of->blocks.at[ir_preds(of, &of->blocks.at[block])[i]];
        const struct ir_inst *end = &of->insts.at[p->first + p->n - 1];
        uint32_t found = end->op == IR_BRANCH
                             ? compared(w, of, ir_args(of, end)[0], 0)
                             : IR_NOTHING;
        if (found != IR_NOTHING)
            return found;
    }
    return IR_NOTHING;
}

// The parameter that a call is given.
static uint32_t of_call(struct looking *w, const struct ir_fn *of,
                        const struct ir_inst *call)
{
    uint32_t found = IR_NOTHING;
    for (uint32_t i = 1; i < call->n && found == IR_NOTHING; i++)
        found = parameter(w, of, ir_args(of, call)[i]);
    return found;
}

uint32_t null_parameter(const struct ir *ir, const struct ir_fn *f,
                        const struct input *in, const struct ir_fn *of,
                        const struct ir_inst *trap)
{
    struct looking w = {.ir = ir, .f = f, .in = in};
    return trap->op == IR_TRAP ? of_check(&w, of, trap) : of_call(&w, of, trap);
}
