// What an actor knows of time: bounds on the differences between moments.
//
// A message may take any time and a handler may be late, so between two
// receives any time may pass.  A timer never fires before its due time; of one
// actor they fire by due time, at equal ones in the order they were set.
// Nothing else is known.
//
// The moments are the actor's present (which never goes back), the origin of
// its clock, and the due times of its pending timers in the order of setting.
// at(x, y) is the least c for which x - y <= c, in milliseconds, follows from
// what is known: the matrix is always closed (shortest paths).  Moments about
// which nothing is known have no influence.
#ifndef RUNTIME_BOUNDS_H
#define RUNTIME_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOUNDS_NONE (INT64_MAX / 4) // no bound is known

// Durations above this are cut to it: 35,000 years.
#define BOUNDS_MOST (INT64_C(1) << 50)

enum { BOUNDS_NOW, BOUNDS_ORIGIN, BOUNDS_TIMERS }; // the first timer's moment

// The memory is the caller's: `room` rows of `room` numbers.
struct bounds {
    int64_t *at;
    uint32_t room, n; // n moments are in use
};

static inline int64_t *tr__bound(const struct bounds *b, uint32_t x, uint32_t y)
{
    return &b->at[(size_t)x * b->room + y];
}

// No timers, and nothing known of the present.  room is at least 2.
void tr__bounds_init(struct bounds *b, int64_t *at, uint32_t room);
// Move to larger memory; at is not the old one.
void tr__bounds_move(struct bounds *b, int64_t *at, uint32_t room);

// From now on x - y <= ms.  Must not contradict what is known.
void tr__bounds_limit(struct bounds *b, uint32_t x, uint32_t y, int64_t ms);
// Any time may pass before the next receive.
void tr__bounds_pass(struct bounds *b);
// Exactly ms pass.
void tr__bounds_sleep(struct bounds *b, uint64_t ms);
// A new moment, ms after the present.  There is room for it.
uint32_t tr__bounds_add(struct bounds *b, uint64_t ms);
void tr__bounds_remove(struct bounds *b, uint32_t x);

// May the timer with this moment be the next to fire?  Time may pass before.
bool tr__bounds_first(const struct bounds *b, uint32_t x);
// It fires now; the moment stays.
void tr__bounds_fire(struct bounds *b, uint32_t x);
// The timer has fired and is set again, just now.  Due times that passed before
// it fired are left out.  So the new one is at least ms after its last due
// time, after the present, and at most ms after the present.
void tr__bounds_again(struct bounds *b, uint32_t x, uint64_t ms);

// Timers that are set again keep pace if the difference of their first due
// times is known: modulo the common measure of their periods it stays, whatever
// was left out.
struct pace {
    uint16_t group; // of timers that keep pace with each other; 0: none
    uint16_t fired; // 0: not yet
    int64_t phase;  // how much its first due time is after that of the first
    uint64_t every;
};
// The pace of timer x, just set, if timer y has this one; false if nothing is
// known of it.
bool tr__bounds_pace(const struct bounds *b, uint32_t x, uint32_t y,
                     const struct pace *of_y, struct pace *of_x);
// x was just set again; y, which keeps pace with it, is pending.
void tr__bounds_keep_pace(struct bounds *b, uint32_t x, uint32_t y,
                          const struct pace *of_x, const struct pace *of_y);

// The earliest that the present can be, in time since the origin.
static inline int64_t tr__bounds_now(const struct bounds *b)
{
    return -*tr__bound(b, BOUNDS_ORIGIN, BOUNDS_NOW);
}

#endif
