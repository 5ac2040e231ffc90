// What only debug and sanitizer builds check (MODE=debug|asan|fuzz, which
// define TROUPE_DEBUG): preconditions on hot paths, and whole structures after
// each step.
#ifndef BASE_DEBUG_H
#define BASE_DEBUG_H

#include <assert.h>

#ifdef TROUPE_DEBUG
#define debug_assert(...) assert(__VA_ARGS__)
#define debug_check(...) (__VA_ARGS__) // debug_check(map_check(m));
// A check that takes as long as the structure is large: after each step while
// it is small, later after some, so that it costs a constant for each step.
#define debug_check_some(step, size, ...)                                      \
    ((step) % ((size) / 16 + 1) == 0 ? (__VA_ARGS__) : (void)0)
#else
#define debug_assert(...) ((void)0)
#define debug_check(...) ((void)0)
#define debug_check_some(...) ((void)0)
#endif

#endif
