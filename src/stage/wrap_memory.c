// Memory for the program under test: malloc and its kin, and functions whose
// result the caller frees.  In task code it comes from the region of the actor
// that runs; while the program starts, from a heap apart (early.h); elsewhere
// it is the C library's.
#include "stage/wrap_memory.h"

#include "stage/check.h"
#include "stage/guest.h"
#include "stage/early.h"
#include "stage/native_inner.h"
#include "stage/verdict.h"

#include <errno.h>
#include <malloc.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define WRAP(type, name) TR_API type __wrap_##name

// ---- blocks ---------------------------------------------------------------

// More memory than a process can have: a request for it fails in every run.
#define MEMORY_MOST ((size_t)1 << 47)

static _Noreturn void no_room(size_t size)
{
    bug_end(stage_now, BUG_LIMIT, NULL, 0, NULL,
            "%zu bytes are asked for: an actor has %zu at most on the stage, "
            "and they are part of its state: explore a smaller one",
            size, heap_most(USER_ROOM));
}

static void *get(struct region *r, size_t size, size_t align, uintptr_t caller)
{
    struct native *n = stage_now;
    heap_get_fn *from = n->scattered ? heap_get_scattered : heap_get;
    void *p = size > MEMORY_MOST ? NULL
                                 : from(region_heap(r), USER_ROOM, size, align);
    r->head.heaps |= 1;
    if (!p && size <= MEMORY_MOST)
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

// The size of the block at p with its fence.  A verdict if p is not a block of
// this actor's that lives.  0 if p is neither on the stage nor in the program:
// a library's own.
static size_t own_block(struct region *r, const void *p, const char *what)
{
    struct native *n = stage_now;
    struct heap *h = region_heap(r);
    size_t whole = heap_whole(h, USER_ROOM, p);
    if (whole && !heap_fenced(p, whole))
        check_block(n, r, p);
    if (whole)
        return whole;
    if (heap_in(h, USER_ROOM, p))
        bug_end(n, BUG_CRASH, NULL, 0, NULL,
                "%s of a block that is not live (freed twice?)", what);
    if (in_regions((uintptr_t)p))
        bug_end(n, BUG_ISOLATION, NULL, 0, NULL,
                "%s of memory that is not this actor's heap", what);
    if ((uintptr_t)p - n->program->image.from <
        n->program->image.to - n->program->image.from)
        bug_end(n, BUG_CRASH, NULL, 0, NULL,
                "%s of a variable, which is not an allocated block", what);
    return 0;
}

static bool guest_has(const void *p)
{
    return guest_host && p && guest_host->owns(guest_host->user, p);
}

static void *guest_get(size_t size, size_t align)
{
    void *p = size > MEMORY_MOST
                  ? NULL
                  : guest_host->get(guest_host->user, size, align);
    if (!p)
        errno = ENOMEM;
    return p;
}

// Does memory run out at this call?  An environment that lets it run out
// answers for each allocation of the program.
static bool refused(void)
{
    struct native *n = on_stage() ? stage_now : NULL;
    bool no = n ? n->alloc_fails && stage_pick(n, 2)
                : guest_host && guest_host->refuses &&
                      guest_host->refuses(guest_host->user);
    if (no)
        errno = ENOMEM;
    return no;
}

void *memory_get(size_t size, size_t align, uintptr_t caller)
{
    struct region *r = on_stage();
    if (r)
        return get_unset(r, size, align, caller);
    if (guest_host)
        return guest_get(size, align);
    void *p = early_now() ? early_get(size, align, caller) : NULL;
    return p ? p : align > 16 ? memalign(align, size) : malloc(size);
}

// The block is the program's no more.
static void give_back(struct region *r, void *p, size_t whole, uintptr_t caller)
{
    check_freed(stage_now, r, p, whole, caller, false);
    heap_put_whole(region_heap(r), USER_ROOM, p, whole);
}

void memory_put(void *p, const char *what, uintptr_t caller)
{
    struct region *r = on_stage();
    if (!r && guest_has(p))
        guest_host->put(guest_host->user, p);
    else if (!r && early_has(p))
        early_put(p);
    else if (!r)
        free(p);
    if (!r)
        return;
    // what a library allocated for itself may be wanted by another run
    size_t whole = p ? own_block(r, p, what) : 0;
    if (whole)
        give_back(r, p, whole, caller);
}

WRAP(void *, malloc)(size_t);
WRAP(void *, malloc)(size_t size)
{
    return refused() ? NULL : memory_get(size, 16, MEMORY_CALLER);
}

WRAP(void *, calloc)(size_t, size_t);
WRAP(void *, calloc)(size_t n, size_t size)
{
    struct region *r = on_stage();
    size_t all;
    if (refused())
        return NULL;
    if (__builtin_mul_overflow(n, size, &all))
        all = SIZE_MAX;
    if (r)
        return get(r, all, 16, MEMORY_CALLER);
    if (guest_host)
        return guest_get(all, 16);
    void *p = early_now() ? early_get(all, 16, MEMORY_CALLER) : NULL;
    return p ? p : calloc(n, size);
}

WRAP(void, free)(void *);
WRAP(void, free)(void *p)
{
    memory_put(p, "free", MEMORY_CALLER);
}

WRAP(void, cfree)(void *);
WRAP(void, cfree)(void *p)
{
    memory_put(p, "cfree", MEMORY_CALLER);
}

static void *change(struct region *r, void *p, size_t size, uintptr_t caller)
{
    struct heap *h = region_heap(r);
    size_t whole = own_block(r, p, "realloc");
    if (!whole)
        bug_end(stage_now, BUG_USE, NULL, 0, NULL,
                "realloc of a block that this program did not allocate");
    if (!size) {
        give_back(r, p, whole, caller);
        return NULL;
    }
    size_t old = heap_asked(p, whole);
    if (heap_resize(h, USER_ROOM, p, size))
        return p;
    void *q = get_unset(r, size, 16, caller);
    if (q) {
        memcpy(q, p, old < size ? old : size);
        give_back(r, p, whole, caller);
    }
    return q;
}

static void *change_guest(void *p, size_t size)
{
    size_t old = guest_host->size(guest_host->user, p);
    void *q = size ? guest_get(size, 16) : NULL;
    if (q)
        memcpy(q, p, old < size ? old : size);
    if (q || !size)
        guest_host->put(guest_host->user, p);
    return q;
}

// Of a block that the program allocated when it started.
static void *change_early(void *p, size_t size, uintptr_t caller)
{
    size_t old = early_size(p);
    void *q = size ? memory_get(size, 16, caller) : NULL;
    if (q)
        memcpy(q, p, old < size ? old : size);
    if (q || !size)
        early_put(p);
    return q;
}

WRAP(void *, realloc)(void *, size_t);
WRAP(void *, realloc)(void *p, size_t size)
{
    struct region *r = on_stage();
    if ((!p || size) && refused())
        return NULL;
    if (!p)
        return memory_get(size, 16, MEMORY_CALLER);
    if (r)
        return change(r, p, size, MEMORY_CALLER);
    if (guest_has(p))
        return change_guest(p, size);
    return early_has(p) ? change_early(p, size, MEMORY_CALLER)
                        : realloc(p, size);
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
    return refused() ? NULL : memory_get(size, align, MEMORY_CALLER);
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
    if (!r && guest_has(p))
        return guest_host->size(guest_host->user, p);
    if (!r)
        return early_has(p) ? early_size(p) : malloc_usable_size(p);
    return p ? heap_asked(p, own_block(r, p, "malloc_usable_size")) : 0;
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
    size_t n = 0;
    int c = EOF;
    if (!on_stage() && !early_now() && !early_has(*line))
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
        bug_end(stage_now, BUG_LIMIT, NULL, 0, NULL,
                "open_memstream() in a handler is not supported");
    return open_memstream(out, size);
}

// Nodes are the C library's own memory.
WRAP(void *, tsearch)
(const void *, void **, int (*)(const void *, const void *));
WRAP(void *, tsearch)
(const void *key, void **root, int (*order)(const void *, const void *))
{
    if (on_stage())
        bug_end(stage_now, BUG_LIMIT, NULL, 0, NULL,
                "tsearch() in a handler is not supported");
    return tsearch(key, root, order);
}
