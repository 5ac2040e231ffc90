// Random native runs, a million a second, guided by the places they pass.
//
// Values come from a vocabulary: special numbers, constants of the program,
// operands that comparisons showed.  For each side the simplest input that
// takes it is kept, and made as plain as it can be while it takes the same
// sides.
#ifndef UNIT_FUZZ_H
#define UNIT_FUZZ_H

#include "unit/input.h"
#include "unit/sides.h"
#include "unit/subject.h"

struct fuzz_options {
    uint32_t pre; // IR_NOTHING: none
    double seconds;
    uint64_t seed;
    uint64_t most; // runs; 0: as many as the time allows
};

struct fuzz_found {
    struct input in;
    uint64_t steps;  // comparisons on the way
    uint64_t weight; // how far its values are from plain
    bool returned;   // else it ends by an assertion, abort, exit or a trap
    bool late;       // or had not ended when it was left
    uint32_t trap;   // hit of the check that failed, IR_NOTHING: none
    uint8_t *sides;  // by index in the function's sides, 1: taken
};

struct fuzz_result {
    VEC(struct fuzz_found) found; // simplest first
    uint64_t runs;
    uint64_t late; // runs that did not end
    bool died;     // the process was lost: what it found is lost, too
};

// Inputs live in a.
void fuzz(const struct unit_subject *s, struct arena *a, const struct ir_fn *f,
          const struct sides *sides, const struct fuzz_options *o,
          struct fuzz_result *out);
void fuzz_free(struct fuzz_result *r);

#endif
