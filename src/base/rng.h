// Random numbers: the same seed gives the same numbers on every machine.
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/debug.h"

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline struct rng rng_of(uint64_t seed)
{
    return (struct rng){seed ^ 0x9e3779b97f4a7c15u};
}

// splitmix64, after Steele, Lea and Flood (OOPSLA 2014).
static inline uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A number below n, n > 0.
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    debug_assert(n > 0);
    return (uint32_t)(((rng_next(r) >> 32) * (uint64_t)n) >> 32);
}

static inline double rng_unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

#endif
