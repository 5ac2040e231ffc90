// The wrapped functions.  Each asks first whether task code is running: then
// memory comes from the region of the actor that runs, chance and time are a
// function of actor and message, and the process does not end.
#include "base/hash.h"
#include "base/rng.h"
#include "stage/native_inner.h"
#include "stage/check.h"
#include "stage/verdict.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define WRAP(type, name) TR_API type __wrap_##name

// ---- memory ---------------------------------------------------------------

// The calls have no context argument; whom they serve is told by this address.
#define CALLER ((uintptr_t)__builtin_return_address(0))

static _Noreturn void no_room(size_t size)
{
    bug_end(stage_now, BUG_USE, NULL, 0, NULL,
            "%zu bytes are asked for: an actor has %zu at most on the stage, "
            "and they are part of its state: explore a smaller one",
            size, heap_most(USER_ROOM));
}

static void *get(struct region *r, size_t size, size_t align, uintptr_t caller)
{
    struct native *n = stage_now;
    void *p = size > PTRDIFF_MAX
                  ? NULL
                  : heap_get(region_heap(r), USER_ROOM, size, align);
    r->head.heaps |= 1;
    if (!p && size <= PTRDIFF_MAX)
        no_room(size);
    if (p)
        vec_push(&n->fresh, ((struct fresh){p, caller}));
    else
        errno = ENOMEM;
    return p;
}

// The same, with contents that nobody may count on.
static void *get_unset(struct region *r, size_t size, size_t align,
                       uintptr_t caller)
{
    void *p = get(r, size, align, caller);
    if (p && stage_now->fill)
        memset(p, 0x55, size);
    return p;
}

// A verdict if p is not a block of this actor's that lives.  False if p is
// neither on the stage nor in the program: a library's own.
static bool own_block(struct region *r, const void *p, const char *what)
{
    struct native *n = stage_now;
    struct heap *h = region_heap(r);
    enum heap_is is = heap_is(h, USER_ROOM, p);
    if (is == HEAP_DAMAGED)
        check_block(n, r, p);
    if (is == HEAP_BLOCK)
        return true;
    if (heap_in(h, USER_ROOM, p))
        bug_end(n, BUG_CRASH, NULL, 0, NULL,
                "%s of a block that is not live (freed twice?)", what);
    if (in_regions((uintptr_t)p))
        bug_end(n, BUG_ISOLATION, NULL, 0, NULL,
                "%s of memory that is not this actor's heap", what);
    if ((uintptr_t)p - n->program->image.from <
        n->program->image.to - n->program->image.from)
        bug_end(n, BUG_CRASH, NULL, 0, NULL,
                "%s of a variable, which is no allocated block", what);
    return false;
}

WRAP(void *, malloc)(size_t);
WRAP(void *, malloc)(size_t size)
{
    struct region *r = on_stage();
    return r ? get_unset(r, size, 16, CALLER) : malloc(size);
}

WRAP(void *, calloc)(size_t, size_t);
WRAP(void *, calloc)(size_t n, size_t size)
{
    struct region *r = on_stage();
    size_t all;
    if (!r)
        return calloc(n, size);
    if (__builtin_mul_overflow(n, size, &all))
        all = SIZE_MAX;
    return get(r, all, 16, CALLER);
}

WRAP(void, free)(void *);
WRAP(void, free)(void *p)
{
    struct region *r = on_stage();
    if (!r) {
        free(p);
        return;
    }
    // what a library allocated for itself may be wanted by another run
    if (p && own_block(r, p, "free"))
        heap_put(region_heap(r), USER_ROOM, p);
}

WRAP(void, cfree)(void *);
WRAP(void, cfree)(void *p)
{
    __wrap_free(p);
}

static void *change(struct region *r, void *p, size_t size, uintptr_t caller)
{
    struct heap *h = region_heap(r);
    if (!own_block(r, p, "realloc"))
        bug_end(stage_now, BUG_USE, NULL, 0, NULL,
                "realloc of a block that this program did not allocate");
    if (!size) {
        heap_put(h, USER_ROOM, p);
        return NULL;
    }
    size_t old = heap_size(h, USER_ROOM, p);
    if (heap_resize(h, USER_ROOM, p, size))
        return p;
    void *q = get_unset(r, size, 16, caller);
    if (q) {
        memcpy(q, p, old < size ? old : size);
        heap_put(h, USER_ROOM, p);
    }
    return q;
}

WRAP(void *, realloc)(void *, size_t);
WRAP(void *, realloc)(void *p, size_t size)
{
    struct region *r = on_stage();
    if (!r)
        return realloc(p, size);
    return p ? change(r, p, size, CALLER) : get_unset(r, size, 16, CALLER);
}

WRAP(void *, reallocarray)(void *, size_t, size_t);
WRAP(void *, reallocarray)(void *p, size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return __wrap_realloc(p, all);
}

WRAP(void *, memalign)(size_t, size_t);
WRAP(void *, memalign)(size_t align, size_t size)
{
    struct region *r = on_stage();
    return r ? get_unset(r, size, align, CALLER) : memalign(align, size);
}

WRAP(void *, aligned_alloc)(size_t, size_t);
WRAP(void *, aligned_alloc)(size_t align, size_t size)
{
    return __wrap_memalign(align, size);
}

WRAP(int, posix_memalign)(void **, size_t, size_t);
WRAP(int, posix_memalign)(void **p, size_t align, size_t size)
{
    void *q = __wrap_memalign(align, size);
    if (!q)
        return ENOMEM;
    *p = q;
    return 0;
}

WRAP(size_t, malloc_usable_size)(void *);
WRAP(size_t, malloc_usable_size)(void *p)
{
    struct region *r = on_stage();
    if (!r)
        return malloc_usable_size(p);
    return p && own_block(r, p, "malloc_usable_size")
               ? heap_size(region_heap(r), USER_ROOM, p)
               : 0;
}

// ---- results the caller frees ---------------------------------------------

static char *copy_text(const char *s, size_t n)
{
    char *p = __wrap_malloc(n + 1);
    if (p) {
        memcpy(p, s, n);
        p[n] = '\0';
    }
    return p;
}

WRAP(char *, strdup)(const char *);
WRAP(char *, strdup)(const char *s)
{
    return copy_text(s, strlen(s));
}

WRAP(char *, __strdup)(const char *);
WRAP(char *, __strdup)(const char *s)
{
    return copy_text(s, strlen(s));
}

WRAP(char *, strndup)(const char *, size_t);
WRAP(char *, strndup)(const char *s, size_t n)
{
    return copy_text(s, strnlen(s, n));
}

WRAP(char *, __strndup)(const char *, size_t);
WRAP(char *, __strndup)(const char *s, size_t n)
{
    return copy_text(s, strnlen(s, n));
}

WRAP(wchar_t *, wcsdup)(const wchar_t *);
WRAP(wchar_t *, wcsdup)(const wchar_t *s)
{
    size_t size = (wcslen(s) + 1) * sizeof *s;
    wchar_t *p = __wrap_malloc(size);
    return p ? memcpy(p, s, size) : NULL;
}

WRAP(int, vasprintf)
(char **, const char *, va_list) __attribute__((format(printf, 2, 0)));
WRAP(int, vasprintf)(char **out, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *p = n < 0 ? NULL : __wrap_malloc((size_t)n + 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    *out = p;
    return p ? n : -1;
}

WRAP(int, __vasprintf_chk)
(char **, int, const char *, va_list) __attribute__((format(printf, 3, 0)));
WRAP(int, __vasprintf_chk)
(char **out, int flag, const char *format, va_list args)
{
    (void)flag;
    return __wrap_vasprintf(out, format, args);
}

WRAP(int, asprintf)
(char **, const char *, ...) __attribute__((format(printf, 2, 3)));
WRAP(int, asprintf)(char **out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __wrap_vasprintf(out, format, args);
    va_end(args);
    return n;
}

WRAP(int, __asprintf_chk)
(char **, int, const char *, ...) __attribute__((format(printf, 3, 4)));
WRAP(int, __asprintf_chk)(char **out, int flag, const char *format, ...)
{
    va_list args;
    (void)flag;
    va_start(args, format);
    int n = __wrap_vasprintf(out, format, args);
    va_end(args);
    return n;
}

WRAP(ssize_t, getdelim)(char **, size_t *, int, FILE *);
WRAP(ssize_t, getdelim)(char **line, size_t *size, int delimiter, FILE *from)
{
    struct region *r = on_stage();
    size_t n = 0;
    int c = EOF;
    if (!r)
        return getdelim(line, size, delimiter, from);
    while (c != delimiter && (c = getc(from)) != EOF) {
        if (!*line || n + 2 > *size) {
            size_t more = *line ? 2 * *size + 2 : 128;
            char *p = __wrap_realloc(*line, more);
            if (!p)
                return -1;
            *line = p;
            *size = more;
        }
        (*line)[n++] = (char)c;
    }
    if (!n)
        return -1;
    (*line)[n] = '\0';
    return (ssize_t)n;
}

WRAP(ssize_t, __getdelim)(char **, size_t *, int, FILE *);
WRAP(ssize_t, __getdelim)(char **line, size_t *size, int delimiter, FILE *from)
{
    return __wrap_getdelim(line, size, delimiter, from);
}

WRAP(ssize_t, getline)(char **, size_t *, FILE *);
WRAP(ssize_t, getline)(char **line, size_t *size, FILE *from)
{
    return __wrap_getdelim(line, size, '\n', from);
}

// The C library's block becomes one of ours.
static char *own(char *p)
{
    char *q = p && on_stage() ? copy_text(p, strlen(p)) : p;
    if (q != p)
        free(p);
    return q;
}

WRAP(char *, realpath)(const char *, char *);
WRAP(char *, realpath)(const char *path, char *out)
{
    char *p = realpath(path, out);
    return out ? p : own(p);
}

WRAP(char *, getcwd)(char *, size_t);
WRAP(char *, getcwd)(char *out, size_t size)
{
    char *p = getcwd(out, size);
    return out ? p : own(p);
}

WRAP(FILE *, open_memstream)(char **, size_t *);
WRAP(FILE *, open_memstream)(char **out, size_t *size)
{
    if (on_stage())
        bug_end(stage_now, BUG_USE, NULL, 0, NULL,
                "open_memstream in a handler is not supported");
    return open_memstream(out, size);
}

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
WRAP(ssize_t, read)(int, void *, size_t);
WRAP(ssize_t, read)(int fd, void *p, size_t size)
{
    return on_stage() && fd == 0 ? 0 : read(fd, p, size);
}

WRAP(ssize_t, write)(int, const void *, size_t);
WRAP(ssize_t, write)(int fd, const void *p, size_t size)
{
    if (!on_stage() || (fd != 1 && fd != 2))
        return write(fd, p, size);
    return (ssize_t)fwrite(p, 1, size, fd == 1 ? stdout : stderr);
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
