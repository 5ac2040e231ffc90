// A set of 64-bit hashes that processes share.
//
// It is made before the processes are forked; each may add to it at any time,
// and each may be killed at any time.  Adding costs one to three cache misses
// and no system call.
#ifndef CREW_SHARED_SET_H
#define CREW_SHARED_SET_H

#include <stdbool.h>
#include <stdint.h>

struct shared_set;

struct shared_set *shared_set_new(void);
void shared_set_free(struct shared_set *s);

// True if h was not in the set.  When there is no room for h it is not kept,
// and counts as new each time; how many there are is then only known nearly.
bool shared_set_add(struct shared_set *s, uint64_t h);
// Add hashes that are known by a sketch only.
void shared_set_join(struct shared_set *s, const unsigned char *sketch);

struct shared_sum {
    uint64_t n;   // hashes in the set
    uint64_t sum; // of them
    bool more;    // some were not kept
};

// These look at the whole set.  shared_set_list() copies at most `most` hashes
// and returns how many it copied.
struct shared_sum shared_set_sum(const struct shared_set *s);
// shared_set_about() is how many there are nearly, with those not kept.
double shared_set_about(const struct shared_set *s);
uint64_t shared_set_list(const struct shared_set *s, uint64_t *out,
                         uint64_t most);

#endif
