#include "base/rng.h"

#include "test.h"

// Kept schedules and seeds in reports depend on these numbers.
TEST(rng_gives_the_same_numbers_for_ever)
{
    struct rng r = rng_of(1);
    CHECK(rng_next(&r) == 0xe99ff867dbf682c9);
    CHECK(rng_next(&r) == 0x382ff84cb27281e9);
    CHECK(rng_next(&r) == 0x6d1db36ccba982d2);
}

TEST(rng_below_reaches_all_and_no_more)
{
    struct rng r = rng_of(3);
    unsigned hits[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint32_t x = rng_below(&r, 7);
        CHECK(x < 7);
        hits[x]++;
    }
    for (int i = 0; i < 7; i++)
        CHECK(hits[i] > 800 && hits[i] < 1200);
    for (int i = 0; i < 100; i++)
        CHECK(rng_below(&r, 1) == 0);
}

TEST(rng_unit_is_below_one)
{
    struct rng r = rng_of(4);
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double x = rng_unit(&r);
        CHECK(x >= 0 && x < 1);
        sum += x;
    }
    CHECK(sum > 4800 && sum < 5200);
}

// Users count seeds up: what one draws says nothing of what the next one draws.
// Of 64 seeds in a row the number that draw 1 of 2 has the variance of chance,
// and neighbours agree in half of the cases.
TEST(neighbouring_seeds_draw_independently)
{
    for (int draw = 0; draw < 4; draw++) {
        enum { ROWS = 2000, ROW = 64 };
        double variance = 0, same = 0;
        uint32_t before = 0;
        for (uint64_t row = 0; row < ROWS; row++) {
            double ones = 0;
            for (uint64_t i = 0; i < ROW; i++) {
                struct rng r = rng_of(row * ROW + i);
                for (int k = 0; k < draw; k++)
                    rng_next(&r);
                uint32_t x = rng_below(&r, 2);
                ones += x;
                same += x == before;
                before = x;
            }
            variance += (ones - ROW / 2) * (ones - ROW / 2) / (ROW / 4);
        }
        CHECK(variance / ROWS > 0.85 && variance / ROWS < 1.15);
        CHECK(same / (ROWS * ROW) > 0.49 && same / (ROWS * ROW) < 0.51);
    }
}

TEST_MAIN()
