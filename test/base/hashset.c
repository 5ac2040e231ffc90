#include "base/hashset.h"

#include "base/rng.h"
#include "test.h"

// 0 and 1 were one hash once.
TEST(hashset_tells_small_hashes_apart)
{
    struct hashset s = {0};
    CHECK(!hashset_has(&s, 0) && !hashset_has(&s, 1));
    CHECK(hashset_add(&s, 1));
    CHECK(!hashset_has(&s, 0));
    CHECK(hashset_add(&s, 0));
    CHECK(!hashset_add(&s, 0) && !hashset_add(&s, 1));
    CHECK_EQ(s.n, 2);
    hashset_check(&s);
    hashset_free(&s);
}

// A naive twin: hashes below 5000 as flags.
TEST(hashset_agrees_with_its_twin)
{
    enum { N = 5000 };
    static bool twin[N];
    struct hashset s = {0};
    struct rng r = rng_of(2);
    uint64_t n = 0;
    for (int i = 0; i < 2 * N; i++) {
        uint64_t h = rng_below(&r, N);
        CHECK(hashset_has(&s, h) == twin[h]);
        CHECK(hashset_add(&s, h) == !twin[h]);
        n += !twin[h];
        twin[h] = true;
        if (i % 512 == 0)
            hashset_check(&s);
    }
    CHECK_EQ(s.n, n);
    for (uint64_t i = 0, h; hashset_next(&s, &i, &h); n--) {
        CHECK(h < N && twin[h]);
        twin[h] = false;
    }
    CHECK_EQ(n, 0);
    hashset_free(&s);
}

TEST(hashset_keeps_its_cap)
{
    struct hashset s = {.cap = 3};
    for (uint64_t h = 0; h < 3; h++)
        CHECK(hashset_add(&s, h));
    CHECK(!s.more);
    CHECK(hashset_add(&s, 3) && hashset_add(&s, 3));
    CHECK(s.more && s.n == 3 && !hashset_has(&s, 3));
    hashset_clear(&s);
    CHECK(s.n == 0 && !s.more && !hashset_has(&s, 0) && !hashset_has(&s, 2));
    CHECK(hashset_add(&s, 3));
    hashset_free(&s);
}

TEST(hashset_next_of_an_empty_set)
{
    struct hashset s = {0};
    uint64_t i = 0, h;
    CHECK(!hashset_next(&s, &i, &h));
    hashset_add(&s, 0);
    CHECK(hashset_next(&s, &i, &h) && h == 0);
    CHECK(!hashset_next(&s, &i, &h));
    hashset_free(&s);
}

TEST_MAIN()
