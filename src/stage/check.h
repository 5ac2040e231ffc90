// What is looked at after a run: heap, payloads, states.
#ifndef STAGE_CHECK_H
#define STAGE_CHECK_H

#include "stage/native_inner.h"
#include "stage/raw.h"

// After task code ran: a write past the end of the actor's struct counts as a
// crash of the task.
void check_struct(struct native *n, struct region *r);
// After task code ran: a write past the end of a block counts as a crash of the
// task.  check_block: the same for one block that is known to be damaged; ends
// the task.
void check_heap(struct native *n, struct region *r);
// Both, where there may be something to find: mostly there is not.
static inline void check_writes(struct native *n, struct region *r)
{
    _Static_assert(STRUCT_FENCE == 64, "eight words");
    if (!raw_zero64(region_fence(r)))
        check_struct(n, r);
    if (r->head.heaps & 1 || r->freed)
        check_heap(n, r);
}
_Noreturn void check_block(struct native *n, const struct region *r,
                           const void *block);
// A block of the program's heap, of `whole` bytes with its fence, is about to
// be freed, or sent to another actor, by the call before `caller`.
void check_freed(struct native *n, struct region *r, void *block, size_t whole,
                 uintptr_t caller, bool sent);
// "use after free: read a block of 4 bytes that was freed at bank.c:12"
void check_describe_use(const struct native *n, const struct freed *f,
                        const char *did, struct text *to);
// A payload that is about to be sent.
void check_payload(struct native *n, const char *type, const void *payload,
                   size_t size, size_t align, const unsigned char *mask);
// The state an actor was left in: does it hold addresses of other actors?
void check_state(struct native *n, const struct region *r);

#endif
