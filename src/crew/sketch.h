// About how many distinct hashes were added, in little memory: HyperLogLog
// (Flajolet et al., AofA 2007).  The standard error is 0.8 %.
//
// Two sketches are joined by taking the larger value of each register.
#ifndef CREW_SKETCH_H
#define CREW_SKETCH_H

#include <stdint.h>

enum { SKETCH_BITS = 14, SKETCH_BYTES = 1 << SKETCH_BITS };

// For each register, the longest run of zeros plus one.  All zero is empty.
struct sketch {
    unsigned char at[SKETCH_BYTES];
};

// The register that a hash belongs to.  *run: the least value that the register
// must have then.
uint32_t sketch_register(uint64_t hash, unsigned char *run);
void sketch_add(struct sketch *s, uint64_t hash);
double sketch_count(const struct sketch *s);

#endif
