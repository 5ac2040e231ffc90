// Time that passes, as the tool measures it.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

// Seconds of this clock.
static inline double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Seconds since some moment in the past; never goes back.
static inline double clock_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

#endif
