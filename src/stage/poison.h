// A run in which memory that nobody may read holds other bytes.
//
// When a run is repeated (recheck.h), free memory of the actor's heap is
// poisoned, and the message lies elsewhere than usual.  A handler that reads a
// block that was freed or sent, past the end of one, or a message that an
// earlier handler kept a pointer to, then does something else.
#ifndef STAGE_POISON_H
#define STAGE_POISON_H

#include "stage/native_inner.h"

// The actor's image lies in r and is about to run; it has run.
void poison_begin(struct native *n, struct region *r);
void poison_end(struct native *n, struct region *r);

// Where a message of this size is put, instead of `usual`; NULL: there.
unsigned char *poison_place(struct native *n, struct region *r,
                            unsigned char *usual, size_t size, size_t align);
// A block for a large message, NULL without room.
void *poison_large(struct native *n, struct region *r, size_t size,
                   size_t align);
// Pointers into the message, made those that they would usually be.
void poison_unmove(const struct native *n, unsigned char *at, size_t size);

// All bytes of blocks that were freed or sent, as far as nobody has them again.
void poison_freed(struct native *n, const struct heap *h, int value);
// Has a piece of free memory been written to?  It is zero or poison all over.
bool poison_dirty(const unsigned char *at, size_t size);

#endif
