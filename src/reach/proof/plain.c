// Is there memory that changes without a symbolic run seeing it?
#include "reach/proof/proof.h"

#include <string.h>

// Has the type a part of this type, or is it that?
static bool has_part(const struct ir *ir, uint32_t type, uint32_t part)
{
    type = ir_bare_type(ir, type);
    if (type == IR_NOTHING || type == part)
        return true;
    const struct ir_dtype *t = &ir->types.at[type];
    if (t->kind == IR_D_ARRAY)
        return has_part(ir, t->base, part);
    if (t->kind != IR_D_STRUCT && t->kind != IR_D_UNION)
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (has_part(ir, t->members[i].type, part))
            return true;
    return false;
}

// May a pointer of this type lead into a state?  Of a function that is called
// through a pointer this is all that is known.
static bool may_lead_inside(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    uint32_t type =
        v + 1 < f->n_types ? ir_bare_type(ir, f->types[v + 1]) : IR_NOTHING;
    if (type == IR_NOTHING || ir->types.at[type].kind != IR_D_POINTER)
        return true;
    uint32_t to = ir_bare_type(ir, ir->types.at[type].base);
    for (uint32_t c = 0; c < ir->classes.n; c++)
        if (to == IR_NOTHING || has_part(ir, ir->classes.at[c].type, to))
            return true;
    return false;
}

// Values that may be addresses of a state or of a part of one: parameters of
// hooks and handlers, and what is made of them.  The sets only grow.
struct inside {
    const struct ir *ir;
    bool **value; // by function and instruction
    bool *taken;  // by function: its address is
};

static bool is_inside(const struct inside *in, const struct ir_fn *f, ir_id v)
{
    return v != IR_NOTHING && !ir_is_const(v) && in->value[f->id][v];
}

static bool any_inside(const struct inside *in, const struct ir_fn *f,
                       const struct ir_inst *i, uint32_t first)
{
    for (uint32_t k = first; k < i->n; k++)
        if (is_inside(in, f, ir_args(f, i)[k]))
            return true;
    return false;
}

// May what a call gives lie inside a state?  Functions of libc give what they
// were given, or a place in it.
static bool call_gives_inside(const struct inside *in, const struct ir_fn *f,
                              const struct ir_inst *call)
{
    uint32_t to = ir_as_fn(in->ir, ir_args(f, call)[0]);
    if (to == IR_NOTHING)
        return true;
    const struct ir_fn *g = in->ir->fns.at[to];
    if (!g->defined)
        return strncmp(g->name, "strtok", 6) == 0 || any_inside(in, f, call, 1);
    for (uint32_t i = 0; i < g->insts.n; i++)
        if (g->insts.at[i].op == IR_RETURN &&
            any_inside(in, g, &g->insts.at[i], 0))
            return true;
    return false;
}

// May the instruction give an address of a state, or inside one?  What is
// loaded is none, as long as none is put into memory.
static bool gives_inside(const struct inside *in, const struct ir_fn *f,
                         const struct ir_inst *i)
{
    switch ((enum ir_op)i->op) {
    case IR_PARAM:
        return false;
    case IR_FIELD:
    case IR_INDEX:
        return is_inside(in, f, ir_args(f, i)[0]);
    case IR_SELECT:
        return any_inside(in, f, i, 1);
    case IR_CALL:
        return i->type.kind == IR_PTR && call_gives_inside(in, f, i);
    case IR_PHI:
    case IR_PTRTOINT:
    case IR_INTTOPTR:
    case IR_BITS:
        return any_inside(in, f, i, 0);
    case IR_SUB: // the distance of two addresses is none
        return is_inside(in, f, ir_args(f, i)[0]) !=
               is_inside(in, f, ir_args(f, i)[1]);
    default:
        return ir_op_group((enum ir_op)i->op) == IR_G_VALUE &&
               any_inside(in, f, i, 0);
    }
}

static bool grow_inside(struct inside *in, const struct ir_fn *f)
{
    bool grew = false;
    for (uint32_t v = 0; v < f->insts.n; v++)
        if (!in->value[f->id][v] && gives_inside(in, f, &f->insts.at[v]))
            in->value[f->id][v] = grew = true;
    return grew;
}

// Is an address that may lie inside a state put into memory?
static bool keeps_address(const struct inside *in, const struct ir_fn *f)
{
    for (uint32_t i = 0; i < f->insts.n; i++)
        if (f->insts.at[i].op == IR_STORE &&
            is_inside(in, f, ir_args(f, &f->insts.at[i])[0]))
            return true;
    return false;
}

// ---- parameters ---------------------------------------------------------

// The address of a function that is used for anything but a direct call.
static void mark_taken(struct inside *in, const struct ir_fn *f)
{
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *at = &f->insts.at[i];
        for (uint32_t k = at->op == IR_CALL; k < at->n; k++) {
            uint32_t g = ir_as_fn(in->ir, ir_args(f, at)[k]);
            if (g != IR_NOTHING)
                in->taken[g] = true;
        }
    }
}

static bool pass_on(struct inside *in, const struct ir_fn *f)
{
    bool grew = false;
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *at = &f->insts.at[i];
        uint32_t to = at->op == IR_CALL ? ir_as_fn(in->ir, ir_args(f, at)[0])
                                        : IR_NOTHING;
        if (to == IR_NOTHING)
            continue;
        const struct ir_fn *g = in->ir->fns.at[to];
        for (uint32_t k = 0; k + 1 < at->n && k < g->n_params; k++)
            if (!in->value[to][k] && is_inside(in, f, ir_args(f, at)[k + 1]))
                in->value[to][k] = grew = true;
    }
    return grew;
}

static struct inside *begin(struct proofs *p)
{
    const struct ir *ir = p->ir;
    struct inside *in = arena_zero(&p->arena, sizeof *in);
    in->ir = ir;
    in->value = arena_zero(&p->arena, (ir->fns.n + 1) * sizeof *in->value);
    in->taken = arena_zero(&p->arena, ir->fns.n + 1);
    for (uint32_t g = 0; g < ir->globals.n; g++)
        for (uint32_t k = 0; k < ir->globals.at[g].n_relocs; k++) {
            uint32_t fn = ir_as_fn(ir, ir->globals.at[g].relocs[k].value);
            if (fn != IR_NOTHING)
                in->taken[fn] = true;
        }
    for (uint32_t n = 0; n < ir->fns.n; n++)
        mark_taken(in, ir->fns.at[n]);
    for (uint32_t n = 0; n < ir->fns.n; n++) {
        const struct ir_fn *f = ir->fns.at[n];
        in->value[n] = arena_zero(&p->arena, f->insts.n + f->n_params + 1);
        for (uint32_t k = 0; in->taken[n] && f->defined && k < f->n_params; k++)
            in->value[n][k] =
                f->insts.at[k].type.kind == IR_PTR && may_lead_inside(ir, f, k);
    }
    return in;
}

void proofs_find_kept(struct proofs *p)
{
    const struct ir *ir = p->ir;
    struct inside *in = p->inside = begin(p);
    for (uint32_t i = 0; i < p->roots.n; i++) {
        uint32_t fn = p->roots.at[i].fn;
        if (p->roots.at[i].kind != ROOT_SETUP && ir->fns.at[fn]->n_params > 1)
            in->value[fn][1] = true;
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t n = 0; n < ir->fns.n; n++)
            if (ir->fns.at[n]->defined) {
                again |= grow_inside(in, ir->fns.at[n]);
                again |= pass_on(in, ir->fns.at[n]);
            }
    }
    p->keeps = arena_zero(&p->arena, ir->classes.n + 1);
    for (uint32_t n = 0; n < ir->fns.n; n++) {
        bool kept = ir->fns.at[n]->defined && keeps_address(in, ir->fns.at[n]);
        for (uint32_t i = 0; kept && i < p->roots.n; i++)
            if (p->roots.at[i].kind != ROOT_SETUP &&
                proofs_calls(p, p->roots.at[i].fn, n))
                p->keeps[p->roots.at[i].cls] = true;
    }
}

bool proofs_keeps(const struct proofs *p, const struct root *root)
{
    return root->kind != ROOT_SETUP && p->keeps[root->cls];
}

static bool hands_out(struct proofs *p, const struct ir_fn *f)
{
    for (uint32_t i = 0; i < f->insts.n; i++) {
        const struct ir_inst *at = &f->insts.at[i];
        uint32_t to =
            at->op == IR_CALL ? ir_as_fn(p->ir, ir_args(f, at)[0]) : IR_NOTHING;
        if (at->op == IR_UNSUPPORTED ||
            (to != IR_NOTHING && !p->ir->fns.at[to]->defined &&
             !ir_only_reads(p->ir, f, at) && any_inside(p->inside, f, at, 1)))
            return true;
    }
    return false;
}

bool proofs_hands_out(struct proofs *p, const struct root *root)
{
    for (uint32_t n = 0; n < p->ir->fns.n; n++)
        if (p->ir->fns.at[n]->defined && proofs_calls(p, root->fn, n) &&
            hands_out(p, p->ir->fns.at[n]))
            return true;
    return false;
}
