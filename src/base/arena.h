// Memory that is given back all at once.  All zero is an empty arena.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    struct arena_block *block;
    size_t used;     // of the newest block
    uint64_t bytes;  // held in all
};

// Uninitialised memory aligned to 16; dies without memory.
void *arena_get(struct arena *a, size_t size);
void *arena_zero(struct arena *a, size_t size);
void *arena_copy(struct arena *a, const void *from, size_t size);
char *arena_text(struct arena *a, const char *s);
char *arena_format(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Give everything back, or all but the first block.
void arena_free(struct arena *a);
void arena_clear(struct arena *a);

#endif
