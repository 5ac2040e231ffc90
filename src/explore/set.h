// A set of 64-bit hashes with an optional cap.
#ifndef EXPLORE_SET_H
#define EXPLORE_SET_H

#include <stdbool.h>
#include <stdint.h>

// All zero is an empty set without a cap.
struct set {
    uint64_t *at; // 0: free; the hash 0 is kept as 1
    uint64_t mask, n, cap;
    bool more; // something was not added: the cap is reached
};

// As the linker sees them: src/flow has other sets with functions of these
// names, and the tool is made of both.
#define set_add hash_set_add
#define set_has hash_set_has
#define set_free hash_set_free

// True if h was not in the set.  Beyond the cap new hashes are not kept; they
// count as new each time.
bool set_add(struct set *s, uint64_t h);
bool set_has(const struct set *s, uint64_t h);
void set_free(struct set *s);

#endif
