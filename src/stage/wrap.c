// The wrapped functions besides memory.  Each asks first whether task code is
// running: then chance and time are a function of actor and message, and the
// process does not end.
#include "base/descriptor.h"
#include "base/hash.h"
#include "base/rng.h"
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

WRAP(int, rand)(void);
WRAP(int, rand)(void)
{
    struct region *r = on_stage();
    return r ? (int)(chance(r) & RAND_MAX) : rand();
}

WRAP(void, srand)(unsigned);
WRAP(void, srand)(unsigned seed)
{
    if (!on_stage())
        srand(seed);
}

WRAP(long, random)(void);
WRAP(long, random)(void)
{
    struct region *r = on_stage();
    return r ? (long)(chance(r) & RAND_MAX) : random();
}

WRAP(void, srandom)(unsigned);
WRAP(void, srandom)(unsigned seed)
{
    if (!on_stage())
        srandom(seed);
}

WRAP(double, drand48)(void);
WRAP(double, drand48)(void)
{
    struct region *r = on_stage();
    return r ? (double)(chance(r) >> 11) * 0x1p-53 : drand48();
}

WRAP(long, lrand48)(void);
WRAP(long, lrand48)(void)
{
    struct region *r = on_stage();
    return r ? (long)(chance(r) & 0x7fffffff) : lrand48();
}

WRAP(long, mrand48)(void);
WRAP(long, mrand48)(void)
{
    struct region *r = on_stage();
    return r ? (long)(int32_t)chance(r) : mrand48();
}

WRAP(void, srand48)(long);
WRAP(void, srand48)(long seed)
{
    if (!on_stage())
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

// ---- time -----------------------------------------------------------------

enum { NOW = 1000000000 }; // when every handler runs, in seconds

WRAP(time_t, time)(time_t *);
WRAP(time_t, time)(time_t *out)
{
    time_t t = on_stage() ? NOW : time(NULL);
    if (out)
        *out = t;
    return t;
}

WRAP(clock_t, clock)(void);
WRAP(clock_t, clock)(void)
{
    return on_stage() ? 0 : clock();
}

WRAP(int, clock_gettime)(clockid_t, struct timespec *);
WRAP(int, clock_gettime)(clockid_t id, struct timespec *t)
{
    if (!on_stage())
        return clock_gettime(id, t);
    *t = (struct timespec){.tv_sec = NOW};
    return 0;
}

WRAP(int, timespec_get)(struct timespec *, int);
WRAP(int, timespec_get)(struct timespec *t, int base)
{
    if (!on_stage())
        return timespec_get(t, base);
    *t = (struct timespec){.tv_sec = NOW};
    return base;
}

WRAP(int, gettimeofday)(struct timeval *, void *);
WRAP(int, gettimeofday)(struct timeval *t, void *zone)
{
    if (!on_stage())
        return gettimeofday(t, zone);
    *t = (struct timeval){.tv_sec = NOW};
    return 0;
}

// ---- the world outside ----------------------------------------------------

WRAP(char *, getenv)(const char *);
WRAP(char *, getenv)(const char *name)
{
    return on_stage() ? NULL : getenv(name);
}

WRAP(char *, secure_getenv)(const char *);
WRAP(char *, secure_getenv)(const char *name)
{
    return on_stage() ? NULL : secure_getenv(name);
}

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

// Standard input is at its end.
// Descriptors of the tool are not there for the program.
static bool is_hidden(int fd)
{
    if (!on_stage() || !descriptor_is_aside(fd))
        return false;
    errno = EBADF;
    return true;
}

WRAP(ssize_t, read)(int, void *, size_t);
WRAP(ssize_t, read)(int fd, void *p, size_t size)
{
    if (is_hidden(fd))
        return -1;
    return on_stage() && fd == 0 ? 0 : read(fd, p, size);
}

WRAP(ssize_t, write)(int, const void *, size_t);
WRAP(ssize_t, write)(int fd, const void *p, size_t size)
{
    if (is_hidden(fd))
        return -1;
    if (!on_stage() || (fd != 1 && fd != 2))
        return write(fd, p, size);
    return (ssize_t)fwrite(p, 1, size, fd == 1 ? stdout : stderr);
}

WRAP(int, close)(int);
WRAP(int, close)(int fd)
{
    return is_hidden(fd) ? -1 : close(fd);
}

WRAP(int, close_range)(unsigned, unsigned, int);
WRAP(int, close_range)(unsigned from, unsigned to, int flags)
{
    if (!on_stage() || !descriptor_is_aside((int)to))
        return close_range(from, to, flags);
    return descriptor_is_aside((int)from)
               ? 0
               : close_range(from, DESCRIPTOR_ASIDE - 1, flags);
}

WRAP(void, closefrom)(int);
WRAP(void, closefrom)(int from)
{
    __wrap_close_range(from < 0 ? 0 : (unsigned)from, INT_MAX, 0);
}

WRAP(int, fflush)(FILE *);
WRAP(int, fflush)(FILE *f)
{
    return on_stage() && !f ? 0 : fflush(f);
}

// ---- the end --------------------------------------------------------------

WRAP(_Noreturn void, abort)(void);
WRAP(_Noreturn void, abort)(void)
{
    if (on_stage())
        bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "abort()");
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
    exit(status);
}

WRAP(_Noreturn void, _exit)(int);
WRAP(_Noreturn void, _exit)(int status)
{
    if (on_stage())
        end(status, "_exit");
    _exit(status);
}

WRAP(_Noreturn void, _Exit)(int);
WRAP(_Noreturn void, _Exit)(int status)
{
    if (on_stage())
        end(status, "_Exit");
    _Exit(status);
}

WRAP(_Noreturn void, quick_exit)(int);
WRAP(_Noreturn void, quick_exit)(int status)
{
    if (on_stage())
        end(status, "quick_exit");
    quick_exit(status);
}

// The handler's process is ours: no signal, and no copy of it.
static _Noreturn void shoot(int number)
{
    const char *name = sigabbrev_np(number);
    bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "%s%s, sent by itself",
            name ? "SIG" : "a signal", name ? name : "");
}

WRAP(int, raise)(int);
WRAP(int, raise)(int number)
{
    if (on_stage() && number)
        shoot(number);
    return raise(number);
}

WRAP(int, kill)(pid_t, int);
WRAP(int, kill)(pid_t pid, int number)
{
    if (!on_stage())
        return kill(pid, number);
    if (pid != __wrap_getpid())
        bug_end(stage_now, BUG_USE, NULL, 0, NULL,
                "kill() of another process in a handler");
    if (number)
        shoot(number);
    return 0;
}

static _Noreturn void split(const char *what)
{
    bug_end(stage_now, BUG_USE, NULL, 0, NULL,
            "%s() in a handler: the copy would go on as a second stage", what);
}

WRAP(pid_t, fork)(void);
WRAP(pid_t, fork)(void)
{
    if (on_stage())
        split("fork");
    return fork();
}

// As fork: a function that returns cannot call vfork for another.
WRAP(pid_t, vfork)(void);
WRAP(pid_t, vfork)(void)
{
    if (on_stage())
        split("vfork");
    return fork();
}

// The C library's own, from its ABI.
_Noreturn void __assert_fail(const char *, const char *, unsigned,
                             const char *);
_Noreturn void __assert_perror_fail(int, const char *, unsigned, const char *);
_Noreturn void __stack_chk_fail(void);

WRAP(_Noreturn void, __assert_fail)
(const char *, const char *, unsigned, const char *);
WRAP(_Noreturn void, __assert_fail)
(const char *what, const char *file, unsigned line, const char *function)
{
    if (on_stage())
        bug_end(stage_now, BUG_ASSERTION, file, (int)line, function,
                "assertion '%s' failed", what);
    __assert_fail(what, file, line, function);
}

WRAP(_Noreturn void, __assert_perror_fail)
(int, const char *, unsigned, const char *);
WRAP(_Noreturn void, __assert_perror_fail)
(int error, const char *file, unsigned line, const char *function)
{
    if (on_stage())
        bug_end(stage_now, BUG_ASSERTION, file, (int)line, function,
                "unexpected error: %s", strerror(error));
    __assert_perror_fail(error, file, line, function);
}

WRAP(_Noreturn void, __stack_chk_fail)(void);
WRAP(_Noreturn void, __stack_chk_fail)(void)
{
    if (on_stage())
        bug_end(stage_now, BUG_CRASH, NULL, 0, NULL, "stack smashed");
    __stack_chk_fail();
}
