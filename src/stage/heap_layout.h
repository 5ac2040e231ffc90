// Layout of a heap of `room` bytes: struct heap, at 4096 the lengths of page
// runs, at 128 KiB the classes' ranges of room / 64 each, but at most 256 KiB,
// then the pages.
//
// A class's range is a row of chunks: a word of live bits, a free word, 64
// blocks.  A page run's length stands at its first page, PART at the others.
#ifndef STAGE_HEAP_LAYOUT_H
#define STAGE_HEAP_LAYOUT_H

#include "stage/heap.h"

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

static inline uint32_t class_size(uint32_t c)
{
    return class_sizes[c];
}

static inline uint32_t class_of(size_t size)
{
    if (size <= 128)
        return size ? (uint32_t)(size - 1) / 16 : 0;
    uint32_t top = 63 - (uint32_t)__builtin_clzll(size - 1);
    uint32_t quarter = (uint32_t)((size - 1) >> (top - 2)) & 3;
    return 8 + 4 * (top - 7) + quarter;
}

static inline size_t class_room(size_t room)
{
    return room / 64 < CLASS_MOST ? room / 64 : CLASS_MOST;
}

static inline unsigned char *class_at(const struct heap *h, size_t room,
                                      uint32_t c)
{
    return (unsigned char *)(uintptr_t)h + CLASSES_AT + c * class_room(room);
}

static inline size_t chunk_size(uint32_t c)
{
    return CHUNK_HEAD + (size_t)CHUNK_BLOCKS * class_size(c);
}

// Offset in its range of block i.
static inline size_t block_at(uint32_t c, uint32_t i)
{
    return i / CHUNK_BLOCKS * chunk_size(c) + CHUNK_HEAD +
           i % CHUNK_BLOCKS * (size_t)class_size(c);
}

static inline uint64_t *chunk_bits(unsigned char *range, uint32_t c,
                                   uint32_t chunk)
{
    return (uint64_t *)(void *)(range + chunk * chunk_size(c));
}

static inline size_t pages_offset(size_t room)
{
    return CLASSES_AT + HEAP_CLASSES * class_room(room) + CLASSES_AT;
}

static inline unsigned char *pages_at(const struct heap *h, size_t room)
{
    return (unsigned char *)(uintptr_t)h + pages_offset(room);
}

static inline uint32_t pages_n(size_t room)
{
    size_t n = (room - pages_offset(room)) / HEAP_PAGE;
    size_t most = (CLASSES_AT - RUNS_AT) / sizeof(uint16_t);
    return (uint32_t)(n < most ? n : most);
}

static inline uint16_t *runs_of(const struct heap *h)
{
    return (uint16_t *)(void *)((unsigned char *)(uintptr_t)h + RUNS_AT);
}

// The bytes of a class up to the end of its highest live block.
static inline size_t class_used(const struct heap *h, uint32_t c)
{
    return h->used[c] ? block_at(c, h->used[c] - 1u) + class_size(c) : 0;
}

// The size of the block in front of its fence, SIZE_MAX if that has no length.
static inline size_t fenced_size(const unsigned char *block, size_t whole)
{
    uint16_t length;
    memcpy(&length, block + whole - FENCE_LEAST, sizeof length);
    return length < FENCE_LEAST || length > whole ? SIZE_MAX : whole - length;
}

// Are these bytes all the same?  Fences mostly have no more than two words.
static inline bool uniform(const unsigned char *at, size_t n)
{
    uint64_t first, last;
    if (n < sizeof first || n > 2 * sizeof first)
        return n < 2 || memcmp(at, at + 1, n - 1) == 0;
    memcpy(&first, at, sizeof first);
    memcpy(&last, at + n - sizeof last, sizeof last);
    return first == last && first == at[0] * UINT64_C(0x0101010101010101);
}

// Called for a live block with its fence: true to go on.
typedef bool heap_block_fn(void *user, unsigned char *block, size_t whole);
void heap_each(const struct heap *h, size_t room, heap_block_fn *each,
               void *user);
// Let every class, and the pages, end with its highest live block.
void heap_shrink(struct heap *h, size_t room);

#endif
