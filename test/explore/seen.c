#include "explore/seen.h"

#include "base/rng.h"
#include "test.h"

static struct digest digest_of(uint64_t i)
{
    return digest_bytes(&i, sizeof i, 0);
}

TEST(states_have_numbers_in_order_of_discovery)
{
    enum { N = 60000 };
    struct seen s = {0};
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N; i++) {
            CHECK_EQ(seen_find(&s, digest_of(i)), SEEN_NONE);
            CHECK_EQ(seen_add(&s, digest_of(i)), i);
            CHECK_EQ(*seen_word(&s, i), 0);
            *seen_word(&s, i) = i + 7;
        }
        for (uint32_t i = 0; i < N; i++) {
            CHECK_EQ(seen_find(&s, digest_of(i)), i);
            CHECK_EQ(*seen_word(&s, i), i + 7);
            CHECK(digest_equal(seen_digest(&s, i), digest_of(i)));
        }
        CHECK_EQ(s.n, N);
        seen_clear(&s);
        CHECK_EQ(s.n, 0);
    }
    seen_free(&s);
}

// Each half alone would take two states for one.
TEST(both_halves_of_a_digest_count)
{
    struct seen s = {0};
    struct rng r = rng_of(3);
    for (uint32_t i = 0; i < 40; i++) {
        struct digest d = digest_of(rng_below(&r, 1000000));
        struct digest low = {d.low, d.high ^ 1}, high = {d.low ^ 1, d.high};
        uint32_t n = s.n;
        CHECK_EQ(seen_add(&s, d), n);
        CHECK_EQ(seen_find(&s, low), SEEN_NONE);
        CHECK_EQ(seen_find(&s, high), SEEN_NONE);
        CHECK_EQ(seen_add(&s, low), n + 1);
        CHECK_EQ(seen_add(&s, high), n + 2);
        CHECK_EQ(seen_find(&s, d), n);
    }
    seen_free(&s);
}
TEST_MAIN()
