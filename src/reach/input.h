// One test as the native engines see it: parameters, posts, choices.  Plain
// bytes, so that it can lie in memory that processes share.
#ifndef REACH_INPUT_H
#define REACH_INPUT_H

#include "reach/model.h"

#include <stddef.h>
#include <string.h>

enum {
    INPUT_GENES = 24,
    INPUT_ORDER = 64,
    INPUT_PICKS = 16,
    INPUT_FAILS = 2,
    PASS_ALL = 255, // receive until nothing is left to receive
    INPUT_TIMES = 10000000
};

// A post: a message to a receptionist, `times` times, each followed by `pass`
// receives.
struct gene {
    uint8_t to; // in the pool's names
    uint8_t pass;
    uint16_t msg; // in model.msgs
    uint32_t times;
    unsigned char bytes[MODEL_BYTES];
};

struct input {
    uint32_t n_genes, n_order, n_picks;
    uint32_t bound;  // receives
    uint32_t seed;   // of choices after the lists; 0: oldest first, picks 0
    uint32_t params; // a bit for each that is set
    int64_t values[MODEL_PARAMS];
    uint32_t fails[INPUT_FAILS]; // allocations that fail, from 1; 0: none
    uint16_t picks[INPUT_PICKS]; // answers to choose()
    uint8_t order[INPUT_ORDER];  // of options, where there are several
    struct gene genes[INPUT_GENES];
};

// All but the genes that are not used.
static inline size_t input_size(const struct input *in)
{
    return offsetof(struct input, genes) + in->n_genes * sizeof *in->genes;
}

static inline void input_copy(struct input *to, const struct input *from)
{
    memcpy(to, from, input_size(from));
}

#endif
