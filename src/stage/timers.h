// An actor's time: its timers, which of them may be the next to fire, and what
// the clock shows.
//
// What is known of the times is part of the state as a list of bounds.  A run
// that has to do with time unfolds the list to work with it, and folds it when
// it ends.  In programs that look at the clock the origin of the clock is among
// the moments.
//
// A timer that is set again and again, or by every(), fires as often as the
// bound on ticks says, and then rests.  A resting timer is still pending:
// timers that are certainly due after it do not fire either.  Only engines do
// not let it fire.  So engines see what a real run could show up to then.
#ifndef STAGE_TIMERS_H
#define STAGE_TIMERS_H

#include "stage/native_inner.h"

enum { TIMERS_MOST = BOUNDS_WIDE - BOUNDS_TIMERS }; // of one actor

// Set a timer.  Returns its name, 0 if the actor has too many.  to, msg and
// every as in struct timer.
uint64_t timer_set(struct native *n, struct region *r, uint64_t ms, uint64_t to,
                   uint64_t msg, uint64_t every);
// Take a timer away; false if there is none of this name.
bool timer_remove(struct region *r, uint64_t name);
// Fire the k-th of those that may be the next, also one that rests; false if
// there are fewer.  One that is set by every() is set again.
bool timer_fire(struct native *n, struct region *r, uint32_t k,
                struct timer *out);

// The run looks at the clock: milliseconds since the origin.
uint64_t clock_look(struct native *n, struct region *r);
// ms pass in the run.
void clock_sleep(struct native *n, struct region *r, uint64_t ms);

// Fold the bounds, before the state is saved.
void timers_fold(struct region *r);

// The bounds of a state as they lie in its image.
struct folded {
    const struct bound *at;
    const struct timer *timers;
    uint32_t n, origin; // timers; 1: the first row and column are the origin's
    uint32_t ticks;     // the bound on them, 0: none
};

struct folded folded_of(const struct native *n, const struct bound *at,
                        uint32_t n_bounds, const struct timer *timers,
                        uint32_t n_timers);
// The k-th timer of those that may be the next to fire, by its place among all,
// n if there are fewer.  Those that rest come last.
uint32_t timers_nth(const struct folded *f, uint32_t k);
// What state flags say of pending timers.
uint32_t timers_flags(const struct folded *f);
// The one that is next if no time passes between receives; n > 0.
uint32_t timers_soonest(const struct folded *f);
// How long after the last receive timer i is due at most.
int64_t timer_after(const struct folded *f, uint32_t i);

#endif
