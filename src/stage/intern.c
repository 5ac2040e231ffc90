// An open-addressing table of (hash, id) in front of an arena of contents.
#include "stage/intern.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024 };

void images_init(struct images *m)
{
    memset(m, 0, sizeof *m);
    m->slots = need_zero(FIRST_SIZE * sizeof *m->slots);
    m->mask = FIRST_SIZE - 1;
}

void images_release(struct images *m)
{
    vec_free(&m->at);
    vec_free(&m->free);
    free(m->slots);
    m->slots = NULL;
    arena_free(&m->arena);
}

// at: a free slot for the hash.
static void put(struct images *m, uint64_t at, uint64_t hash, uint32_t id)
{
    m->slots[at & m->mask] =
        (struct image_slot){(uint32_t)(hash >> 32), id + 1};
    m->n++;
}

static void place(struct images *m, uint64_t hash, uint32_t id)
{
    uint64_t i = hash;
    while (m->slots[i & m->mask].id)
        i++;
    put(m, i, hash, id);
}

static void grow(struct images *m)
{
    struct image_slot *old = m->slots;
    uint32_t n = m->mask + 1;
    m->slots = need_table(2ul * n * sizeof *m->slots);
    m->mask = 2 * n - 1;
    m->n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (old[i].id)
            place(m, m->at.at[old[i].id - 1].key, old[i].id - 1);
    free(old);
}

static uint32_t unused(struct images *m)
{
    if (m->free.n)
        return vec_pop(&m->free);
    vec_room(&m->at, 1);
    return m->at.n++;
}

// slot: where it belongs as long as the table does not grow.
static uint32_t add(struct images *m, uint64_t slot, uint32_t owner,
                    struct digest key, const void *bytes, size_t size)
{
    uint32_t id = unused(m);
    m->at.at[id] = (struct image){{.actor = owner, .hash = key},
                                  key.low,
                                  arena_copy(&m->arena, bytes, size),
                                  (uint32_t)size};
    if (m->n < m->mask / 4 * 3) {
        put(m, slot, key.low, id);
    } else {
        grow(m);
        place(m, key.low, id);
    }
    return id;
}

uint32_t images_intern(struct images *m, uint32_t owner, struct digest key,
                       const void *bytes, size_t size)
{
    uint64_t i = key.low;
    for (; m->slots[i & m->mask].id; i++) {
        const struct image_slot *s = &m->slots[i & m->mask];
        if (s->high != key.low >> 32)
            continue;
        const struct image *known = &m->at.at[s->id - 1];
        if (known->info.actor == owner && known->size == size &&
            !memcmp(known->bytes, bytes, size))
            return s->id - 1;
    }
    return add(m, i, owner, key, bytes, size);
}

uint32_t images_find(const struct images *m, uint64_t hash)
{
    for (uint64_t i = hash; m->slots[i & m->mask].id; i++) {
        uint32_t id = m->slots[i & m->mask].id - 1;
        if (m->slots[i & m->mask].high == hash >> 32 &&
            m->at.at[id].key == hash)
            return id;
    }
    return UINT32_MAX;
}

void images_keep(struct images *m, const bool *keep)
{
    struct arena old = m->arena;
    memset(&m->arena, 0, sizeof m->arena);
    free(m->slots);
    m->slots = need_zero(FIRST_SIZE * sizeof *m->slots);
    m->mask = FIRST_SIZE - 1;
    m->n = 0;
    vec_clear(&m->free);
    for (uint32_t id = m->at.n; id-- > 0;) {
        struct image *i = &m->at.at[id];
        if (!i->bytes || !keep[id]) {
            *i = (struct image){0};
            vec_push(&m->free, id);
            continue;
        }
        i->bytes = arena_copy(&m->arena, i->bytes, i->size);
        if (m->n >= m->mask / 4 * 3)
            grow(m);
        place(m, i->key, id);
    }
    arena_free(&old);
}

uint64_t images_bytes(const struct images *m)
{
    return m->arena.bytes + m->at.cap * sizeof *m->at.at +
           (m->mask + 1ul) * sizeof *m->slots;
}
