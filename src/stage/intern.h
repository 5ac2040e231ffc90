// Interned strings of bytes: equal contents of one owner, equal ids.
//
// Ids are dense; those dropped by images_keep() are given out again.
#ifndef STAGE_INTERN_H
#define STAGE_INTERN_H

#include "base/arena.h"
#include "base/vec.h"
#include "play/play.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
    struct play_state info;     // owner, hash; the caller may set hash, flags
    uint64_t key;               // lower half of the hash of the bytes
    const unsigned char *bytes; // aligned to 16; NULL: the id is free
    uint32_t size;
};

struct image_slot {
    uint32_t high; // half of the hash
    uint32_t id;   // + 1; 0: free
};

struct images {
    VEC(struct image) at;
    VEC(uint32_t) free;
    struct image_slot *slots;
    uint32_t mask, n; // of slots
    struct arena arena;
};

void images_init(struct images *m);
void images_release(struct images *m);
// The id of these contents, whose hash this is (the owner goes into it).
uint32_t images_intern(struct images *m, uint32_t owner, struct digest key,
                       const void *bytes, size_t size);
// An id whose bytes have this lower half of a hash, UINT32_MAX if there is
// none.
uint32_t images_find(const struct images *m, uint64_t hash);
// Drop all but the ids for which keep[id]; keep has m->at.n entries.
void images_keep(struct images *m, const bool *keep);
uint64_t images_bytes(const struct images *m);

#endif
