// A program that tells the places it passes.
//
// The bitcode that is translated into the IR is also the one that is
// instrumented, so native hits and blocks, sides and traps of the IR are the
// same things with the same numbers (ir/ir.h, "places").  The process that
// loads the object provides the map of hits and the functions that are told the
// operands of comparisons (stage/hits.h).
#ifndef IR_INSTRUMENT_H
#define IR_INSTRUMENT_H

#include "ir/ir.h"

enum ir_watch {
    IR_COUNT, // a 32-bit counter for each hit
    IR_TRACE  // a byte for each hit, and the operands of comparisons are told
};

struct ir_probes {
    enum ir_watch watch;
    const char *bitcode; // file to write
};

// Compile, translate and instrument these sources; *object is a file for the
// linker, from the cache if it was made before, and lives in a.  Locals without
// an initialiser start as zero, as in all that the stage runs.  NULL with d set
// when that is impossible.
struct ir *ir_instrument(struct arena *a, const char *const *paths, uint32_t n,
                         const struct ir_options *options, enum ir_watch watch,
                         const char **object, struct diag *d);

#endif
