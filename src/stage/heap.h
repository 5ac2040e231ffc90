// A heap whose layout is a function of what lives in it.
//
// One address range per size class; a block goes to the lowest free index, is
// zeroed when freed, and the only bookkeeping is which indices live.  So
// histories that lead to the same live blocks in the same places lead to equal
// bytes.  Blocks above 4 KiB are runs of pages, lowest first.
//
// Behind what was asked for, each block has a fence to its end: bytes of one
// value, and in the last two its length.  A write past the end of a block shows
// there.  Memory that no block has is zero.
//
// A heap can be *poisoned*: then its free memory holds another value, and so do
// the fences.  Whoever reads there sees that.
//
// All-zero memory is an empty heap: nothing needs to be set up.
#ifndef STAGE_HEAP_H
#define STAGE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEAP_CLASSES = 28, HEAP_SMALL_MOST = 4096, HEAP_PAGE = 4096 };

struct heap {
    uint32_t mask;               // classes in use; bit HEAP_CLASSES: pages
    uint16_t used[HEAP_CLASSES]; // highest live index + 1
    uint16_t pages;              // highest live page + 1
    uint16_t poison;             // bytes of free memory: 0, or HEAP_POISON
};
enum { HEAP_POISON = 0xdd };

// A range of the heap's memory.
struct extent {
    unsigned char *at;
    size_t size;
};

// `room` is the whole size of the heap's memory, a multiple of 4 MiB.
// The block is zero, size bytes of it; NULL if there is no room.
void *heap_get(struct heap *h, size_t room, size_t size, size_t align);
// The size that was asked for of the live block that starts at p (all of it if
// that cannot be read any more), 0 if there is none.
size_t heap_size(const struct heap *h, size_t room, const void *p);
// The same with its fence.
size_t heap_whole(const struct heap *h, size_t room, const void *p);
// Change the size of a live block where it is; false if it had better move.
bool heap_resize(struct heap *h, size_t room, void *p, size_t size);
// Is p the start of a live block, and is its fence as it was put up?
enum heap_is { HEAP_NO_BLOCK, HEAP_BLOCK, HEAP_DAMAGED };
enum heap_is heap_is(const struct heap *h, size_t room, const void *p);
// The first live block whose fence is damaged, NULL if none is.
void *heap_damaged(const struct heap *h, size_t room);
// A byte of free memory that somebody wrote to, NULL if none is found.  Looks
// at all of it between blocks, and `beyond` bytes behind the last one of each
// size.
unsigned char *heap_stray(const struct heap *h, size_t room, size_t beyond);
// Poison that memory and the fences; and make all of it as it was.  Blocks may
// come and go in between.
void heap_poison(struct heap *h, size_t room, size_t beyond);
void heap_heal(struct heap *h, size_t room, size_t beyond);
// The live block nearest to an address of free memory, NULL if there is none.
void *heap_neighbour(const struct heap *h, size_t room, const void *p);
// The largest block that an empty heap has.
size_t heap_most(size_t room);
// The live block that contains p, NULL if none.
void *heap_block(const struct heap *h, size_t room, const void *p);
// p is the start of a live block.
void heap_put(struct heap *h, size_t room, void *p);
// Does the heap's memory contain p?
static inline bool heap_in(const struct heap *h, size_t room, const void *p)
{
    return (uintptr_t)p - (uintptr_t)h < room;
}

// The used parts, at most HEAP_EXTENTS; the struct heap itself comes first.
enum { HEAP_EXTENTS = HEAP_CLASSES + 3 };
uint32_t heap_extents(const struct heap *h, size_t room,
                      struct extent out[HEAP_EXTENTS]);
// Zero what `old` used and the heap does not.
void heap_trim(const struct heap *h, size_t room, const struct heap *old);
// Number of live blocks.
uint32_t heap_live(const struct heap *h, size_t room);
// Does the bookkeeping fit together?  What the blocks hold is the program's.
void heap_check(const struct heap *h, size_t room);

#endif
