// Memory as it is.  The stage reads and writes stacks and globals of others,
// where a sanitizer has marked places that nobody should touch.
#ifndef STAGE_RAW_H
#define STAGE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define STAGE_ASAN 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define STAGE_ASAN 1
#endif

#ifdef STAGE_ASAN
#define RAW __attribute__((no_sanitize("address")))

RAW __attribute__((unused)) static void raw_copy(void *to, const void *from,
                                                 size_t size)
{
    volatile unsigned char *t = to;
    const volatile unsigned char *f = from;
    for (size_t i = 0; i < size; i++)
        t[i] = f[i];
}

RAW __attribute__((unused)) static bool raw_equal(const void *a, const void *b,
                                                  size_t size)
{
    const volatile unsigned char *p = a, *q = b;
    for (size_t i = 0; i < size; i++)
        if (p[i] != q[i])
            return false;
    return true;
}
#else
#define RAW

static inline void raw_copy(void *to, const void *from, size_t size)
{
    if (size)
        memcpy(to, from, size);
}

static inline bool raw_equal(const void *a, const void *b, size_t size)
{
    return !size || !memcmp(a, b, size);
}
#endif

// Are these 64 bytes zero?
RAW static inline bool raw_zero64(const void *at)
{
    typedef uint64_t loose_word __attribute__((aligned(1), may_alias));
    const loose_word *w = at;
    return !(w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]);
}

#endif
