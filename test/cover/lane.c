// Coverage as a strategy of explore: beside others in auto, and alone.
#include "cover/lane.h"

#include "test.h"
#include "toy/toy.h"

#include <string.h>

static struct explore_result search(const char *toy, int n,
                                    struct explore_options o)
{
    static const struct explore_sink deaf;
    struct engine_above above = cover_above(NULL);
    struct toy *t = toy_new(toy, n, 0, 0, 0);
    struct explore_result r;
    o.cover = &above;
    explore(toy_play(t), &o, &deaf, &r);
    toy_free(t);
    return r;
}

TEST(a_share_of_auto_and_the_same_for_the_same_seed)
{
    struct explore_options o = {.slice = 4000, .schedules = 6000, .seed = 7};
    struct explore_result a = search("writers", 9, o);
    struct explore_result b = search("writers", 9, o);
    CHECK(a.stopped_by == STOP_SCHEDULES);
    CHECK_EQ(explore_made(&a), 6000);
    CHECK(a.share[STRATEGY_COVER] > 10);
    CHECK(!memcmp(a.share, b.share, sizeof a.share));
    CHECK_EQ(a.receives, b.receives);
}

// Messages in flight together are turned round at once.
TEST(alone_it_meets_a_rare_order_soon)
{
    struct explore_options o = {.strategy = STRATEGY_COVER, .schedules = 50};
    struct explore_result r = search("gatling", 12, o);
    CHECK(r.stopped_by == STOP_BUG);
    CHECK(!r.complete);
}

TEST(what_ends_are_executions_and_they_have_final_states)
{
    struct explore_options o = {.strategy = STRATEGY_COVER, .schedules = 300};
    struct explore_result r = search("writers", 4, o);
    CHECK(r.stopped_by == STOP_SCHEDULES);
    CHECK_EQ(r.executions, 300);
    CHECK_EQ(r.final_states, 24);
    o.schedules = 0;
    r = search("writers", 3, o);
    CHECK(r.stopped_by == STOP_SAMPLED);
    CHECK_EQ(r.executions, 10000);
}

// Others hold ids of the play, so a lane must not let it forget when it is
// full.
TEST(a_full_play_forgets_nothing_that_others_hold)
{
    static const struct explore_sink deaf;
    struct engine_above above = cover_above(NULL);
    struct explore_options o = {.slice = 2000, .seed = 3, .cover = &above};
    struct toy *t = toy_new_limit("writers", 6, 20000);
    struct explore_result r;
    explore(toy_play(t), &o, &deaf, &r);
    CHECK(r.complete);
    CHECK_EQ(r.final_states, 720);
    CHECK(r.share[STRATEGY_COVER] > 3);
    toy_free(t);
}

TEST(without_it_the_strategy_is_refused)
{
    struct explore_options o = {.strategy = STRATEGY_COVER};
    struct toy *t = toy_new("writers", 3, 0, 0, 0);
    static const struct explore_sink deaf;
    struct explore_result r;
    explore(toy_play(t), &o, &deaf, &r);
    CHECK(r.stopped_by == STOP_REFUSED);
    CHECK(r.refused == REFUSAL_ABSENT);
    toy_free(t);
}

TEST_MAIN()
