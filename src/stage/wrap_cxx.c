// C++: operator new and delete in all their forms, and the clocks.
//
// These are not renamed at link time but replaced, as a C++ program may do it
// for itself: the C++ library's own calls (std::string is compiled into it)
// must find them, too.  In the tool they come before the C++ library's in the
// order of lookup; in a test binary they are part of the executable.  They are
// weak: replacements of the program's own win there.
//
// Outside of task code the next definition in line is called, if there is one,
// but for blocks of a program that starts (early.h).
//
// All arguments are words in registers.  So every form is written with as many
// as the longest has, and those that it lacks are handed on unread.
#include "stage/early.h"
#include "stage/native_inner.h"
#include "stage/wrap_memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

const char wrap_cxx_here;

// Name, and alignment: the second argument, or that of malloc.
#define NEWS(X)                                                                \
    X(_Znwm, 16)                                                               \
    X(_Znam, 16)                                                               \
    X(_ZnwmRKSt9nothrow_t, 16)                                                 \
    X(_ZnamRKSt9nothrow_t, 16)                                                 \
    X(_ZnwmSt11align_val_t, a)                                                 \
    X(_ZnamSt11align_val_t, a)                                                 \
    X(_ZnwmSt11align_val_tRKSt9nothrow_t, a)                                   \
    X(_ZnamSt11align_val_tRKSt9nothrow_t, a)
#define DELETES(X)                                                             \
    X(_ZdlPv)                                                                  \
    X(_ZdaPv)                                                                  \
    X(_ZdlPvm)                                                                 \
    X(_ZdaPvm)                                                                 \
    X(_ZdlPvRKSt9nothrow_t)                                                    \
    X(_ZdaPvRKSt9nothrow_t)                                                    \
    X(_ZdlPvSt11align_val_t)                                                   \
    X(_ZdaPvSt11align_val_t)                                                   \
    X(_ZdlPvmSt11align_val_t)                                                  \
    X(_ZdaPvmSt11align_val_t)                                                  \
    X(_ZdlPvSt11align_val_tRKSt9nothrow_t)                                     \
    X(_ZdaPvSt11align_val_tRKSt9nothrow_t)

typedef void *new_fn(size_t, uintptr_t, uintptr_t);
typedef void delete_fn(void *, uintptr_t, uintptr_t);

enum form {
#define NEW_(name, align) FORM##name,
#define DELETE_(name) FORM##name,
    NEWS(NEW_) DELETES(DELETE_)
#undef NEW_
#undef DELETE_
        FORMS_N
};

static const char *const names[FORMS_N] = {
#define NEW_(name, align) #name,
#define DELETE_(name) #name,
    NEWS(NEW_) DELETES(DELETE_)
#undef NEW_
#undef DELETE_
};

// Programs that the tool has loaded have a C++ library of their own.
static uintptr_t in_library(const char *name)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++.so.1"};
    void *at = NULL;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !at; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_NOLOAD);
        at = library ? dlsym(library, name) : NULL;
    }
    return (uintptr_t)at;
}

// The address of the next definition, 0 if there is none.  Threads that look it
// up at once find the same.
static uintptr_t next_of(enum form f)
{
    static _Atomic(uintptr_t) known[FORMS_N];
    if (!known[f]) {
        uintptr_t at = (uintptr_t)dlsym(RTLD_NEXT, names[f]);
        known[f] = at ? at : in_library(names[f]);
    }
    return known[f];
}

// A size that nobody has is refused by the C++ library, in its own way.
#define NEW_(name, align)                                                      \
    TR_API __attribute__((weak)) new_fn name;                                  \
    void *name(size_t size, uintptr_t a, uintptr_t b)                          \
    {                                                                          \
        uintptr_t next = on_stage() || early_now() ? 0 : next_of(FORM##name);  \
        void *p = next ? NULL : memory_get(size, align, MEMORY_CALLER);        \
        if (p)                                                                 \
            return p;                                                          \
        next = next_of(FORM##name);                                            \
        if (!next)                                                             \
            abort();                                                           \
        return ((new_fn *)next)(size, a, b);                                   \
    }
NEWS(NEW_)
#undef NEW_

#define DELETE_(name)                                                          \
    TR_API __attribute__((weak)) delete_fn name;                               \
    void name(void *p, uintptr_t a, uintptr_t b)                               \
    {                                                                          \
        bool ours = on_stage() || early_has(p);                                \
        uintptr_t next = ours ? 0 : next_of(FORM##name);                       \
        if (next)                                                              \
            ((delete_fn *)next)(p, a, b);                                      \
        else                                                                   \
            memory_put(p, "delete", MEMORY_CALLER);                            \
    }
DELETES(DELETE_)
#undef DELETE_

// ---- clocks ---------------------------------------------------------------

// std::chrono's clocks ask the kernel from inside the C++ library.
int __wrap_clock_gettime(clockid_t, struct timespec *);

static int64_t clock_now(clockid_t clock)
{
    struct timespec t = {0};
    __wrap_clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#define NOW_(name, clock)                                                      \
    TR_API __attribute__((weak)) int64_t name(void);                           \
    int64_t name(void)                                                         \
    {                                                                          \
        return clock_now(clock);                                               \
    }
NOW_(_ZNSt6chrono3_V212system_clock3nowEv, CLOCK_REALTIME)
NOW_(_ZNSt6chrono3_V212steady_clock3nowEv, CLOCK_MONOTONIC)
