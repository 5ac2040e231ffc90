// Is there memory that changes without a symbolic run seeing it?
#include "reach/proof/proof.h"

#include <string.h>

static bool does(struct proofs *p, uint32_t root,
                 bool (*what)(const struct ir *, const struct ir_fn *))
{
    for (uint32_t k = 0; k < p->ir->fns.n; k++)
        if (p->ir->fns.at[k]->defined && proofs_calls(p, root, k) &&
            what(p->ir, p->ir->fns.at[k]))
            return true;
    return false;
}

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

// May this parameter, a pointer, point into a state?
static bool points_inside(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    uint32_t type =
        v + 1 < f->n_types ? ir_bare_type(ir, f->types[v + 1]) : IR_NOTHING;
    if (type == IR_NOTHING || ir->types.at[type].kind != IR_D_POINTER)
        return true;
    uint32_t to = ir_bare_type(ir, ir->types.at[type].base), cls;
    if (ir_is_actor(ir, ir->types.at[type].base, &cls))
        return false;
    for (uint32_t c = 0; c < ir->classes.n; c++)
        if (to == IR_NOTHING || has_part(ir, ir->classes.at[c].type, to))
            return true;
    return false;
}

enum { DEEP = 12 }; // of values made of values, and of calls

static bool is_inside(const struct ir *ir, const struct ir_fn *f, ir_id v,
                      bool part, unsigned deep);

static bool any_inside(const struct ir *ir, const struct ir_fn *f,
                       const struct ir_inst *i, uint32_t first, bool part,
                       unsigned deep)
{
    for (uint32_t k = first; k < i->n; k++)
        if (is_inside(ir, f, ir_args(f, i)[k], part, deep))
            return true;
    return false;
}

// May what a call gives lie inside a state?  Functions of libc give what they
// were given, or a place in it.
static bool call_gives_inside(const struct ir *ir, const struct ir_fn *f,
                              const struct ir_inst *call, bool part,
                              unsigned deep)
{
    uint32_t to = ir_as_fn(ir, ir_args(f, call)[0]);
    if (to == IR_NOTHING)
        return true;
    const struct ir_fn *g = ir->fns.at[to];
    if (!g->defined)
        return strncmp(g->name, "strtok", 6) == 0 ||
               any_inside(ir, f, call, 1, part, deep);
    for (uint32_t i = 0; i < g->insts.n; i++)
        if (g->insts.at[i].op == IR_RETURN &&
            any_inside(ir, g, &g->insts.at[i], 0, part, deep))
            return true;
    return false;
}

// May the value be an address inside a state?  `part`: of what it points to a
// part is meant.  What is loaded is none, as long as none is put into memory.
static bool is_inside(const struct ir *ir, const struct ir_fn *f, ir_id v,
                      bool part, unsigned deep)
{
    if (ir_is_const(v) || v == IR_NOTHING)
        return false;
    const struct ir_inst *i = &f->insts.at[v];
    if (!deep--)
        return true;
    switch ((enum ir_op)i->op) {
    case IR_PARAM:
        return i->type.kind == IR_PTR && (part || points_inside(ir, f, v));
    case IR_FIELD:
    case IR_INDEX:
        return is_inside(ir, f, ir_args(f, i)[0], true, deep);
    case IR_PHI:
        return any_inside(ir, f, i, 0, part, deep);
    case IR_SELECT:
        return any_inside(ir, f, i, 1, part, deep);
    case IR_CALL:
        return i->type.kind == IR_PTR &&
               call_gives_inside(ir, f, i, part, deep);
    case IR_PTRTOINT:
    case IR_INTTOPTR:
    case IR_BITS:
        return any_inside(ir, f, i, 0, true, deep);
    case IR_SUB: // the distance of two addresses is none
        return !(is_inside(ir, f, ir_args(f, i)[0], part, deep) &&
                 is_inside(ir, f, ir_args(f, i)[1], part, deep)) &&
               any_inside(ir, f, i, 0, part, deep);
    default:
        return ir_op_group((enum ir_op)i->op) == IR_G_VALUE &&
               any_inside(ir, f, i, 0, part, deep);
    }
}

// Is an address that may lie inside a state put into memory?
static bool keeps_address(const struct ir *ir, const struct ir_fn *f)
{
    for (uint32_t i = 0; i < f->insts.n; i++)
        if (f->insts.at[i].op == IR_STORE &&
            is_inside(ir, f, ir_args(f, &f->insts.at[i])[0], false, DEEP))
            return true;
    return false;
}

bool proofs_keep_address(struct proofs *p)
{
    for (uint32_t i = 0; i < p->roots.n; i++)
        if (p->roots.at[i].kind != ROOT_SETUP &&
            does(p, p->roots.at[i].fn, keeps_address))
            return true;
    return false;
}
