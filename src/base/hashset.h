// A set of 64-bit hashes with an optional cap.
#ifndef BASE_HASHSET_H
#define BASE_HASHSET_H

#include <stdbool.h>
#include <stdint.h>

// All zero is an empty set without a cap.
struct hashset {
    uint64_t *at; // 0: free
    uint64_t mask, n, cap;
    bool zero; // the hash 0 is in the set, though not in the table
    bool more; // something was not added: the cap is reached
};

// Add h.  True if h was not in the set.  When the cap is reached, a new hash is
// not kept and counts as new each time.
bool hashset_add(struct hashset *s, uint64_t h);
bool hashset_has(const struct hashset *s, uint64_t h);
// Visit all hashes, in no useful order: *at is 0 before the first call.
// False when there is none left.
bool hashset_next(const struct hashset *s, uint64_t *at, uint64_t *h);
// Empty it; the memory is kept.
void hashset_clear(struct hashset *s);
void hashset_free(struct hashset *s);
// Assert what a set promises to itself.
void hashset_check(const struct hashset *s);

#endif
