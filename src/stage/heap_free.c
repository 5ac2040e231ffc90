// Memory of a heap that no block has: was it written to?  Poison, and taking
// the poison away.
#include "stage/heap.h"

#include "base/debug.h"
#include "stage/heap_layout.h"

#include <string.h>

// Called for a piece of free memory: true to go on.
typedef bool piece_fn(void *user, unsigned char *at, size_t size);

// The free blocks of a class, and the free words of its chunks.  Only whole
// blocks are poisoned, so in a poisoned heap a last block that `beyond` cuts
// off is left out.
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
    if (at[0] == is && uniform(at, size))
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
    return !size || (!*at && uniform(at, size));
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
    size_t size = fenced_size(block, whole);
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
    heap_each(h, room, set_fence, &(unsigned char){FENCE_POISONED});
}

void heap_heal(struct heap *h, size_t room, size_t beyond)
{
    h->poison = 0;
    h->mask |= PAGES_BIT;
    pieces(h, room, beyond, fill_piece, &(unsigned char){0});
    heap_each(h, room, set_fence, &(unsigned char){FENCE});
    heap_shrink(h, room);
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
    heap_each(h, room, find_near, &n);
    return n.block;
}
