// The invariants that ir.h states, checked.
#include "ir/ir.h"

struct check {
    const struct ir *ir;
    struct arena *a; // of what is said
};

static const char *say(const struct check *c, const struct ir_fn *f,
                       uint32_t inst, const char *what)
{
    return arena_format(c->a, "%s, %%%u: %s", f->name, inst, what);
}

static bool defined_before(const struct ir_fn *f, ir_id v, uint32_t inst,
                           uint32_t block)
{
    if (v == IR_NOTHING || ir_is_const(v) || v < f->n_params)
        return true;
    if (v >= f->insts.n)
        return false;
    uint32_t from = ir_block_of(f, v);
    return from == block ? v < inst : ir_dominates(f, from, block);
}

static const char *check_inst(const struct check *c, const struct ir_fn *f,
                              uint32_t at, uint32_t block)
{
    const struct ir_inst *i = &f->insts.at[at];
    const struct ir_block *b = &f->blocks.at[block];
    bool end = ir_op_group((enum ir_op)i->op) == IR_G_END;
    if (end != (at == b->first + b->n - 1))
        return say(c, f, at, "a terminator not at the end of its block");
    if (i->op == IR_PHI && i->n != b->n_preds)
        return say(c, f, at, "a phi without an argument per predecessor");
    if (i->op == IR_PHI && at != b->first && f->insts.at[at - 1].op != IR_PHI)
        return say(c, f, at, "a phi after other instructions");
    for (uint32_t k = 0; k < i->n && b->reachable; k++) {
        ir_id v = ir_args(f, i)[k];
        uint32_t where = i->op == IR_PHI ? ir_preds(f, b)[k] : block;
        uint32_t when = i->op == IR_PHI ? UINT32_MAX : at;
        if (ir_is_const(v) && ir_const_index(v) >= c->ir->consts.n)
            return say(c, f, at, "a constant that does not exist");
        if (f->blocks.at[where].reachable && !defined_before(f, v, when, where))
            return say(c, f, at, "a value used where it is not defined");
    }
    return NULL;
}

static const char *check_block(const struct check *c, const struct ir_fn *f,
                               uint32_t block, uint32_t *next)
{
    const struct ir_block *b = &f->blocks.at[block];
    const char *wrong = NULL;
    if (b->first != *next || !b->n)
        return say(c, f, b->first, "blocks that do not follow each other");
    if (block == 0 && b->n_preds)
        return say(c, f, b->first, "an entry with predecessors");
    for (uint32_t i = 0; i < b->n_succs; i++)
        if (ir_succs(f, b)[i] >= f->blocks.n)
            return say(c, f, b->first, "a successor that does not exist");
    for (uint32_t i = 0; i < b->n && !wrong; i++)
        wrong = check_inst(c, f, b->first + i, block);
    *next = b->first + b->n;
    return wrong;
}

const char *ir_check(const struct ir *ir, struct arena *a)
{
    struct check c = {ir, a};
    for (uint32_t k = 0; k < ir->fns.n; k++) {
        const struct ir_fn *f = ir->fns.at[k];
        uint32_t next = f->n_params;
        if (f->defined != (f->blocks.n > 0))
            return say(&c, f, 0, "a body where there is none");
        for (uint32_t b = 0; b < f->blocks.n; b++) {
            const char *wrong = check_block(&c, f, b, &next);
            if (wrong)
                return wrong;
        }
    }
    return NULL;
}
