// Estimates of the number of classes say how far off they may be: nine times of
// ten the truth lies in the interval.
#include "explore/optimal/optimal.h"
#include "test.h"
#include "toy/toy.h"

static const struct tree {
    const char *name;
    int n;
    enum delivery delivery;
    double size;
} trees[] = {
    {"twophase", 5, DELIVERY_PAIR, 120}, {"ring", 5, DELIVERY_PAIR, 225},
    {"phils", 4, DELIVERY_PAIR, 225},    {"phils", 5, DELIVERY_MAILBOX, 841},
    {"posters", 3, DELIVERY_PAIR, 90},   {"gatling", 4, DELIVERY_CAUSAL, 576}};

static struct spread estimate(const struct tree *x, uint32_t n, uint64_t seed)
{
    static const struct explore_sink deaf;
    struct toy *t = toy_new(x->name, x->n, 0, 0, 0);
    struct explore_options o = {.delivery = x->delivery, .keep_going = true};
    struct explore_result r;
    struct search s;
    search_init(&s, toy_play(t), &o, &deaf, &r);
    struct spread found = optimal_estimate(&s, n, seed);
    search_release(&s);
    toy_free(t);
    return found;
}

TEST(the_truth_lies_in_the_interval_as_often_as_it_says)
{
    uint32_t in = 0, all = 0;
    for (uint32_t i = 0; i < sizeof trees / sizeof *trees; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct spread e = estimate(&trees[i], 150, seed);
            CHECK(e.low <= e.mean && e.mean <= e.high);
            in += e.low <= trees[i].size * 1.001 &&
                  trees[i].size <= e.high * 1.001;
            all++;
        }
    CHECK(10 * in >= 9 * all - 10);
}

// An interval that holds everything says nothing.
TEST(the_interval_is_not_wide)
{
    for (uint32_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct spread e = estimate(&trees[i], 2000, 3);
        CHECK(e.high < 3 * e.low);
    }
}

TEST(few_probes_have_none)
{
    double one[] = {4, 6};
    struct spread s = spread_of(one, 2);
    CHECK(s.mean > 4.9 && s.mean < 5.1);
    CHECK(s.high < 0);
    CHECK(spread_of(one, 0).mean < 0);
}

TEST(what_was_made_is_a_lower_bound)
{
    struct spread s = {50, 20, 70};
    spread_raise(&s, 30);
    CHECK(s.low > 29.9 && s.mean > 49.9 && s.high > 69.9);
    spread_raise(&s, 90);
    CHECK(s.low > 89.9 && s.mean > 89.9 && s.high > 89.9);
}

TEST_MAIN()
