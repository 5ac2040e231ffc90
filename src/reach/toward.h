// How far a block is from the nearest open target, in edges of control flow
// within functions and into the functions that they call.
#ifndef REACH_TOWARD_H
#define REACH_TOWARD_H

#include "reach/reach.h"

#define TOWARD_NEVER UINT32_MAX

struct toward {
    uint32_t *first;       // by function: of its blocks in `far`
    uint32_t *far;         // by block: edges to the nearest target
    unsigned char *wanted; // by hit: a target that is open
    uint32_t *sites;       // by comparison: from the block that makes it
    uint32_t n;
    struct ir_calls calls;
    uint64_t news; // pool.news when the distances were measured
    bool known;
};

// Measure again if something new was seen since the last time.
void toward_update(struct toward *t, const struct reach *r);
void toward_free(struct toward *t);

// From the head of a block; TOWARD_NEVER: there is no way inside its function
// and those it calls.
static inline uint32_t toward_block(const struct toward *t, uint32_t fn,
                                    uint32_t block)
{
    return t->far[t->first[fn] + block];
}

#endif
