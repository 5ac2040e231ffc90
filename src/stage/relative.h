// Hashes of states and messages relative to a clock.
//
// Two that are the same but for a shift of all times have equal hashes.  Times
// are the bounds of timers, and numbers of type tr_time in structs and messages
// that are not 0.
#ifndef STAGE_RELATIVE_H
#define STAGE_RELATIVE_H

#include "stage/native_inner.h"

// play_ops.state_hash and message_hash.
struct digest native_state_hash(void *self, uint32_t state, uint64_t clock);
struct digest native_message_hash(void *self, uint32_t msg, uint64_t clock);

// play_ops.final_hash
struct digest native_final_hash(void *self, uint32_t state, uint64_t clock);

// With clocks of their own: relative to what the actor's clock shows.
struct digest own_hash(struct native *n, uint32_t state);

#endif
