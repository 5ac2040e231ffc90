// Functions without a body that write through pointers.
//
// Nobody says what such a function does.  Where all calls give it the address
// of a local variable, at the same place and of one size, that is taken for a
// result: the value there is an input, as what the function returns is.  Of
// other locals, structs and pointers, nobody knows what they hold then:
// natively that differs from run to run, so what depends on it is no case.
#include "symex/engine.h"

#include <string.h>

// The local whose address is argument k of a call; NULL: it is something else.
static const struct ir_inst *local_given(const struct ir_fn *f,
                                         const struct ir_inst *call, uint32_t k)
{
    if (k + 1 >= call->n || ir_is_const(ir_args(f, call)[k + 1]))
        return NULL;
    const struct ir_inst *v = &f->insts.at[ir_args(f, call)[k + 1]];
    return v->op == IR_ALLOCA && !v->n ? v : NULL;
}

// Is the local a number of one, two, four or eight bytes?
static bool is_number(const struct ir_fn *f, const struct ir_inst *local)
{
    ir_id v = (ir_id)(local - f->insts.at);
    if (local->imm != 1 && local->imm != 2 && local->imm != 4 &&
        local->imm != 8)
        return false;
    for (uint32_t n = 0; n < f->insts.n; n++) {
        const struct ir_inst *i = &f->insts.at[n];
        if (i->op == IR_LOAD && ir_args(f, i)[0] == v &&
            (i->type.kind != IR_INT || i->type.bits != 8 * local->imm))
            return false;
    }
    return true;
}

// Floats among the arguments of a call have registers apart.
static bool has_float(const struct ir *ir, const struct ir_fn *f,
                      const struct ir_inst *call)
{
    for (uint32_t a = 1; a < call->n; a++)
        if (ir_type_of(ir, f, ir_args(f, call)[a]).kind == IR_FLOAT)
            return true;
    return false;
}

uint32_t sx_touched(const struct ir *ir, uint32_t fn, uint32_t k)
{
    const struct ir_fn *g = ir->fns.at[fn];
    int64_t bytes = 0;
    if (g->defined || g->variadic || g->noreturn || sx_written(ir, fn, k))
        return 0;
    for (uint32_t m = 0; m < ir->fns.n; m++) {
        const struct ir_fn *f = ir->fns.at[m];
        for (uint32_t n = 0; n < f->insts.n; n++) {
            const struct ir_inst *i = &f->insts.at[n];
            if (i->op != IR_CALL || ir_as_fn(ir, ir_args(f, i)[0]) != fn)
                continue;
            const struct ir_inst *local = local_given(f, i, k);
            if (!local || has_float(ir, f, i))
                return 0;
            bytes = bytes && bytes < local->imm ? bytes : local->imm;
        }
    }
    return (uint32_t)(bytes < UINT16_MAX ? bytes : UINT16_MAX);
}

uint32_t sx_written(const struct ir *ir, uint32_t fn, uint32_t k)
{
    const struct ir_fn *g = ir->fns.at[fn];
    uint32_t bytes = 0;
    if (g->defined || g->variadic || g->noreturn || k >= SX_WRITTEN_MAX ||
        fn >= SX_WRITES >> 3)
        return 0;
    for (uint32_t m = 0; m < ir->fns.n; m++) {
        const struct ir_fn *f = ir->fns.at[m];
        for (uint32_t n = 0; n < f->insts.n; n++) {
            const struct ir_inst *i = &f->insts.at[n];
            if (i->op != IR_CALL || ir_as_fn(ir, ir_args(f, i)[0]) != fn)
                continue;
            const struct ir_inst *local = local_given(f, i, k);
            if (!local || has_float(ir, f, i) || !is_number(f, local) ||
                (bytes && bytes != (uint32_t)local->imm))
                return 0;
            bytes = (uint32_t)local->imm;
        }
    }
    return bytes;
}

bool stub_writes(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                 const term *args, uint32_t n, uint64_t calls)
{
    for (uint32_t k = 0; k < n && k < SX_WRITTEN_MAX; k++) {
        uint32_t bytes = sx_written(r->ir, f->id, k);
        struct slot slot = {.bytes = bytes, .type = IR_NOTHING};
        struct sx_place at = {SX_STUB, SX_WRITES | f->id << 3 | k,
                              (int64_t)calls};
        if (bytes && !store(r, s, args[k], input_value(r, s, at, &slot)))
            return false;
    }
    return true;
}
