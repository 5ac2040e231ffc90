// Memory for runs that are left anywhere: all of it is set back at once.
//
// Runtime and program draw on it.  Blocks that are freed are used again within
// a run; blocks given out are zero.
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
