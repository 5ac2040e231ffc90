// What the two files share that evaluate location expressions.
#ifndef PROGRAM_LOCATION_INNER_H
#define PROGRAM_LOCATION_INNER_H

#include "program/location.h"

// An expression may need the value of another, which may need another.
enum { LOCATION_DEPTH = 8 };

// Evaluate the operations of an attribute; depth is that of this evaluation.
// False if the location is not available.
bool location_evaluate(const struct location_in *in, Dwarf_Attribute *attr,
                       Dwarf_Op *ops, size_t n, uint32_t depth,
                       struct location *out);

// location_entry.c.  Does the operation name a register, and which?
bool location_is_register(Dwarf_Op *op, uint64_t *r);

// What register r held when the frame's function was called.
bool location_entry_value(const struct location_in *in, uint64_t r,
                          uint32_t depth, uint64_t *out);

#endif
