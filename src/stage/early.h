// Memory that the program had before any test began: what its constructors and
// global objects allocated or mapped.
//
// Their blocks come from a heap at a fixed address of its own, so that they can
// be told from the C library's; a block that is too large for it is a mapping.
// All actors can reach this memory: see commons.h.
#ifndef STAGE_EARLY_H
#define STAGE_EARLY_H

#include "base/vec.h"
#include "program/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Does the program start?  Then memory is asked for here.
bool early_now(void);
// As memalign, for the code at `caller`; NULL if the C library shall do it.
void *early_get(size_t size, size_t align, uintptr_t caller);
// Is this a block of ours?  Then early_put frees it; early_size is its size.
bool early_has(const void *p);
void early_put(void *p);
size_t early_size(const void *p);
// The program starts and has mapped this.
void early_mapped(void *at, size_t size);

typedef VEC(struct range) early_ranges;
// Add all of this memory that can be read and written, in order of addresses.
void early_each(early_ranges *to);

// What lies at an address of this memory.
struct early_block {
    uintptr_t at;
    size_t size;
    uintptr_t caller; // of the call that allocated it, 0: it was mapped
};
struct early_block early_block(uintptr_t address);

#endif
