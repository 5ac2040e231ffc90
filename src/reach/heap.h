// Memory for native runs, which may be left by a jump at any place: all of it
// is freed at once after a run.
//
// Runtime and program allocate from it.  A freed block is used again within a
// run; a new block is zero.
#ifndef REACH_HEAP_H
#define REACH_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap_arena; // opaque

// NULL without memory.
struct heap_arena *heap_arena_new(size_t room);
void heap_arena_reset(struct heap_arena *h);
// NULL if it is full.
void *heap_arena_get(struct heap_arena *h, size_t size, size_t align);
void heap_arena_put(struct heap_arena *h, void *p);
size_t heap_arena_size(const struct heap_arena *h, const void *p);
bool heap_arena_has(const struct heap_arena *h, const void *p);

#endif
