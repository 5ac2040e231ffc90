// Hashes of contents: XXH3, the same on every machine.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#ifndef TROUPE_DEBUG // without optimisation, libxxhash's own code is far faster
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

static inline uint64_t hash_bytes(const void *p, size_t n)
{
    return XXH3_64bits(p, n);
}

static inline uint64_t hash_seeded(const void *p, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(p, n, seed);
}

// Two hashes made one; the order counts.
static inline uint64_t hash_join(uint64_t a, uint64_t b)
{
    uint64_t both[2] = {a, b};
    return XXH3_64bits(both, sizeof both);
}

#endif
