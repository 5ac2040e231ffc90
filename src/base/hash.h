// Hashes of contents, of 64 and of 128 bits: XXH3, the same on every machine.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
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

// 128 bits: two hashes side by side.  What is made of digests is made of each
// half alone, so what two different contents come to is equal in one half no
// sooner because it is equal in the other.
struct digest {
    uint64_t low, high;
};

static inline struct digest digest_bytes(const void *p, size_t n, uint64_t seed)
{
    XXH128_hash_t h = XXH3_128bits_withSeed(p, n, seed);
    return (struct digest){h.low64, h.high64};
}

static inline struct digest digest_join(struct digest a, struct digest b)
{
    return (struct digest){hash_join(a.low, b.low), hash_join(a.high, b.high)};
}

// The same with a number that is exact.
static inline struct digest digest_with(struct digest a, uint64_t number)
{
    return digest_join(a, (struct digest){number, number});
}

static inline struct digest digest_plus(struct digest a, struct digest b)
{
    return (struct digest){a.low + b.low, a.high + b.high};
}

static inline struct digest digest_minus(struct digest a, struct digest b)
{
    return (struct digest){a.low - b.low, a.high - b.high};
}

static inline bool digest_equal(struct digest a, struct digest b)
{
    return a.low == b.low && a.high == b.high;
}

#endif
