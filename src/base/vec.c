#include "base/vec.h"
#include "base/die.h"

#include <stdlib.h>

void *vec_grow_(void *at, uint32_t *cap, uint32_t want, size_t size)
{
    uint32_t n = *cap ? *cap * 2 : 8;
    if (n < want)
        n = want;
    void *p = realloc(at, n * size);
    if (!p)
        die("out of memory");
    *cap = n;
    return p;
}

void vec_free_(void *at)
{
    free(at);
}
