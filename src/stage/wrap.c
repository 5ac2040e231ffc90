// The wrapped functions besides memory.  Each asks first whether task code is
// running: then chance and time are a function of actor and message, and the
// process does not end.
#include "base/hash.h"
#include "base/rng.h"
#include "stage/guest.h"
#include "stage/native_inner.h"
#include "stage/verdict.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define WRAP(type, name) TR_API type __wrap_##name

// ---- chance ---------------------------------------------------------------

// A function of the actor, the message and how often it was asked.
static uint64_t chance(struct region *r)
{
    struct native *n = stage_now;
    uint64_t key[3] = {n->actors.at[r->actor].handle, r->running.msg,
                       n->asked_chance++};
    return hash_bytes(key, sizeof key);
}

// After srand() in the same run numbers are those of the C library.
static long random_number(struct region *r)
{
    struct seeded *s = &stage_now->seeded;
    int32_t number;
    if (!s->random)
        return (long)(chance(r) & RAND_MAX);
    random_r(&s->of_random, &number);
    return number;
}

static void seed_random(unsigned seed)
{
    struct seeded *s = &stage_now->seeded;
    memset(&s->of_random, 0, sizeof s->of_random);
    s->random =
        initstate_r(seed, s->state, sizeof s->state, &s->of_random) == 0;
}

WRAP(int, rand)(void);
WRAP(int, rand)(void)
{
    struct region *r = on_stage();
    return r ? (int)random_number(r) : rand();
}

WRAP(void, srand)(unsigned);
WRAP(void, srand)(unsigned seed)
{
    if (on_stage())
        seed_random(seed);
    else
        srand(seed);
}

WRAP(long, random)(void);
WRAP(long, random)(void)
{
    struct region *r = on_stage();
    return r ? random_number(r) : random();
}

WRAP(void, srandom)(unsigned);
WRAP(void, srandom)(unsigned seed)
{
    if (on_stage())
        seed_random(seed);
    else
        srandom(seed);
}

WRAP(double, drand48)(void);
WRAP(double, drand48)(void)
{
    struct region *r = on_stage();
    struct seeded *s = r ? &stage_now->seeded : NULL;
    double number;
    if (!s || !s->rand48)
        return r ? (double)(chance(r) >> 11) * 0x1p-53 : drand48();
    drand48_r(&s->of_rand48, &number);
    return number;
}

WRAP(long, lrand48)(void);
WRAP(long, lrand48)(void)
{
    struct region *r = on_stage();
    struct seeded *s = r ? &stage_now->seeded : NULL;
    long number;
    if (!s || !s->rand48)
        return r ? (long)(chance(r) & 0x7fffffff) : lrand48();
    lrand48_r(&s->of_rand48, &number);
    return number;
}

WRAP(long, mrand48)(void);
WRAP(long, mrand48)(void)
{
    struct region *r = on_stage();
    struct seeded *s = r ? &stage_now->seeded : NULL;
    long number;
    if (!s || !s->rand48)
        return r ? (long)(int32_t)chance(r) : mrand48();
    mrand48_r(&s->of_rand48, &number);
    return number;
}

WRAP(void, srand48)(long);
WRAP(void, srand48)(long seed)
{
    struct seeded *s = on_stage() ? &stage_now->seeded : NULL;
    if (s)
        s->rand48 = srand48_r(seed, &s->of_rand48) == 0;
    else
        srand48(seed);
}

static void fill_chance(struct region *r, void *p, size_t size)
{
    unsigned char *at = p;
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)chance(r);
}

WRAP(ssize_t, getrandom)(void *, size_t, unsigned);
WRAP(ssize_t, getrandom)(void *p, size_t size, unsigned flags)
{
    struct region *r = on_stage();
    if (!r)
        return getrandom(p, size, flags);
    fill_chance(r, p, size);
    return (ssize_t)size;
}

WRAP(int, getentropy)(void *, size_t);
WRAP(int, getentropy)(void *p, size_t size)
{
    return __wrap_getrandom(p, size, 0) == (ssize_t)size ? 0 : -1;
}

WRAP(uint32_t, arc4random)(void);
WRAP(uint32_t, arc4random)(void)
{
    uint32_t n = 0;
    __wrap_getrandom(&n, sizeof n, 0);
    return n;
}

WRAP(uint32_t, arc4random_uniform)(uint32_t);
WRAP(uint32_t, arc4random_uniform)(uint32_t below)
{
    return below ? __wrap_arc4random() % below : 0;
}

// ---- the world outside ----------------------------------------------------

WRAP(pid_t, getpid)(void);
WRAP(pid_t, getpid)(void)
{
    return on_stage() ? 2 : getpid();
}

WRAP(pid_t, getppid)(void);
WRAP(pid_t, getppid)(void)
{
    return on_stage() ? 1 : getppid();
}

WRAP(pid_t, gettid)(void);
WRAP(pid_t, gettid)(void)
{
    return on_stage() ? 2 : gettid();
}

WRAP(int, fflush)(FILE *);
WRAP(int, fflush)(FILE *f)
{
    return on_stage() && !f ? 0 : fflush(f);
}

// ---- the end --------------------------------------------------------------

void guest_ends(const char *how)
{
    if (!on_stage() && guest_host)
        guest_host->ends(guest_host->user, how);
}

WRAP(_Noreturn void, abort)(void);
WRAP(_Noreturn void, abort)(void)
{
    if (on_stage())
        bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "abort()");
    guest_ends("abort");
    abort();
}

static _Noreturn void end(int status, const char *what)
{
    bug_end(stage_now, BUG_EXIT, NULL, 0, NULL, "%s(%d)", what, status);
}

WRAP(_Noreturn void, exit)(int);
WRAP(_Noreturn void, exit)(int status)
{
    if (on_stage())
        end(status, "exit");
    guest_ends("exit");
    exit(status);
}

WRAP(_Noreturn void, _exit)(int);
WRAP(_Noreturn void, _exit)(int status)
{
    if (on_stage())
        end(status, "_exit");
    guest_ends("_exit");
    _exit(status);
}

WRAP(_Noreturn void, _Exit)(int);
WRAP(_Noreturn void, _Exit)(int status)
{
    if (on_stage())
        end(status, "_Exit");
    guest_ends("_Exit");
    _Exit(status);
}

WRAP(_Noreturn void, quick_exit)(int);
WRAP(_Noreturn void, quick_exit)(int status)
{
    if (on_stage())
        end(status, "quick_exit");
    guest_ends("quick_exit");
    quick_exit(status);
}

// The C library's own, from its ABI.
_Noreturn void __stack_chk_fail(void);

WRAP(_Noreturn void, __stack_chk_fail)(void);
WRAP(_Noreturn void, __stack_chk_fail)(void)
{
    if (on_stage())
        bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "stack smashed");
    __stack_chk_fail();
}
