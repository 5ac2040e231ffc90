#include "base/vec.h"
#include "base/die.h"

#include <stdlib.h>

enum { FIRST_CAP = 8 };

void *vec_grow_(void *at, uint32_t *cap, uint32_t n, size_t k, size_t size)
{
    assert(n <= *cap && size);
    if (k > UINT32_MAX - n)
        die("out of memory: a list of 2^32 elements");
    uint64_t want = *cap ? *cap * (uint64_t)2 : FIRST_CAP;
    if (want < n + k)
        want = n + k;
    if (want > UINT32_MAX)
        want = UINT32_MAX;
    void *p = realloc(at, want * size);
    if (!p)
        die("out of memory");
    *cap = (uint32_t)want;
    return p;
}

void vec_free_(void *at)
{
    free(at);
}
