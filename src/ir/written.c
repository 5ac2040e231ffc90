// Globals that no code of the program can change.
#include "ir/ir.h"

#include "base/die.h"

uint32_t ir_global_of(const struct ir *ir, const struct ir_fn *f, ir_id v)
{
    while (v != IR_NOTHING && !ir_is_const(v) &&
           (f->insts.at[v].op == IR_FIELD || f->insts.at[v].op == IR_INDEX))
        v = ir_args(f, &f->insts.at[v])[0];
    if (v == IR_NOTHING || !ir_is_const(v) ||
        ir_const_at(ir, v)->kind != IR_C_GLOBAL)
        return IR_NOTHING;
    return ir_const_at(ir, v)->index;
}

// Does the instruction only read what its k-th argument points to?
static bool only_reads(const struct ir_inst *i, uint32_t k)
{
    switch ((enum ir_op)i->op) {
    case IR_LOAD:
    case IR_EQ:
    case IR_NE:
        return true;
    case IR_FIELD: // what is done with the result counts
    case IR_INDEX:
        return k == 0;
    case IR_COPY:
    case IR_MOVE:
        return k == 1;
    default:
        return false;
    }
}

static void look_at(const struct ir *ir, const struct ir_fn *f, bool *written)
{
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        for (uint32_t k = 0; k < i->n; k++) {
            uint32_t g = ir_global_of(ir, f, ir_args(f, i)[k]);
            if (g != IR_NOTHING && !only_reads(i, k))
                written[g] = true;
        }
    }
}

uint32_t ir_writes(const struct ir *ir, const struct ir_fn *f)
{
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        bool store = i->op == IR_STORE;
        if (!store && i->op != IR_COPY && i->op != IR_MOVE && i->op != IR_SET)
            continue;
        uint32_t g = ir_global_of(ir, f, ir_args(f, i)[store ? 1 : 0]);
        if (g != IR_NOTHING)
            return g;
    }
    return IR_NOTHING;
}

bool *ir_written(const struct ir *ir)
{
    bool *written = need_zero((ir->globals.n + 1) * sizeof *written);
    for (uint32_t g = 0; g < ir->globals.n; g++) {
        const struct ir_global *at = &ir->globals.at[g];
        written[g] |= !at->constant && (at->external || at->weak);
        for (uint32_t k = 0; k < at->n_relocs; k++) {
            const struct ir_const *c = ir_const_at(ir, at->relocs[k].value);
            if (c->kind == IR_C_GLOBAL)
                written[c->index] = true;
        }
    }
    for (uint32_t n = 0; n < ir->fns.n; n++)
        look_at(ir, ir->fns.at[n], written);
    for (uint32_t g = 0; g < ir->globals.n; g++)
        written[g] &= !ir->globals.at[g].constant;
    return written;
}
