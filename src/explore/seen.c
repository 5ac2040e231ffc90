// States are kept in blocks, which never move.  The index is made again from
// them when it grows, so there are never two of it.
#include "explore/seen.h"

#include "base/debug.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 14, FIRST_INDEX = 1 << 10 };

struct seen_block {
    struct digest digests[BLOCK];
    uint32_t words[BLOCK];
};

static uint8_t byte_of(struct digest d)
{
    return (uint8_t)(1 + (d.high >> 57));
}

struct digest seen_digest(const struct seen *t, uint32_t number)
{
    debug_assert(number < t->n);
    return t->blocks.at[number / BLOCK]->digests[number % BLOCK];
}

uint32_t *seen_word(const struct seen *t, uint32_t number)
{
    debug_assert(number < t->n);
    return &t->blocks.at[number / BLOCK]->words[number % BLOCK];
}

uint32_t seen_find(const struct seen *t, struct digest d)
{
    if (!t->n)
        return SEEN_NONE;
    uint8_t byte = byte_of(d);
    for (uint64_t i = d.low & t->mask; t->bytes[i]; i = (i + 1) & t->mask)
        if (t->bytes[i] == byte &&
            digest_equal(seen_digest(t, t->numbers[i]), d))
            return t->numbers[i];
    return SEEN_NONE;
}

static void put(struct seen *t, uint32_t number)
{
    struct digest d = seen_digest(t, number);
    uint64_t i = d.low & t->mask;
    while (t->bytes[i])
        i = (i + 1) & t->mask;
    t->bytes[i] = byte_of(d);
    t->numbers[i] = number;
}

static void grow(struct seen *t)
{
    uint64_t size = t->bytes ? 2 * (t->mask + 1) : FIRST_INDEX;
    free(t->bytes);
    free(t->numbers);
    t->bytes = need_table(size * sizeof *t->bytes);
    t->numbers = need_table(size * sizeof *t->numbers);
    t->mask = size - 1;
    for (uint32_t i = 0; i < t->n; i++)
        put(t, i);
}

uint32_t seen_add(struct seen *t, struct digest d)
{
    uint32_t number = t->n;
    debug_assert(number < SEEN_NONE && seen_find(t, d) == SEEN_NONE);
    if (!t->bytes || t->n >= t->mask / 4 * 3)
        grow(t);
    if (number / BLOCK == t->blocks.n)
        vec_push(&t->blocks, need(sizeof(struct seen_block)));
    t->n++;
    struct seen_block *b = t->blocks.at[number / BLOCK];
    b->digests[number % BLOCK] = d;
    b->words[number % BLOCK] = 0;
    put(t, number);
    return number;
}

void seen_clear(struct seen *t)
{
    if (t->n)
        memset(t->bytes, 0, t->mask + 1);
    t->n = 0;
}

void seen_free(struct seen *t)
{
    for (uint32_t i = 0; i < t->blocks.n; i++)
        free(t->blocks.at[i]);
    vec_free(&t->blocks);
    free(t->bytes);
    free(t->numbers);
    *t = (struct seen){0};
}
