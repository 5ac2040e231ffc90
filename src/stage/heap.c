// Getting and freeing blocks.
#include "stage/heap.h"

#include "base/debug.h"
#include "stage/heap_layout.h"

#include <assert.h>
#include <string.h>

// ---- small blocks ---------------------------------------------------------

static void *take(struct heap *h, unsigned char *range, uint32_t c, uint32_t i)
{
    *chunk_bits(range, c, i / CHUNK_BLOCKS) |= UINT64_C(1) << i % CHUNK_BLOCKS;
    if (i >= h->used[c])
        h->used[c] = (uint16_t)(i + 1);
    h->mask |= UINT32_C(1) << c;
    return range + block_at(c, i);
}

static void *get_small(struct heap *h, size_t room, uint32_t c)
{
    unsigned char *range = class_at(h, room, c);
    uint32_t chunk = 0;
    while (chunk * CHUNK_BLOCKS < h->used[c] &&
           *chunk_bits(range, c, chunk) == UINT64_MAX)
        chunk++;
    if ((chunk + 1) * chunk_size(c) > class_room(room) && chunk)
        return NULL;
    uint64_t *bits = chunk_bits(range, c, chunk);
    uint32_t k = (uint32_t)__builtin_ctzll(~*bits);
    uint32_t i = chunk * CHUNK_BLOCKS + k;
    if (block_at(c, i) + class_size(c) > class_room(room))
        return NULL;
    return take(h, range, c, i);
}

// A class ends with its highest live block.
static void shrink_class(struct heap *h, size_t room, uint32_t c)
{
    unsigned char *range = class_at(h, room, c);
    while (h->used[c]) {
        uint32_t last = (uint32_t)h->used[c] - 1;
        uint32_t chunk = last / CHUNK_BLOCKS;
        uint64_t bits = *chunk_bits(range, c, chunk);
        if (bits) {
            uint32_t top = 63 - (uint32_t)__builtin_clzll(bits);
            h->used[c] = (uint16_t)(chunk * CHUNK_BLOCKS + top + 1);
            return;
        }
        h->used[c] = (uint16_t)(chunk * CHUNK_BLOCKS);
    }
    h->mask &= ~(UINT32_C(1) << c);
}

// What a poisoned heap has used is known until it is healed.
static void put_small(struct heap *h, size_t room, uint32_t c, uint32_t i)
{
    unsigned char *range = class_at(h, room, c);
    memset(range + block_at(c, i), h->poison, class_size(c));
    *chunk_bits(range, c, i / CHUNK_BLOCKS) &=
        ~(UINT64_C(1) << i % CHUNK_BLOCKS);
    if (!h->poison)
        shrink_class(h, room, c);
}

// Which block of a class contains p, if it lives.
static bool find_small(const struct heap *h, size_t room, const void *p,
                       uint32_t *c, uint32_t *i)
{
    size_t off = (size_t)((const unsigned char *)p - class_at(h, room, 0));
    size_t most = class_room(room); // mostly CLASS_MOST: no division
    *c = (uint32_t)(most == CLASS_MOST ? off / CLASS_MOST : off / most);
    if (*c >= HEAP_CLASSES)
        return false;
    uint32_t in = (uint32_t)(off - *c * most), size = (uint32_t)chunk_size(*c);
    uint32_t chunk = in < size ? 0 : in / size; // mostly the first
    uint32_t in_chunk = in - chunk * size;
    if (in_chunk < CHUNK_HEAD || chunk * CHUNK_BLOCKS >= h->used[*c])
        return false;
    uint32_t k = (in_chunk - CHUNK_HEAD) / class_size(*c);
    *i = chunk * CHUNK_BLOCKS + k;
    return *chunk_bits(class_at(h, room, *c), *c, chunk) >> k & 1;
}

// ---- pages ----------------------------------------------------------------

static void *get_pages(struct heap *h, size_t room, size_t size)
{
    uint16_t *run = runs_of(h);
    size_t want = (size + HEAP_PAGE - 1) / HEAP_PAGE;
    uint32_t n = pages_n(room), at = 0, free = 0;
    if (want >= PART)
        return NULL;
    for (uint32_t i = 0; i < n && free < want;) {
        if (run[i] == 0) {
            free++, i++;
        } else {
            i += run[i];
            at = i;
            free = 0;
        }
    }
    if (free < want)
        return NULL;
    run[at] = (uint16_t)want;
    for (uint32_t i = 1; i < want; i++)
        run[at + i] = PART;
    if (at + want > h->pages)
        h->pages = (uint16_t)(at + want);
    h->mask |= PAGES_BIT;
    return pages_at(h, room) + (size_t)at * HEAP_PAGE;
}

static void shrink_pages(struct heap *h)
{
    const uint16_t *run = runs_of(h);
    while (h->pages && !run[h->pages - 1])
        h->pages--;
    if (!h->pages)
        h->mask &= ~PAGES_BIT;
}

static void put_pages(struct heap *h, size_t room, uint32_t at)
{
    uint16_t *run = runs_of(h);
    uint32_t n = run[at];
    memset(pages_at(h, room) + (size_t)at * HEAP_PAGE, h->poison,
           (size_t)n * HEAP_PAGE);
    memset(run + at, 0, n * sizeof *run);
    if (!h->poison)
        shrink_pages(h);
}

void heap_shrink(struct heap *h, size_t room)
{
    for (uint32_t m = h->mask & ~PAGES_BIT; m; m &= m - 1)
        shrink_class(h, room, (uint32_t)__builtin_ctz(m));
    shrink_pages(h);
}

static bool find_pages(const struct heap *h, size_t room, const void *p,
                       uint32_t *at)
{
    const unsigned char *first = pages_at(h, room);
    if ((const unsigned char *)p < first)
        return false;
    uint32_t i = (uint32_t)(((const unsigned char *)p - first) / HEAP_PAGE);
    const uint16_t *run = runs_of(h);
    if (i >= h->pages || !run[i])
        return false;
    while (run[i] == PART)
        i--;
    *at = i;
    return true;
}

// ---- fences ---------------------------------------------------------------

static void put_fence(unsigned char *block, size_t whole, size_t size)
{
    uint16_t length = (uint16_t)(whole - size);
    memset(block + size, FENCE, length - FENCE_LEAST);
    memcpy(block + whole - FENCE_LEAST, &length, sizeof length);
}

bool heap_fenced(const void *at, size_t whole)
{
    const unsigned char *block = at;
    size_t size = fenced_size(block, whole);
    if (size == SIZE_MAX)
        return false;
    const unsigned char *fence = block + size;
    size_t length = whole - FENCE_LEAST - size;
    return !length || ((*fence == FENCE || *fence == FENCE_POISONED) &&
                       uniform(fence, length));
}

// ---- both -----------------------------------------------------------------

static unsigned char *get_block(struct heap *h, size_t room, size_t size,
                                size_t align, size_t *whole)
{
    size += FENCE_LEAST;
    if (align <= 16 && size <= HEAP_SMALL_MOST)
        for (uint32_t c = class_of(size); c < HEAP_CLASSES; c++) {
            *whole = class_size(c);
            void *p = get_small(h, room, c);
            if (p)
                return p;
        }
    *whole = (size + HEAP_PAGE - 1) / HEAP_PAGE * HEAP_PAGE;
    return align <= HEAP_PAGE ? get_pages(h, room, size) : NULL;
}

void *heap_get(struct heap *h, size_t room, size_t size, size_t align)
{
    size_t whole;
    unsigned char *p =
        size < room ? get_block(h, room, size, align, &whole) : NULL;
    if (p && h->poison)
        memset(p, 0, size);
    if (p)
        put_fence(p, whole, size);
    debug_check(heap_check(h, room));
    return p;
}

// The highest free one of the first chunk's blocks, NULL if there is none.
static unsigned char *get_high(struct heap *h, size_t room, uint32_t c)
{
    unsigned char *range = class_at(h, room, c);
    uint64_t free = ~*chunk_bits(range, c, 0);
    if (!free || chunk_size(c) > class_room(room))
        return NULL;
    return take(h, range, c, 63 - (uint32_t)__builtin_clzll(free));
}

static uint32_t live_at_first(const struct heap *h, size_t room, uint32_t c)
{
    return (uint32_t)__builtin_popcountll(
        *chunk_bits(class_at(h, room, c), c, 0));
}

void *heap_get_scattered(struct heap *h, size_t room, size_t size, size_t align)
{
    enum { LARGER = 4 };
    size_t whole = size + FENCE_LEAST;
    uint32_t c = whole <= HEAP_SMALL_MOST ? class_of(whole) : HEAP_CLASSES;
    unsigned char *p = NULL;
    if (align > 16 || c + LARGER >= HEAP_CLASSES)
        return heap_get(h, room, size, align);
    c += (live_at_first(h, room, c) + live_at_first(h, room, c + LARGER)) % 2 *
         LARGER;
    p = get_high(h, room, c);
    if (!p)
        return heap_get(h, room, size, align);
    if (h->poison)
        memset(p, 0, size);
    put_fence(p, class_size(c), size);
    debug_check(heap_check(h, room));
    return p;
}

void *heap_block(const struct heap *h, size_t room, const void *p)
{
    uint32_t c, i;
    if (!heap_in(h, room, p) || (const unsigned char *)p < class_at(h, room, 0))
        return NULL;
    if (find_small(h, room, p, &c, &i))
        return class_at(h, room, c) + block_at(c, i);
    if (find_pages(h, room, p, &i))
        return pages_at(h, room) + (size_t)i * HEAP_PAGE;
    return NULL;
}

size_t heap_whole(const struct heap *h, size_t room, const void *p)
{
    const unsigned char *classes = class_at(h, room, 0);
    uint32_t c, i;
    if (!heap_in(h, room, p) || (const unsigned char *)p < classes)
        return 0;
    if (find_small(h, room, p, &c, &i))
        return class_at(h, room, c) + block_at(c, i) == p ? class_size(c) : 0;
    if (find_pages(h, room, p, &i) &&
        pages_at(h, room) + (size_t)i * HEAP_PAGE == p)
        return (size_t)runs_of(h)[i] * HEAP_PAGE;
    return 0;
}

size_t heap_asked(const void *block, size_t whole)
{
    size_t size = whole ? fenced_size(block, whole) : 0;
    return size == SIZE_MAX ? whole : size;
}

size_t heap_size(const struct heap *h, size_t room, const void *p)
{
    return heap_asked(p, heap_whole(h, room, p));
}

bool heap_resize(struct heap *h, size_t room, void *p, size_t size)
{
    size_t whole = heap_whole(h, room, p), old = heap_size(h, room, p);
    if (size + FENCE_LEAST > whole || whole / 2 > size + FENCE_LEAST)
        return false;
    if (size > old)
        memset((unsigned char *)p + old, 0, size - old);
    put_fence(p, whole, size);
    return true;
}

static bool class_blocks(const struct heap *h, size_t room, uint32_t c,
                         heap_block_fn *each, void *user)
{
    unsigned char *range = class_at(h, room, c);
    size_t size = class_size(c);
    for (uint32_t k = 0; k * CHUNK_BLOCKS < h->used[c]; k++) {
        unsigned char *chunk = (unsigned char *)chunk_bits(range, c, k);
        for (uint64_t live = *chunk_bits(range, c, k); live; live &= live - 1) {
            uint32_t i = (uint32_t)__builtin_ctzll(live);
            if (!each(user, chunk + CHUNK_HEAD + i * size, size))
                return false;
        }
    }
    return true;
}

void heap_each(const struct heap *h, size_t room, heap_block_fn *each,
               void *user)
{
    const uint16_t *run = runs_of(h);
    bool on = true;
    for (uint32_t m = h->mask & ~PAGES_BIT; m && on; m &= m - 1)
        on = class_blocks(h, room, (uint32_t)__builtin_ctz(m), each, user);
    for (uint32_t i = 0; i < h->pages && on; i += run[i] ? run[i] : 1u)
        if (run[i])
            on = each(user, pages_at(h, room) + (size_t)i * HEAP_PAGE,
                      (size_t)run[i] * HEAP_PAGE);
}

static bool find_damaged(void *user, unsigned char *block, size_t whole)
{
    void **found = user;
    if (!heap_fenced(block, whole))
        *found = block;
    return !*found;
}

void *heap_damaged(const struct heap *h, size_t room)
{
    void *found = NULL;
    heap_each(h, room, find_damaged, &found);
    return found;
}

size_t heap_most(size_t room)
{
    return (size_t)pages_n(room) * HEAP_PAGE - FENCE_LEAST;
}

void heap_put(struct heap *h, size_t room, void *p)
{
    uint32_t c, i;
    if (find_small(h, room, p, &c, &i))
        put_small(h, room, c, i);
    else if (find_pages(h, room, p, &i))
        put_pages(h, room, i);
    debug_check(heap_check(h, room));
}

void heap_put_whole(struct heap *h, size_t room, void *p, size_t whole)
{
    debug_assert(whole && whole == heap_whole(h, room, p));
    const unsigned char *pages = pages_at(h, room), *at = p;
    if (at >= pages) {
        put_pages(h, room, (uint32_t)((size_t)(at - pages) / HEAP_PAGE));
    } else {
        uint32_t c = class_of(whole);
        uint32_t in = (uint32_t)(at - class_at(h, room, c));
        uint32_t chunk = in / (uint32_t)chunk_size(c);
        in -= chunk * (uint32_t)chunk_size(c) + CHUNK_HEAD;
        put_small(h, room, c, chunk * CHUNK_BLOCKS + in / class_size(c));
    }
    debug_check(heap_check(h, room));
}

uint32_t heap_live(const struct heap *h, size_t room)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < HEAP_CLASSES; c++)
        for (uint32_t k = 0; k * CHUNK_BLOCKS < h->used[c]; k++)
            n += (uint32_t)__builtin_popcountll(
                *chunk_bits(class_at(h, room, c), c, k));
    for (uint32_t i = 0; i < h->pages; i++)
        n += runs_of(h)[i] && runs_of(h)[i] != PART;
    return n;
}

// ---- checking -------------------------------------------------------------

// The highest live index + 1 is `used`, and nothing lives behind it.
static void check_class(const struct heap *h, size_t room, uint32_t c)
{
    unsigned char *range = class_at(h, room, c);
    uint32_t used = h->used[c];
    assert(!used == !(h->mask >> c & 1));
    assert(!used || block_at(c, used - 1) + class_size(c) <= class_room(room));
    for (uint32_t k = 0; k * CHUNK_BLOCKS < used; k++) {
        uint64_t bits = *chunk_bits(range, c, k);
        uint32_t in = used - k * CHUNK_BLOCKS;
        assert(in >= CHUNK_BLOCKS || (!(bits >> in) && bits >> (in - 1) & 1));
        assert(in != CHUNK_BLOCKS || bits >> (CHUNK_BLOCKS - 1));
    }
}

// Each run of pages has its length at its start, PART in the rest of it.
static void check_pages(const struct heap *h, size_t room)
{
    const uint16_t *run = runs_of(h);
    assert(!h->pages == !(h->mask & PAGES_BIT));
    assert(h->pages <= pages_n(room));
    assert(!h->pages || run[h->pages - 1]);
    for (uint32_t i = 0; i < h->pages; i += run[i] ? run[i] : 1u) {
        assert(run[i] != PART && i + run[i] <= h->pages);
        for (uint32_t k = 1; k < run[i]; k++)
            assert(run[i + k] == PART);
    }
}

void heap_check(const struct heap *h, size_t room)
{
    if (h->poison)
        return; // see put_small()
    for (uint32_t c = 0; c < HEAP_CLASSES; c++)
        check_class(h, room, c);
    check_pages(h, room);
}
