// Open addressing, linear probing, at most two thirds full.
#include "base/hashset.h"

#include "base/debug.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

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
    uint64_t size = old.at ? 2 * (old.mask + 1) : FIRST_SIZE;
    s->at = need_table(size * sizeof *s->at);
    s->mask = size - 1;
    for (uint64_t i = 0; old.at && i <= old.mask; i++)
        if (old.at[i])
            *find(s, old.at[i]) = old.at[i];
    free(old.at);
}

bool hashset_has(const struct hashset *s, uint64_t h)
{
    return h ? s->at && *find(s, h) : s->zero;
}

bool hashset_add(struct hashset *s, uint64_t h)
{
    if (hashset_has(s, h))
        return false;
    if (s->cap && s->n >= s->cap) {
        s->more = true;
        return true;
    }
    s->n++;
    if (!h)
        return s->zero = true;
    if (!s->at || 3 * s->n > 2 * s->mask)
        grow(s);
    *find(s, h) = h;
    return true;
}

bool hashset_next(const struct hashset *s, uint64_t *at, uint64_t *h)
{
    uint64_t size = s->at ? s->mask + 1 : 0;
    while (*at < size)
        if ((*h = s->at[(*at)++]))
            return true;
    *h = 0;
    return s->zero && (*at)++ == size;
}

void hashset_clear(struct hashset *s)
{
    if (s->at && s->n)
        memset(s->at, 0, (s->mask + 1) * sizeof *s->at);
    s->n = 0;
    s->zero = s->more = false;
}

void hashset_free(struct hashset *s)
{
    debug_check(hashset_check(s));
    free(s->at);
    *s = (struct hashset){0};
}

void hashset_check(const struct hashset *s)
{
    uint64_t n = s->zero;
    assert(!s->at || ((s->mask + 1) & s->mask) == 0);
    assert(!s->at || s->n <= s->mask);
    for (uint64_t i = 0; s->at && i <= s->mask; i++) {
        if (!s->at[i])
            continue;
        assert(find(s, s->at[i]) == &s->at[i]);
        n++;
    }
    assert(n == s->n);
}
