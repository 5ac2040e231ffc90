// All that a call may be given, as cells to be filled: what random native runs
// choose values for.
//
// Behind pointers lie a few objects per pointed-to type; a cell that is a
// pointer chooses null or one of them.
#ifndef UNIT_SHAPE_H
#define UNIT_SHAPE_H

#include "unit/input.h"
#include "unit/subject.h"

struct shape_cell {
    uint32_t object;
    uint64_t offset;
    uint32_t bytes;
    uint32_t bit, bits; // of a bit-field
    uint32_t type;
    enum call_kind kind;
    bool in_union;
    uint32_t links, n_links; // of a pointer: what it may be, in shape.links
};

struct shape {
    struct input all; // every object, all zero
    VEC(struct shape_cell) cells;
    VEC(struct input_link) links;
};

// False if the function cannot be called so: *why.
bool shape_of(const struct unit_subject *s, struct arena *a,
              const struct ir_fn *f, struct shape *out, const char **why);

// The input with these values, a value per cell; of a pointer 0 for null or 1 +
// the number of its link.  Only cells that matter, and objects they lead to.
void shape_input(const struct shape *s, struct arena *a, const uint64_t *values,
                 const bool *matters, struct input *out);

// The value of a long double cell is that of a double, with its bits.
void shape_long_double(void *to, uint64_t bits);

#endif
