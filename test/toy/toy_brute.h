// Brute force for the tests: every class of a play, by stepping.
#ifndef TEST_TOY_BRUTE_H
#define TEST_TOY_BRUTE_H

#include "explore/explore.h"
#include "base/hashset.h"

// A name of the class of a complete execution: per actor what it received, in
// which order, and the answers to choose().  The same in every process.
uint64_t class_key(struct play *p, const struct schedule *s);

struct brute {
    struct hashset classes, finals;
    uint64_t nodes; // visited
    bool too_large;
};

// Walk all schedules, but no set of per-actor histories twice, of at most
// `limit` nodes.
void brute_force(struct brute *b, struct play *p, enum delivery d,
                 uint64_t limit);
void brute_free(struct brute *b);

#endif
