// Linear probing from a multiplicative hash (Knuth, TAOCP 3, 6.4).
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug.h"
#include "base/die.h"

enum { FIRST_CAP = 16 };

// The slot of the key, or the free one where it belongs.
static struct map_slot *find(const struct map *m, uint64_t key)
{
    uint32_t mask = m->cap - 1;
    uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (m->at[i].used && m->at[i].key != key)
        i = (i + 1) & mask;
    return &m->at[i];
}

static void grow(struct map *m)
{
    struct map old = *m;
    assert(old.cap <= UINT32_MAX / 2);
    m->cap = old.cap ? old.cap * 2 : FIRST_CAP;
    m->at = need_table(m->cap * sizeof *m->at);
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.at[i].used)
            *find(m, old.at[i].key) = old.at[i];
    free(old.at);
    debug_check(map_check(m));
}

uint32_t map_get(const struct map *m, uint64_t key)
{
    if (!m->n)
        return MAP_NONE;
    const struct map_slot *s = find(m, key);
    return s->used ? s->value : MAP_NONE;
}

uint32_t *map_at(struct map *m, uint64_t key)
{
    if (m->n >= m->cap / 4 * 3)
        grow(m);
    struct map_slot *s = find(m, key);
    if (!s->used) {
        *s = (struct map_slot){key, MAP_NONE, 1};
        m->n++;
    }
    return &s->value;
}

void map_put(struct map *m, uint64_t key, uint32_t value)
{
    *map_at(m, key) = value;
}

void map_clear(struct map *m)
{
    debug_check(map_check(m));
    if (m->at)
        memset(m->at, 0, m->cap * sizeof *m->at);
    m->n = 0;
}

void map_free(struct map *m)
{
    debug_check(map_check(m));
    free(m->at);
    *m = (struct map){0};
}

void map_check(const struct map *m)
{
    uint32_t n = 0;
    assert(!m->cap == !m->at && (m->cap & (m->cap - 1)) == 0);
    assert(m->n <= m->cap / 4 * 3);
    for (uint32_t i = 0; i < m->cap; i++) {
        if (!m->at[i].used)
            continue;
        assert(find(m, m->at[i].key) == &m->at[i]);
        n++;
    }
    assert(n == m->n);
}
