// Layout of a heap of `room` bytes: struct heap, at 4096 the lengths of page
// runs, at 128 KiB the classes' ranges of room / 64 each, but at most 256 KiB,
// then the pages.
//
// A class's range is a row of chunks: a word of live bits, a free word, 64
// blocks.  A page run's length stands at its first page, PART at the others.
#include "stage/heap.h"

#include "base/debug.h"
#include "stage/raw.h"

#include <assert.h>
#include <string.h>

enum {
    RUNS_AT = 4096,
    CLASSES_AT = 128 << 10,
    CHUNK_HEAD = 16,
    CHUNK_BLOCKS = 64,
    PART = 0xffff,
    CLASS_MOST =
        256 << 10, // so that indices of the smallest class have 16 bits
    FENCE = 0xfe,
    FENCE_POISONED = 0xa5,
    FENCE_LEAST = 2, // its length
};
#define PAGES_BIT (UINT32_C(1) << HEAP_CLASSES)

// 16, 32, ... 128, then four steps to each doubling.
static const uint16_t class_sizes[HEAP_CLASSES] = {
    16,   32,   48,   64,   80,   96,   112,  128,  160, 192,
    224,  256,  320,  384,  448,  512,  640,  768,  896, 1024,
    1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096,
};

static uint32_t class_size(uint32_t c)
{
    return class_sizes[c];
}

static uint32_t class_of(size_t size)
{
    if (size <= 128)
        return size ? (uint32_t)(size - 1) / 16 : 0;
    uint32_t top = 63 - (uint32_t)__builtin_clzll(size - 1);
    uint32_t quarter = (uint32_t)((size - 1) >> (top - 2)) & 3;
    return 8 + 4 * (top - 7) + quarter;
}

static size_t class_room(size_t room)
{
    return room / 64 < CLASS_MOST ? room / 64 : CLASS_MOST;
}

static unsigned char *class_at(const struct heap *h, size_t room, uint32_t c)
{
    return (unsigned char *)(uintptr_t)h + CLASSES_AT + c * class_room(room);
}

static size_t chunk_size(uint32_t c)
{
    return CHUNK_HEAD + (size_t)CHUNK_BLOCKS * class_size(c);
}

// Offset in its range of block i.
static size_t block_at(uint32_t c, uint32_t i)
{
    return i / CHUNK_BLOCKS * chunk_size(c) + CHUNK_HEAD +
           i % CHUNK_BLOCKS * (size_t)class_size(c);
}

static uint64_t *chunk_bits(unsigned char *range, uint32_t c, uint32_t chunk)
{
    return (uint64_t *)(void *)(range + chunk * chunk_size(c));
}

static size_t pages_offset(size_t room)
{
    return CLASSES_AT + HEAP_CLASSES * class_room(room) + CLASSES_AT;
}

static unsigned char *pages_at(const struct heap *h, size_t room)
{
    return (unsigned char *)(uintptr_t)h + pages_offset(room);
}

static uint32_t pages_n(size_t room)
{
    size_t n = (room - pages_offset(room)) / HEAP_PAGE;
    size_t most = (CLASSES_AT - RUNS_AT) / sizeof(uint16_t);
    return (uint32_t)(n < most ? n : most);
}

static uint16_t *runs_of(const struct heap *h)
{
    return (uint16_t *)(void *)((unsigned char *)(uintptr_t)h + RUNS_AT);
}

// ---- small blocks ---------------------------------------------------------

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
    *bits |= UINT64_C(1) << k;
    if (i >= h->used[c])
        h->used[c] = (uint16_t)(i + 1);
    h->mask |= UINT32_C(1) << c;
    return range + block_at(c, i);
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

// The size of the block in front of its fence, SIZE_MAX if that has no length.
static size_t size_of(const unsigned char *block, size_t whole)
{
    uint16_t length;
    memcpy(&length, block + whole - FENCE_LEAST, sizeof length);
    return length < FENCE_LEAST || length > whole ? SIZE_MAX : whole - length;
}

bool heap_fenced(const void *at, size_t whole)
{
    const unsigned char *block = at;
    size_t size = size_of(block, whole);
    if (size == SIZE_MAX)
        return false;
    const unsigned char *fence = block + size;
    size_t length = whole - FENCE_LEAST - size;
    return !length ||
           ((*fence == FENCE || *fence == FENCE_POISONED) &&
            (length == 1 || memcmp(fence, fence + 1, length - 1) == 0));
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
    size_t size = whole ? size_of(block, whole) : 0;
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

// Called for a live block with its fence: true to go on.
typedef bool block_fn(void *user, unsigned char *block, size_t whole);

static bool class_blocks(const struct heap *h, size_t room, uint32_t c,
                         block_fn *each, void *user)
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

static void live_blocks(const struct heap *h, size_t room, block_fn *each,
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
    live_blocks(h, room, find_damaged, &found);
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

// ---- free memory ----------------------------------------------------------

static size_t class_used(const struct heap *h, uint32_t c)
{
    return h->used[c] ? block_at(c, h->used[c] - 1u) + class_size(c) : 0;
}

// Called for a piece of free memory: true to go on.
typedef bool piece_fn(void *user, unsigned char *at, size_t size);

// The free blocks of a class, and the free words of its chunks.  Poisoned
// blocks are so as a whole: a part of the last one counts only where there is
// none.
static bool class_pieces(const struct heap *h, size_t room, uint32_t c,
                         size_t beyond, piece_fn *each, void *user)
{
    unsigned char *range = class_at(h, room, c);
    size_t end = class_used(h, c) + beyond, size = class_size(c);
    size_t least = h->poison ? size : 1;
    if (end > class_room(room))
        end = class_room(room);
    for (uint32_t i = 0; block_at(c, i) + least <= end; i += CHUNK_BLOCKS) {
        size_t at = block_at(c, i);
        uint64_t live =
            i < h->used[c] ? *chunk_bits(range, c, i / CHUNK_BLOCKS) : 0;
        if (!each(user, range + at - CHUNK_HEAD / 2, CHUNK_HEAD / 2))
            return false;
        for (uint32_t k = 0; k < CHUNK_BLOCKS && at + least <= end; k++) {
            size_t piece = end - at < size ? end - at : size;
            if (!(live >> k & 1) && !each(user, range + at, piece))
                return false;
            at += size;
        }
    }
    return true;
}

static bool page_pieces(const struct heap *h, size_t room, size_t beyond,
                        piece_fn *each, void *user)
{
    const uint16_t *run = runs_of(h);
    uint32_t most = h->pages + (uint32_t)((beyond + HEAP_PAGE - 1) / HEAP_PAGE);
    if (most > pages_n(room))
        most = pages_n(room);
    for (uint32_t i = 0; i < most; i += run[i] ? run[i] : 1u)
        if (!run[i] &&
            !each(user, pages_at(h, room) + (size_t)i * HEAP_PAGE,
                  i < h->pages || beyond >= HEAP_PAGE ? HEAP_PAGE : beyond))
            return false;
    return true;
}

static void pieces(const struct heap *h, size_t room, size_t beyond,
                   piece_fn *each, void *user)
{
    for (uint32_t m = h->mask & ~PAGES_BIT; m; m &= m - 1)
        if (!class_pieces(h, room, (uint32_t)__builtin_ctz(m), beyond, each,
                          user))
            return;
    if (h->mask & PAGES_BIT)
        page_pieces(h, room, beyond, each, user);
}

// A piece has the value of its first byte, or its last one if only the first
// was written: zero, or poison that may have come later than other pieces'.
static bool find_stray(void *user, unsigned char *at, size_t size)
{
    unsigned char **found = user;
    unsigned char is = at[size - 1] == HEAP_POISON ? HEAP_POISON : 0;
    if (at[0] == is && memcmp(at, at + 1, size - 1) == 0)
        return true;
    while (*at == is)
        at++;
    *found = at;
    return false;
}

unsigned char *heap_stray(const struct heap *h, size_t room, size_t beyond)
{
    unsigned char *found = NULL;
    pieces(h, room, beyond, find_stray, &found);
    return found;
}

static bool is_zero(const unsigned char *at, size_t size)
{
    return !size || (!*at && memcmp(at, at + 1, size - 1) == 0);
}

// The first `n` blocks of a chunk.
static inline bool chunk_intact(const unsigned char *chunk, size_t n,
                                size_t size)
{
    uint64_t head[2];
    memcpy(head, chunk, sizeof head);
    chunk += CHUNK_HEAD;
    for (; n; n--, chunk += size, head[0] >>= 1)
        if (!(head[0] & 1 ? heap_fenced(chunk, size) : is_zero(chunk, size)))
            return false;
    return !head[1];
}

// What lies behind the last block of a class is one piece.
static inline bool class_intact(const struct heap *h, size_t room, uint32_t c,
                                size_t beyond)
{
    const unsigned char *chunk = class_at(h, room, c);
    const unsigned char *end = chunk + class_room(room), *tail;
    size_t size = class_size(c), n = h->used[c];
    for (; n > CHUNK_BLOCKS; n -= CHUNK_BLOCKS, chunk += chunk_size(c))
        if (!chunk_intact(chunk, CHUNK_BLOCKS, size))
            return false;
    tail = chunk + CHUNK_HEAD + n * size;
    if (beyond > (size_t)(end - tail))
        beyond = (size_t)(end - tail);
    return chunk_intact(chunk, n, size) && is_zero(tail, beyond);
}

bool heap_watches(const struct heap *h, size_t room, const unsigned char *block,
                  size_t whole, size_t beyond)
{
    uint32_t c = whole <= HEAP_SMALL_MOST ? class_of(whole) : HEAP_CLASSES;
    return c < HEAP_CLASSES && h->used[c] &&
           (size_t)(block - class_at(h, room, c)) + whole <=
               class_used(h, c) + beyond;
}

bool heap_intact(const struct heap *h, size_t room, size_t beyond)
{
    if (h->poison || h->mask & PAGES_BIT)
        return !heap_damaged(h, room) && !heap_stray(h, room, beyond);
    for (uint32_t m = h->mask; m; m &= m - 1)
        if (!class_intact(h, room, (uint32_t)__builtin_ctz(m), beyond))
            return false;
    return true;
}

static bool fill_piece(void *user, unsigned char *at, size_t size)
{
    memset(at, *(const unsigned char *)user, size);
    return true;
}

static bool set_fence(void *user, unsigned char *block, size_t whole)
{
    size_t size = size_of(block, whole);
    if (size != SIZE_MAX)
        memset(block + size, *(const unsigned char *)user,
               whole - size - FENCE_LEAST);
    return true;
}

void heap_poison(struct heap *h, size_t room, size_t beyond)
{
    h->poison = HEAP_POISON;
    h->mask |= PAGES_BIT; // the first pages, too
    pieces(h, room, beyond, fill_piece, &(unsigned char){HEAP_POISON});
    live_blocks(h, room, set_fence, &(unsigned char){FENCE_POISONED});
}

void heap_heal(struct heap *h, size_t room, size_t beyond)
{
    h->poison = 0;
    h->mask |= PAGES_BIT;
    pieces(h, room, beyond, fill_piece, &(unsigned char){0});
    live_blocks(h, room, set_fence, &(unsigned char){FENCE});
    for (uint32_t m = h->mask & ~PAGES_BIT; m; m &= m - 1)
        shrink_class(h, room, (uint32_t)__builtin_ctz(m));
    shrink_pages(h);
    debug_check(heap_check(h, room));
}

struct near {
    const unsigned char *to;
    unsigned char *block; // the nearest so far, NULL: none
    size_t apart;
};

static bool find_near(void *user, unsigned char *block, size_t whole)
{
    struct near *n = user;
    size_t apart = n->to < block ? (size_t)(block - n->to)
                                 : (size_t)(n->to - block) - whole + 1;
    if (!n->block || apart < n->apart) {
        n->block = block;
        n->apart = apart;
    }
    return true;
}

void *heap_neighbour(const struct heap *h, size_t room, const void *p)
{
    struct near n = {.to = p};
    live_blocks(h, room, find_near, &n);
    return n.block;
}

// ---- images ---------------------------------------------------------------

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
