#include "base/arena.h"
#include "base/die.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *older;
    size_t size;
    _Alignas(ALIGN) char data[];
};

// Not inlined: arena_get() is called all the time and rarely comes here.
__attribute__((noinline)) static void grow(struct arena *a, size_t size)
{
    size_t n = a->block ? a->block->size * 2 : FIRST_BLOCK;
    if (n > LARGEST_BLOCK)
        n = LARGEST_BLOCK;
    if (n < size)
        n = size;
    struct arena_block *b = need(sizeof *b + n);
    b->older = a->block;
    b->size = n;
    a->block = b;
    a->used = 0;
    a->bytes += sizeof *b + n;
}

void *arena_get(struct arena *a, size_t size)
{
    assert(size < SIZE_MAX / 2);
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!a->block || a->block->size - a->used < size)
        grow(a, size);
    void *p = a->block->data + a->used;
    a->used += size;
    return p;
}

void *arena_zero(struct arena *a, size_t size)
{
    return memset(arena_get(a, size), 0, size);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
    void *p = arena_get(a, size);
    return size ? memcpy(p, from, size) : p;
}

char *arena_text(struct arena *a, const char *s)
{
    return arena_copy(a, s, strlen(s) + 1);
}

char *arena_format(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        die("cannot format '%s'", format);
    char *s = arena_get(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

static void release(struct arena *a, const struct arena_block *keep)
{
    while (a->block != keep) {
        struct arena_block *older = a->block->older;
        a->bytes -= sizeof *a->block + a->block->size;
        free(a->block);
        a->block = older;
    }
    a->used = 0;
}

void arena_free(struct arena *a)
{
    release(a, NULL);
}

void arena_clear(struct arena *a)
{
    struct arena_block *first = a->block;
    while (first && first->older)
        first = first->older;
    release(a, first);
}
