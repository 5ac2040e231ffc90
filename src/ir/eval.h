// The meaning of instructions that only compute.
#ifndef IR_EVAL_H
#define IR_EVAL_H

#include "ir/ir.h"
#include "ir/wide.h"

// A value of up to 16 bytes.  Integers and pointers are zero beyond their
// width; floats and blobs beyond their size.
union ir_bits {
    u128 i;
    float f;
    double d;
    long double ld;
    uint8_t b[16];
};

// The result of a VALUE instruction other than PARAM and PHI on these
// arguments, whose types are `types`.  False where it has none: a division
// that traps, an operation on a type we cannot hold.
bool ir_eval(const struct ir_inst *i, const struct ir_type *types,
             const union ir_bits *args, union ir_bits *out);

// x as a signed number of this many bits, and x cut to them.
i128 ir_signed(u128 x, unsigned bits);
u128 ir_cut(u128 x, unsigned bits);

#endif
