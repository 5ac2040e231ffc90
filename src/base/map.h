// A map from 64-bit keys to 32-bit values, by open addressing.
//
// Keys are hashes, small numbers or pairs of them.  Nothing is ever taken out.
// All zero is an empty map.
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
    uint64_t key;
    uint32_t value;
    uint32_t used; // 0: free
};

struct map {
    struct map_slot *at;
    uint32_t n, cap; // cap is 0 or a power of two, n at most 3/4 of it
};

// Two numbers as one key.
static inline uint64_t map_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

// The value of a key, MAP_NONE if it has none.
uint32_t map_get(const struct map *m, uint64_t key);
// Set the value of a key.
void map_put(struct map *m, uint64_t key, uint32_t value);
// The place for a key's value, set to MAP_NONE if the key is new; valid until
// the next change.
uint32_t *map_at(struct map *m, uint64_t key);
void map_clear(struct map *m);
void map_free(struct map *m);
// Assert what a map promises to itself.
void map_check(const struct map *m);

#endif
