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
typedef void *heap_get_fn(struct heap *h, size_t room, size_t size,
                          size_t align);
heap_get_fn heap_get;
// The same with addresses in another order: later blocks lie below earlier
// ones, and every second one is among larger ones.
heap_get_fn heap_get_scattered;
// The size that was asked for when the live block at p was allocated; 0 if no
// live block starts at p.  If its fence is damaged: the size with the fence.
size_t heap_size(const struct heap *h, size_t room, const void *p);
// The size of that block with its fence.  heap_asked() gives the size that was
// asked for, of a block whose size with the fence is known.
size_t heap_whole(const struct heap *h, size_t room, const void *p);
size_t heap_asked(const void *block, size_t whole);
// Change the size of a live block where it is; false if it had better move.
bool heap_resize(struct heap *h, size_t room, void *p, size_t size);
// Is the fence of a live block as it was put up?
bool heap_fenced(const void *block, size_t whole);
// The first live block whose fence is damaged, NULL if none is.
void *heap_damaged(const struct heap *h, size_t room);
// A byte of free memory that was written to, NULL if none is found.  Looks at
// all free memory between blocks, and at `beyond` bytes behind the last block
// of each size.
unsigned char *heap_stray(const struct heap *h, size_t room, size_t beyond);
// Is no fence damaged and no free memory written to?  One quick look.
bool heap_intact(const struct heap *h, size_t room, size_t beyond);
// If this block is free: would heap_intact() notice a write to it?  `whole` is
// its size with the fence.  False if that is not known.
bool heap_watches(const struct heap *h, size_t room, const unsigned char *block,
                  size_t whole, size_t beyond);
// Poison the memory that heap_stray() looks at, and the fences.  heap_heal()
// takes the poison away; blocks may come and go in between.
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
// The same; `whole` is what heap_whole() says of it.
void heap_put_whole(struct heap *h, size_t room, void *p, size_t whole);
// Does the heap's memory contain p?
static inline bool heap_in(const struct heap *h, size_t room, const void *p)
{
    return (uintptr_t)p - (uintptr_t)h < room;
}

// The used parts, at most HEAP_EXTENTS; the struct heap itself comes first.
enum { HEAP_EXTENTS = HEAP_CLASSES + 3 };
uint32_t heap_extents(const struct heap *h, size_t room,
                      struct extent out[HEAP_EXTENTS]);
// The heap as bytes: the numbers of its struct that are not zero, then the used
// parts.  The heap is not poisoned.  heap_save() and heap_load() return where
// the image ends.  heap_load() makes zero what the heap used before.
size_t heap_image_size(const struct heap *h);
unsigned char *heap_save(const struct heap *h, size_t room, unsigned char *to);
const unsigned char *heap_load(struct heap *h, size_t room,
                               const unsigned char *from);
// Zero what `old` used and the heap does not.
void heap_trim(const struct heap *h, size_t room, const struct heap *old);
// Number of live blocks.
uint32_t heap_live(const struct heap *h, size_t room);
// Does the bookkeeping fit together?  What the blocks hold is the program's.
void heap_check(const struct heap *h, size_t room);

#endif
