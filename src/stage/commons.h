// Memory that all actors can reach: the program's globals, its thread-local
// variables, and what it allocated or mapped before the test (early.h).
//
// A handler must leave it as it found it.  With --shared it may not: then this
// memory is a state of its own, which a run finds and leaves.
#ifndef STAGE_COMMONS_H
#define STAGE_COMMONS_H

#include "stage/native_inner.h"

void commons_open(struct native *n);
void commons_close(struct native *n);
void commons_begin(struct native *n);
// After a handler ran: tell a bug if it changed any of it, and put the old
// values back.
void commons_check(struct native *n);
// Is this a write to memory that is watched?  Let it pass, and remember.
bool commons_fault(struct native *n, uintptr_t address);
// Is it watched, and has a run written to more of it than can be remembered?
bool commons_overrun(const struct native *n, uintptr_t address);

// With --shared: runs from now on find it in this state.
void commons_share(struct native *n, uint32_t shared);
uint32_t commons_first(const struct native *n);
uint32_t commons_now(const struct native *n);

#endif
