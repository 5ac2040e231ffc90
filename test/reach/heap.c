// Memory that is set back at once: blocks are zero, apart and used again.
#include "reach/heap.h"

#include "test.h"

#include <stdint.h>
#include <string.h>

enum { ROOM = 1 << 22 };

static bool is_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

TEST(blocks_are_zero_and_do_not_overlap)
{
    struct heap_arena *h = heap_arena_new(ROOM);
    unsigned char *at[200];
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 200; i++) {
            size_t size = (i * 37 + round) % 3000;
            at[i] = heap_arena_get(h, size, 16);
            CHECK(at[i] && (uintptr_t)at[i] % 16 == 0);
            CHECK(is_zero(at[i], size));
            CHECK_EQ(heap_arena_size(h, at[i]), size);
            memset(at[i], (int)i + 1, size);
            if (i % 3 == 1)
                heap_arena_put(h, at[i - 1]);
        }
        for (uint32_t i = 2; i < 200; i += 3)
            for (size_t k = 0; k < heap_arena_size(h, at[i]); k++)
                CHECK(at[i][k] == (unsigned char)(i + 1));
        heap_arena_reset(h);
    }
}

TEST(a_freed_block_is_used_again)
{
    struct heap_arena *h = heap_arena_new(ROOM);
    void *p = heap_arena_get(h, 100, 16);
    heap_arena_put(h, p);
    CHECK(heap_arena_get(h, 97, 16) == p);
    for (uint32_t i = 0; i < 1000000; i++)
        heap_arena_put(h, heap_arena_get(h, 5000, 16));
    CHECK(heap_arena_get(h, 5000, 16));
}

TEST(a_full_heap_says_so)
{
    struct heap_arena *h = heap_arena_new(ROOM);
    CHECK(!heap_arena_get(h, ROOM, 16));
    CHECK(!heap_arena_get(h, SIZE_MAX, 16));
    while (heap_arena_get(h, 60000, 64))
        ;
    heap_arena_reset(h);
    unsigned char *p = heap_arena_get(h, 60000, 64);
    CHECK(p && (uintptr_t)p % 64 == 0 && is_zero(p, 60000));
    CHECK(heap_arena_has(h, p) && !heap_arena_has(h, &p));
}

TEST_MAIN()
