// The used parts of a heap, and the heap as bytes.
#include "stage/heap.h"

#include "stage/heap_layout.h"
#include "stage/raw.h"

#include <string.h>

uint32_t heap_extents(const struct heap *h, size_t room,
                      struct extent out[HEAP_EXTENTS])
{
    uint32_t n = 0;
    out[n++] = (struct extent){(unsigned char *)(uintptr_t)h, sizeof *h};
    for (uint32_t m = h->mask & ~PAGES_BIT; m; m &= m - 1) {
        uint32_t c = (uint32_t)__builtin_ctz(m);
        out[n++] = (struct extent){class_at(h, room, c), class_used(h, c)};
    }
    if (h->mask & PAGES_BIT) {
        out[n++] = (struct extent){(unsigned char *)runs_of(h),
                                   h->pages * sizeof(uint16_t)};
        out[n++] =
            (struct extent){pages_at(h, room), (size_t)h->pages * HEAP_PAGE};
    }
    return n;
}

void heap_trim(const struct heap *h, size_t room, const struct heap *old)
{
    for (uint32_t m = old->mask & ~PAGES_BIT; m; m &= m - 1) {
        uint32_t c = (uint32_t)__builtin_ctz(m);
        size_t was = class_used(old, c), is = class_used(h, c);
        if (was > is)
            memset(class_at(h, room, c) + is, 0, was - is);
    }
    if (old->pages > h->pages) {
        uint32_t more = (uint32_t)old->pages - h->pages;
        memset(runs_of(h) + h->pages, 0, more * sizeof(uint16_t));
        memset(pages_at(h, room) + (size_t)h->pages * HEAP_PAGE, 0,
               (size_t)more * HEAP_PAGE);
    }
}

// An image starts with words: the mask, then 16 bits for each of its bits,
// `used` of that class or the number of pages.
enum { MASK_BITS = 32, NUMBER_BITS = 16, WORD_BITS = 64 };

static size_t head_size(uint32_t numbers)
{
    return (MASK_BITS + NUMBER_BITS * (size_t)numbers + WORD_BITS - 1) /
           WORD_BITS * sizeof(uint64_t);
}

size_t heap_image_size(const struct heap *h)
{
    uint32_t numbers = 0;
    size_t size = 0;
    for (uint32_t m = h->mask & ~PAGES_BIT; m; m &= m - 1, numbers++)
        size += class_used(h, (uint32_t)__builtin_ctz(m));
    if (h->mask & PAGES_BIT) {
        size += h->pages * (sizeof(uint16_t) + HEAP_PAGE);
        numbers++;
    }
    return head_size(numbers) + size;
}

static uint16_t *number_of(struct heap *h, uint32_t m)
{
    uint32_t bit = (uint32_t)__builtin_ctz(m);
    return bit < HEAP_CLASSES ? &h->used[bit] : &h->pages;
}

static unsigned char *save_head(const struct heap *h, unsigned char *to)
{
    uint64_t word = h->mask;
    uint32_t at = MASK_BITS;
    for (uint32_t m = h->mask; m; m &= m - 1, at += NUMBER_BITS) {
        if (at == WORD_BITS) {
            memcpy(to, &word, sizeof word);
            to += sizeof word;
            word = at = 0;
        }
        word |= (uint64_t)*number_of((struct heap *)(uintptr_t)h, m) << at;
    }
    memcpy(to, &word, sizeof word);
    return to + sizeof word;
}

static const unsigned char *load_head(struct heap *h, const unsigned char *from)
{
    uint64_t word;
    uint32_t at = MASK_BITS;
    memcpy(&word, from, sizeof word);
    *h = (struct heap){.mask = (uint32_t)word};
    for (uint32_t m = h->mask; m; m &= m - 1, at += NUMBER_BITS) {
        if (at == WORD_BITS) {
            from += sizeof word;
            memcpy(&word, from, sizeof word);
            at = 0;
        }
        *number_of(h, m) = (uint16_t)(word >> at);
    }
    return from + sizeof word;
}

unsigned char *heap_save(const struct heap *h, size_t room, unsigned char *to)
{
    struct extent e[HEAP_EXTENTS];
    to = save_head(h, to);
    for (uint32_t i = 1, n = heap_extents(h, room, e); i < n; i++) {
        raw_copy(to, e[i].at, e[i].size);
        to += e[i].size;
    }
    return to;
}

const unsigned char *heap_load(struct heap *h, size_t room,
                               const unsigned char *from)
{
    struct extent e[HEAP_EXTENTS];
    struct heap old = *h;
    from = load_head(h, from);
    for (uint32_t i = 1, n = heap_extents(h, room, e); i < n; i++) {
        raw_copy(e[i].at, from, e[i].size);
        from += e[i].size;
    }
    heap_trim(h, room, &old);
    return from;
}
