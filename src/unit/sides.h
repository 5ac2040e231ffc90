// The branch sides of a function: each condition's true and false, also inside
// && and || and where the compiler made a select of ?:, and each label of a
// switch.  Branches to checks of ours (null, division, bounds) are none.
#ifndef UNIT_SIDES_H
#define UNIT_SIDES_H

#include "ir/ir.h"

struct text;

struct side {
    uint32_t inst; // BRANCH, SWITCH or SELECT
    uint32_t k;    // its successor or value
    uint32_t hit;  // what the instrumented program marks
    uint32_t block;
    uint32_t line;
    const char *text;  // the condition as the source has it
    const char *which; // "true", "false", "case 3", "default"
    bool pointer;      // a pointer is compared with null
};

// All zero is empty.
struct sides {
    VEC(struct side) at;
};

// Strings live in a.
void sides_of(const struct ir *ir, const struct ir_fn *f, struct arena *a,
              struct sides *out);
void sides_free(struct sides *s);
// A piece of a name for what a side says: "n_gt_0", "lf_is_null", "case_3".
void side_name(const struct side *s, struct text *to);

#endif
