// auto: budgets, interruptions, parts, and that its slices are counted.
#include "explore/portfolio.h"
#include "test.h"
#include "toy/toy.h"

#include <string.h>

static const struct explore_sink deaf;

static struct explore_result search(struct toy *t, struct explore_options o)
{
    struct explore_result r;
    explore(toy_play(t), &o, &deaf, &r);
    toy_free(t);
    return r;
}

// The time a search takes is all that may differ.
static bool same(struct explore_result a, struct explore_result b)
{
    a.seconds = b.seconds = 0;
    return a.executions == b.executions && a.warm_up == b.warm_up &&
           a.receives == b.receives && a.decided == b.decided &&
           !memcmp(a.share, b.share, sizeof a.share) &&
           a.finals_hash == b.finals_hash && a.stopped_by == b.stopped_by;
}

TEST(same_seed_same_search)
{
    struct explore_options o = {.slice = 500, .schedules = 3000, .seed = 7};
    struct explore_result a = search(toy_new("writers", 8, 0, 0, 0), o);
    struct explore_result b = search(toy_new("writers", 8, 0, 0, 0), o);
    o.seed = 8;
    struct explore_result c = search(toy_new("writers", 8, 0, 0, 0), o);
    CHECK(same(a, b));
    CHECK(!same(a, c));
}

TEST(all_strategies_get_their_share_of_what_is_allowed)
{
    struct explore_options o = {.slice = 1000, .schedules = 4000};
    struct explore_result r = search(toy_new("writers", 9, 0, 0, 0), o);
    static const enum strategy some[] = {STRATEGY_OPTIMAL, STRATEGY_RANDOM,
                                         STRATEGY_POS, STRATEGY_PCT,
                                         STRATEGY_URW};
    CHECK(r.stopped_by == STOP_SCHEDULES);
    CHECK_EQ(explore_made(&r), 4000);
    for (int i = 0; i < 5; i++)
        CHECK(r.share[some[i]] > 30);
}

static bool stop_soon(void *self)
{
    int *left = self;
    return --*left < 0;
}

// Interrupted again and again: all classes are made, each once.
TEST(what_is_left_goes_on_as_units)
{
    struct work_list left = {0};
    uint64_t executions = 0;
    int rounds = 0;
    do {
        int looks = 3;
        struct explore_sink sink = {.self = &looks, .stop = stop_soon};
        struct explore_options o = {.keep_going = true,
                                    .no_warm_up = true,
                                    .part = rounds ? PART_UNITS : PART_ALL,
                                    .slice = 400};
        struct toy *t = toy_new("writers", 7, 0, 0, 0);
        struct work_list rest = {0};
        struct explore_result r;
        CHECK(portfolio_explore(toy_play(t), &o, left.list.at, left.list.n,
                                &sink, &r, &rest));
        work_list_free(&left);
        left = rest;
        executions += r.executions;
        toy_free(t);
        rounds++;
    } while (left.list.n && rounds < 1000);
    CHECK(rounds > 3);
    CHECK_EQ(executions, 5040);
}

TEST(states_alone_decide)
{
    struct explore_options o = {.part = PART_STATES, .slice = 100};
    struct explore_result r = search(toy_new("phils", 5, 0, 0, 0), o);
    CHECK(r.complete);
    CHECK(r.decided == STRATEGY_STATEFUL || r.decided == STRATEGY_REDUCED);
    CHECK_EQ(r.share[STRATEGY_RANDOM] + r.share[STRATEGY_OPTIMAL], 0);
}

TEST_MAIN()
