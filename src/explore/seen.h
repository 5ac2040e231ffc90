// The global states that a search has seen, by number in order of discovery.
//
// A state is known by a digest of 128 bits, so that two states are taken for
// one with a chance of n * n / 2^129 in a search of n states: 1.5e-23 for a
// hundred million.  Beside it the search keeps one word of its own.  A state
// takes 20 bytes and 7 to 14 of an index.
#ifndef EXPLORE_SEEN_H
#define EXPLORE_SEEN_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdint.h>

#define SEEN_NONE UINT32_MAX // instead of a number

struct seen_block;

// All zero is empty.
struct seen {
    VEC(struct seen_block *) blocks;
    uint32_t n;
    // The index, by open addressing: 0 is free, else a byte of the digest,
    // which tells most that are different without a look at them.
    uint8_t *bytes;
    uint32_t *numbers;
    uint64_t mask;
};

// The number of a state, or SEEN_NONE.
uint32_t seen_find(const struct seen *t, struct digest d);
// Add one that is unknown; its word is 0.  Returns its number.
uint32_t seen_add(struct seen *t, struct digest d);
// The word of a state.
uint32_t *seen_word(const struct seen *t, uint32_t number);
struct digest seen_digest(const struct seen *t, uint32_t number);
// Empty it; the memory is kept.
void seen_clear(struct seen *t);
void seen_free(struct seen *t);

#endif
