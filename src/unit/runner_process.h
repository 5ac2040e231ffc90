// What the files of native runs share: the process that has the object loaded.
#ifndef UNIT_RUNNER_PROCESS_H
#define UNIT_RUNNER_PROCESS_H

#include "unit/runner.h"

#include "base/text.h"

struct block {
    char *at;
    size_t size;
    bool live;
};

struct variable {
    char *at;
    char *first; // what it held before any call
    uint64_t size;
    uint32_t global;
};

struct runner_process {
    const struct unit_subject *s;
    void *object;
    uint8_t fill;
    enum runner_guard guard;
    VEC(struct block) blocks;
    VEC(struct variable) variables;
    // While a call runs:
    const struct input *in;
    const struct runner_layout *layout;
    VEC(uint32_t) freed;
    uint32_t allocations;
    void (*on_allocation)(void); // NULL: nobody asks
    void (*on_free)(uint32_t object); // one of the input's, NULL: nobody asks
    bool has_errno;                   // the function uses errno,
    int error;                        // and left this there
};

// C values on their way to the parent.
struct runner_values {
    struct text wire;
    uint32_t n;
};

// Tell the result of a call and what objects and variables hold after it, as C
// values (runner_tell.c); in *before the old values of variables that the call
// changed and the input did not set.
void runner_say(struct runner_process *p, struct arena *a,
                const struct ir_fn *f, const char *result,
                struct runner_values *before, struct runner_values *after);

#endif
