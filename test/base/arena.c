#include "base/arena.h"

#include "base/rng.h"
#include "dies.h"
#include "test.h"

#include <stdint.h>

TEST(arena_pieces_do_not_overlap)
{
    enum { N = 2000 };
    static unsigned char *at[N];
    static size_t sizes[N];
    struct arena a = {0};
    struct rng r = rng_of(1);
    for (uint32_t i = 0; i < N; i++) {
        // now and then one that is larger than any block
        sizes[i] = rng_below(&r, i % 100 ? 300 : 3 << 20);
        at[i] = arena_get(&a, sizes[i]);
        CHECK((uintptr_t)at[i] % 16 == 0);
        memset(at[i], (int)(i % 251), sizes[i]);
    }
    for (uint32_t i = 0; i < N; i++)
        for (size_t k = 0; k < sizes[i]; k += 97)
            CHECK(at[i][k] == i % 251);
    arena_free(&a);
    CHECK(!a.block && a.bytes == 0);
}

TEST(arena_copies_texts)
{
    struct arena a = {0};
    char s[] = "abc";
    const char *copy = arena_text(&a, s);
    s[0] = 'x';
    CHECK_TEXT(copy, "abc");
    CHECK_TEXT(arena_format(&a, "%d and %s", 12, copy), "12 and abc");
    const unsigned char *zero = arena_zero(&a, 100);
    for (int i = 0; i < 100; i++)
        CHECK(zero[i] == 0);
    CHECK(arena_copy(&a, NULL, 0) != NULL);
    arena_free(&a);
}

TEST(arena_clear_keeps_the_first_block)
{
    struct arena a = {0};
    arena_clear(&a);
    const void *first = arena_get(&a, 100);
    uint64_t bytes = a.bytes;
    for (int i = 0; i < 1000; i++)
        arena_get(&a, 1000);
    CHECK(a.bytes > 1000000);
    arena_clear(&a);
    CHECK(a.bytes == bytes);
    CHECK(arena_get(&a, 100) == first);
    arena_free(&a);
}

static void get_too_much(void *a)
{
    arena_get(a, SIZE_MAX - 3);
}

TEST(arena_asserts_sizes)
{
    struct arena a = {0};
    CHECK(asserts(get_too_much, &a));
    arena_free(&a);
}

TEST_MAIN()
