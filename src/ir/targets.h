// What a test can be asked to reach: the blocks of a program's actors, and the
// checks in them that may fail.
#ifndef IR_TARGETS_H
#define IR_TARGETS_H

#include "ir/ir.h"

struct ir_target {
    uint32_t fn;
    uint32_t block; // the first part of an origin, or the block of a trap
    uint32_t hit;   // what an instrumented program marks there
    uint8_t trap;   // enum ir_trap of a check; IR_TRAPS_N: an origin
    uint8_t ends;   // an origin that ends in a trap (assertion, abort...):
                    // which; else IR_TRAPS_N
    uint16_t file;
    uint32_t line; // 0: unknown
};

struct ir_targets {
    VEC(struct ir_target) at; // by function, origins first
};

// Origins and checks of all functions that handlers, init, fini, copy and drop
// may call.  Left out are null checks of parameters for which every caller
// passes the address of an object.
void ir_targets(const struct ir *ir, struct ir_targets *out);
void ir_targets_free(struct ir_targets *t);

// Has the origin of this target an instruction on this line?  A check has its
// own line only.  `jumps`: one that only goes on elsewhere counts.
bool ir_target_on(const struct ir *ir, const struct ir_target *t, uint16_t file,
                  uint32_t line, bool jumps);

// Functions that handlers, init, fini, copy and drop may call, by id, in a.
bool *ir_callable(const struct ir *ir, struct arena *a);

#endif
