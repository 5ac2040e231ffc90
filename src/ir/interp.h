// Running the IR on concrete values.
//
// Memory is a set of objects, each with bounds; an address is 64 bits that
// name the object and a byte in it, so that a bad access is an answer and not
// a crash.  What an external function or an actor operation does is the
// host's; the common functions of libc are here (interp_libc.c).
#ifndef IR_INTERP_H
#define IR_INTERP_H

#include "ir/eval.h"

struct interp;

enum interp_end {
    INTERP_RETURNED,
    INTERP_TRAPPED,     // trap says which
    INTERP_BAD_ACCESS,  // outside of all objects
    INTERP_UNSUPPORTED, // text says what
    INTERP_STEPS        // the budget is spent
};

struct interp_outcome {
    enum interp_end end;
    enum ir_trap trap;
    const char *text;  // NULL if nothing is to be said
    uint32_t fn, inst; // where
};

struct interp_host {
    void *self;
    // An actor operation; NULL: unsupported.  False: it cannot be done.
    bool (*actor)(void *self, struct interp *p, const struct ir_inst *i,
                  const union ir_bits *args, union ir_bits *result);
    // An external function that is not in libc; NULL: there is none.
    bool (*call)(void *self, struct interp *p, const char *name, uint32_t n,
                 const union ir_bits *args, union ir_bits *result);
    // What the program prints; NULL: thrown away.
    void (*print)(void *self, const char *text, size_t n);
    // Each instruction as it is run; NULL: not told.
    void (*step)(void *self, uint32_t fn, uint32_t inst);
};

// A run's memory with all globals in it.  Borrows ir and host.
struct interp *interp_new(const struct ir *ir, const struct interp_host *host);
void interp_free(struct interp *p);
// Instructions that may still run; 0 is no limit.
void interp_budget(struct interp *p, uint64_t steps);
uint64_t interp_steps(const struct interp *p);

// Run a function.  What it left in memory stays.
struct interp_outcome interp_call(struct interp *p, uint32_t fn,
                                  const union ir_bits *args, uint32_t n,
                                  union ir_bits *result);

// A zeroed object of the caller's, and the end of one.
uint64_t interp_alloc(struct interp *p, uint64_t size);
bool interp_release(struct interp *p, uint64_t address);
// n bytes at an address, NULL if they are not all inside one object.
uint8_t *interp_bytes(struct interp *p, uint64_t address, uint64_t n);
// The object's size and where in it the address points; false: no object.
bool interp_extent(struct interp *p, uint64_t address, uint64_t *size,
                   uint64_t *offset);
uint64_t interp_global(const struct interp *p, uint32_t global);
uint64_t interp_fn(const struct interp *p, uint32_t fn);
// The global or function at this address, IR_NOTHING if none.
uint32_t interp_global_at(const struct interp *p, uint64_t address);
uint32_t interp_fn_at(const struct interp *p, uint64_t address);

const struct ir *interp_ir(const struct interp *p);
const struct interp_host *interp_host(const struct interp *p);
// A call from within a call: for callbacks of library functions.
bool interp_again(struct interp *p, uint32_t fn, const union ir_bits *args,
                  uint32_t n, union ir_bits *result);
// Note why the run cannot go on; returns false.
bool interp_stop(struct interp *p, enum interp_end end, const char *text);
bool interp_stopped(const struct interp *p);

// interp_libc.c: 1 done, 0 not such a function, -1 stopped.
int interp_libc(struct interp *p, const char *name, uint32_t n,
                const struct ir_type *types, const union ir_bits *args,
                union ir_bits *result);

#endif
