#include "base/map.h"

#include "base/rng.h"
#include "test.h"

TEST(map_keeps_what_was_put)
{
    enum { N = 5000 };
    static uint64_t keys[N];
    struct map m = {0};
    struct rng r = rng_of(1);
    CHECK(map_get(&m, 7) == MAP_NONE);
    for (uint32_t i = 0; i < N; i++) {
        // half of the keys are small numbers, which share low bits
        keys[i] = i % 2 ? rng_next(&r) | 1u << 31 : (uint64_t)(i + 1) << 12;
        map_put(&m, keys[i], i);
        if (i % 64 == 0)
            map_check(&m);
    }
    CHECK_EQ(m.n, N);
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(map_get(&m, keys[i]), i);
    CHECK(map_get(&m, 3) == MAP_NONE);
    CHECK(*map_at(&m, keys[9]) == 9);
    map_put(&m, keys[9], 10);
    CHECK(m.n == N && map_get(&m, keys[9]) == 10);
    map_clear(&m);
    CHECK(map_get(&m, keys[9]) == MAP_NONE);
    map_free(&m);
}

// Once, a 0 key was lost and counted each time.
TEST(map_takes_any_key)
{
    static const uint64_t keys[] = {0,          1,          2,
                                    UINT64_MAX, 1ull << 63, 1ull << 32};
    enum { N = sizeof keys / sizeof *keys };
    struct map m = {0};
    CHECK(map_get(&m, 0) == MAP_NONE);
    for (uint32_t i = 0; i < N; i++) {
        CHECK(map_get(&m, keys[i]) == MAP_NONE);
        CHECK(*map_at(&m, keys[i]) == MAP_NONE);
        map_put(&m, keys[i], i);
        map_check(&m);
    }
    CHECK_EQ(m.n, N);
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(map_get(&m, keys[i]), i);
    map_put(&m, 0, 9);
    CHECK(m.n == N && map_get(&m, 0) == 9);
    map_free(&m);
}

TEST(map_pairs_are_different)
{
    CHECK(map_pair(0, 1) != map_pair(1, 0));
    CHECK(map_pair(UINT32_MAX, 0) != map_pair(0, 0));
    CHECK(map_pair(3, UINT32_MAX) != map_pair(4, UINT32_MAX));
}

TEST_MAIN()
