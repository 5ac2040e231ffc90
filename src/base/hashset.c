// Open addressing, linear probing, at most two thirds full.
#include "base/hashset.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *find(const struct hashset *s, uint64_t h)
{
    for (uint64_t i = h * 0x9e3779b97f4a7c15u >> 20;; i++) {
        uint64_t *p = &s->at[i & s->mask];
        if (!*p || *p == h)
            return p;
    }
}

static void grow(struct hashset *s)
{
    struct hashset old = *s;
    uint64_t size = old.at ? 2 * (old.mask + 1) : 64;
    s->at = need_zero(size * sizeof *s->at);
    s->mask = size - 1;
    for (uint64_t i = 0; old.at && i <= old.mask; i++)
        if (old.at[i])
            *find(s, old.at[i]) = old.at[i];
    free(old.at);
}

bool hashset_has(const struct hashset *s, uint64_t h)
{
    return s->at && *find(s, h ? h : 1);
}

bool hashset_add(struct hashset *s, uint64_t h)
{
    h = h ? h : 1;
    if (hashset_has(s, h))
        return false;
    if (s->cap && s->n >= s->cap) {
        s->more = true;
        return true;
    }
    if (!s->at || 3 * s->n > 2 * s->mask)
        grow(s);
    *find(s, h) = h;
    s->n++;
    return true;
}

void hashset_clear(struct hashset *s)
{
    if (s->n)
        memset(s->at, 0, (s->mask + 1) * sizeof *s->at);
    s->n = 0;
    s->more = false;
}

void hashset_free(struct hashset *s)
{
    free(s->at);
    *s = (struct hashset){0};
}
