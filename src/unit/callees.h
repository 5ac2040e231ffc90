// What a function does by itself or through functions that it calls.
#ifndef UNIT_CALLEES_H
#define UNIT_CALLEES_H

#include "ir/ir.h"

// The first instruction of f, or of functions of the program that it calls, for
// which `is` holds; NULL: none.  *of, if not NULL, gets its function.
typedef bool callees_is(const struct ir *ir, const struct ir_fn *of,
                        const struct ir_inst *i);
const struct ir_inst *callees_find(const struct ir *ir, const struct ir_fn *f,
                                   callees_is *is, const struct ir_fn **of);

// The function that a call calls, NULL: it is no call, or through a pointer.
const struct ir_fn *callees_called(const struct ir *ir, const struct ir_fn *of,
                                   const struct ir_inst *i);

// Characters that a text must have for f to come to the end of the texts that
// it compares, or over the lengths that it compares with; 0: it does neither.
uint64_t callees_text(const struct ir *ir, const struct ir_fn *f);

// Does f copy or set bytes, of which there may be none?
bool callees_copy(const struct ir *ir, const struct ir_fn *f);

// Does f use errno?
bool callees_use_errno(const struct ir *ir, const struct ir_fn *f);

#endif
