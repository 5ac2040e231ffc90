// An actor's timers, and which of them may be the next to fire.
//
// What is known of their times is part of the state as a list of bounds.  A run
// that sets, cancels or fires a timer unfolds the list to work with it, and
// folds it when it ends.
#ifndef STAGE_TIMERS_H
#define STAGE_TIMERS_H

#include "stage/native_inner.h"

enum { TIMERS_MOST = BOUNDS_WIDE - BOUNDS_TIMERS }; // of one actor

// Set one; its name, 0 if the actor has too many.  to and msg as in struct
// timer.
uint64_t timer_set(struct native *n, struct region *r, uint64_t ms, uint64_t to,
                   uint64_t msg);
// Take a timer away; false if there is none of this name.
bool timer_remove(struct region *r, uint64_t name);
// Fire the k-th of those that may be the next; false if there are fewer.
bool timer_fire(struct region *r, uint32_t k, struct timer *out);
// So much time passes in the run.
void timers_sleep(struct region *r, uint64_t ms);

// Fold the bounds, before the state is saved.
void timers_fold(struct region *r);
// How many may be the next to fire: n timers, folded.
uint32_t timers_ready(const struct bound *folded, uint32_t n);
// The k-th of them, by its place among all; n if there are fewer.
uint32_t timers_nth(const struct bound *folded, uint32_t n, uint32_t k);
// The one that is next if no time passes between receives; n > 0.
uint32_t timers_soonest(const struct bound *folded, uint32_t n);

#endif
