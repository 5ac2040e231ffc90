// Is it a parameter that is null where a call follows a null pointer?
#ifndef UNIT_NULL_PARAMETER_H
#define UNIT_NULL_PARAMETER_H

#include "ir/ir.h"
#include "unit/input.h"

// The trap is an instruction of `of`: the check that fails, or the call of a
// library function that was given the pointer.  `of` is f, or a function that
// f hands its parameter to.  Returns the number of the parameter of f, in the
// source; IR_NOTHING: the pointer is none.
uint32_t null_parameter(const struct ir *ir, const struct ir_fn *f,
                        const struct input *in, const struct ir_fn *of,
                        const struct ir_inst *trap);

#endif
