// What is looked at after a run: heap, payloads, states.
#ifndef STAGE_CHECK_H
#define STAGE_CHECK_H

#include "stage/native_inner.h"

// After task code ran: a write past the end of a block counts as a crash of the
// task.  check_block: the same for one block that is known to be damaged; ends
// the task.
void check_heap(struct native *n, struct region *r);
_Noreturn void check_block(struct native *n, const struct region *r,
                           const void *block);
// A block of the program's heap is about to be freed, or sent to another actor,
// by the call before `caller`.
void check_freed(struct native *n, void *block, size_t size, uintptr_t caller,
                 bool sent);
// A payload that is about to be sent.
void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size, size_t align, const unsigned char *mask);
// The state an actor was left in: does it hold addresses of other actors?
void check_state(struct native *n, const struct region *r);

#endif
