// Wrapped functions that read the clock or let time pass.
//
// Logical time has milliseconds.  The clocks of the C library begin at
// different moments, the processor's stand still.
#include "stage/wrap_time.h"

#include "runtime/solo/solo.h"
#include "stage/native_inner.h"
#include "stage/timers.h"

#include <errno.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#define WRAP(type, name) TR_API type __wrap_##name

enum { REAL_S = 1800000000, SINCE_BOOT_S = 1000 }; // when a program begins

// What the logical clock shows, in ms; false if time is real.
static bool clock_shows(uint64_t *ms)
{
    struct region *r = on_stage();
    if (!r)
        return tr__solo_clock(ms);
    *ms = clock_look(stage_now, r);
    return true;
}

bool wrap_sleep(uint64_t ms)
{
    struct region *r = on_stage();
    if (!r)
        return tr__solo_sleep(ms);
    clock_sleep(stage_now, r, ms);
    return true;
}

uint64_t wrap_ms(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * 1000 +
           ((uint64_t)t->tv_nsec + 999999) / 1000000;
}

// Seconds that a clock shows at the beginning; -1: it stands still.
static time_t begins(clockid_t id)
{
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        return REAL_S;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
        return SINCE_BOOT_S;
    }
    return -1;
}

bool wrap_sleep_until(clockid_t id, const struct timespec *t)
{
    uint64_t now, until = wrap_ms(t);
    uint64_t begun = begins(id) < 0 ? 0 : (uint64_t)begins(id) * 1000;
    if (!clock_shows(&now))
        return false;
    if (until > begun + now)
        wrap_sleep(until - begun - now);
    return true;
}

// ---- reading --------------------------------------------------------------

static bool logical(clockid_t id, struct timespec *t)
{
    uint64_t ms;
    if (begins(id) < 0 && on_stage()) {
        *t = (struct timespec){0};
        return true;
    }
    if (begins(id) < 0 || !clock_shows(&ms))
        return false;
    *t = (struct timespec){.tv_sec = begins(id) + (time_t)(ms / 1000),
                           .tv_nsec = (long)(ms % 1000) * 1000000};
    return true;
}

WRAP(time_t, time)(time_t *);
WRAP(time_t, time)(time_t *out)
{
    struct timespec t;
    if (!logical(CLOCK_REALTIME, &t))
        return time(out);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}

WRAP(clock_t, clock)(void);
WRAP(clock_t, clock)(void)
{
    return on_stage() ? 0 : clock();
}

WRAP(int, clock_gettime)(clockid_t, struct timespec *);
WRAP(int, clock_gettime)(clockid_t id, struct timespec *t)
{
    return logical(id, t) ? 0 : clock_gettime(id, t);
}

WRAP(int, timespec_get)(struct timespec *, int);
WRAP(int, timespec_get)(struct timespec *t, int base)
{
    return base == TIME_UTC && logical(CLOCK_REALTIME, t)
               ? base
               : timespec_get(t, base);
}

WRAP(int, gettimeofday)(struct timeval *, void *);
WRAP(int, gettimeofday)(struct timeval *t, void *zone)
{
    struct timespec now;
    if (!logical(CLOCK_REALTIME, &now))
        return gettimeofday(t, zone);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

// ---- sleeping -------------------------------------------------------------

WRAP(unsigned, sleep)(unsigned);
WRAP(unsigned, sleep)(unsigned s)
{
    return wrap_sleep(s * UINT64_C(1000)) ? 0 : sleep(s);
}

WRAP(int, usleep)(useconds_t);
WRAP(int, usleep)(useconds_t us)
{
    return wrap_sleep((us + UINT64_C(999)) / 1000) ? 0 : usleep(us);
}

WRAP(int, nanosleep)(const struct timespec *, struct timespec *);
WRAP(int, nanosleep)(const struct timespec *t, struct timespec *left)
{
    return wrap_sleep(wrap_ms(t)) ? 0 : nanosleep(t, left);
}

WRAP(int, clock_nanosleep)
(clockid_t, int, const struct timespec *, struct timespec *);
WRAP(int, clock_nanosleep)
(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    bool done = flags & TIMER_ABSTIME ? wrap_sleep_until(id, t)
                                      : wrap_sleep(wrap_ms(t));
    return done ? 0 : clock_nanosleep(id, flags, t, left);
}

WRAP(int, thrd_sleep)(const struct timespec *, struct timespec *);
WRAP(int, thrd_sleep)(const struct timespec *t, struct timespec *left)
{
    return wrap_sleep(wrap_ms(t)) ? 0 : thrd_sleep(t, left);
}
