// Bounds, orders, samples: how a search is cut short, and by chance.
#include "explore/explore.h"
#include "test.h"
#include "toy/toy.h"

#include <math.h>
#include <stdlib.h>

static struct explore_result run(const char *program, int a,
                                 struct explore_options o)
{
    struct toy *t = toy_new(program, a, 0, 0, 0);
    struct explore_result r;
    explore(toy_play(t), &o, NULL, &r);
    toy_free(t);
    return r;
}

// ---- delays ---------------------------------------------------------------

TEST(no_delay_is_round_robin)
{
    struct explore_options o = {.delivery = DELIVERY_MAILBOX,
                                .strategy = STRATEGY_EXHAUSTIVE,
                                .bounded_delays = true};
    struct explore_options turns = {.delivery = DELIVERY_MAILBOX,
                                    .strategy = STRATEGY_ROUNDROBIN};
    struct explore_result r = run("phils", 3, o), s = run("phils", 3, turns);
    CHECK_EQ(r.executions, 1);
    CHECK_EQ(s.executions, 1);
    CHECK(r.finals_hash == s.finals_hash);
    CHECK_TEXT(stop_id(r.stopped_by), "delay-bound");
}

TEST(more_delays_give_more_schedules_until_all_are_there)
{
    uint64_t last = 0;
    struct explore_options o = {.delivery = DELIVERY_PAIR,
                                .strategy = STRATEGY_EXHAUSTIVE,
                                .bounded_delays = true};
    struct explore_result r = {0};
    for (o.delays = 0; !r.complete && o.delays < 200; o.delays++) {
        r = run("posters", 2, o);
        CHECK(r.executions >= last);
        last = r.executions;
    }
    CHECK(r.complete);
    CHECK_EQ(r.executions, 70);
    CHECK(o.delays > 3);
}

TEST(reduced_strategies_refuse_a_bound_on_delays)
{
    struct explore_options o = {.strategy = STRATEGY_SOURCE,
                                .bounded_delays = true};
    struct explore_result r = run("writers", 3, o);
    CHECK_EQ(r.stopped_by, STOP_REFUSED);
    o.strategy = STRATEGY_ROUNDROBIN;
    o.delays = 2;
    CHECK(run("writers", 3, o).executions > 1);
}

// ---- bounds ---------------------------------------------------------------

TEST(schedules_are_bounded_exactly)
{
    static const enum strategy all[] = {STRATEGY_EXHAUSTIVE, STRATEGY_SOURCE,
                                        STRATEGY_ETA, STRATEGY_RANDOM,
                                        STRATEGY_OPTIMAL};
    for (int i = 0; i < 5; i++) {
        struct explore_options o = {.strategy = all[i], .schedules = 17};
        struct explore_result r = run("writers", 4, o);
        CHECK_EQ(r.executions, 17);
        CHECK(!r.complete);
        CHECK_TEXT(stop_id(r.stopped_by), "schedules");
    }
}

TEST(steps_are_bounded)
{
    struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE, .steps = 4};
    struct explore_result r = run("writers", 3, o);
    CHECK_EQ(r.executions, 0);
    CHECK(r.cut > 0);
    CHECK_TEXT(stop_id(r.stopped_by), "steps");
    o.steps = 6;
    r = run("writers", 3, o);
    CHECK(r.complete);
    CHECK_EQ(r.max_depth, 6);
}

static bool at_once(void *self)
{
    (void)self;
    return true;
}

TEST(a_sink_can_stop_the_search)
{
    struct toy *t = toy_new("writers", 6, 0, 0, 0);
    struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE};
    struct explore_sink sink = {.stop = at_once};
    struct explore_result r;
    explore(toy_play(t), &o, &sink, &r);
    CHECK_TEXT(stop_id(r.stopped_by), "interrupt");
    CHECK(r.receives <= 256);
    toy_free(t);
}

TEST(final_states_beyond_the_cap_are_more)
{
    struct explore_options o = {.strategy = STRATEGY_SOURCE, .max_finals = 100};
    struct explore_result r = run("writers", 5, o);
    CHECK_EQ(r.final_states, 100);
    CHECK(r.more_final_states);
    o.max_finals = 120;
    r = run("writers", 5, o);
    CHECK_EQ(r.final_states, 120);
    CHECK(!r.more_final_states);
}

TEST(stateful_stops_when_its_table_is_full)
{
    struct explore_options o = {.strategy = STRATEGY_STATEFUL,
                                .max_states = 50};
    struct explore_result r = run("writers", 5, o);
    CHECK_TEXT(stop_id(r.stopped_by), "memory");
}

// A memo that must forget all the time changes nothing.
TEST(forgetting_loses_nothing)
{
    static const enum strategy all[] = {STRATEGY_EXHAUSTIVE, STRATEGY_SOURCE,
                                        STRATEGY_ETA, STRATEGY_STATEFUL,
                                        STRATEGY_OPTIMAL};
    for (int d = 0; d < DELIVERIES_N; d++) {
        for (int i = 0; i < 5; i++) {
            if (i == 0 && !test_whole() && !test_takes((uint64_t)d))
                continue; // every schedule: takes longest
            struct explore_options o = {.strategy = all[i],
                                        .delivery = (enum delivery)d};
            struct toy *t = toy_new_limit("posters", 3, 60000);
            struct explore_result r, s = run("posters", 3, o);
            explore(toy_play(t), &o, NULL, &r);
            CHECK(r.complete);
            CHECK_EQ(r.executions, s.executions);
            CHECK(r.finals_hash == s.finals_hash);
            if (all[i] != STRATEGY_OPTIMAL) // looks less often
                CHECK(play_counts(toy_play(t))->runs > 276);
            toy_free(t);
        }
    }
}

// ---- orders ---------------------------------------------------------------

TEST(random_order_visits_the_same_tree)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                    .order = ORDER_RANDOM,
                                    .seed = seed};
        struct explore_result r = run("posters", 2, o);
        CHECK_EQ(r.executions, 70);
        CHECK_EQ(r.final_states, 6);
        CHECK(fabs(r.estimate - 70) < 1e-6);
        o.strategy = STRATEGY_ETA;
        r = run("posters", 2, o);
        CHECK(r.complete);
        CHECK_EQ(r.final_states, 6);
    }
}

TEST(scattered_order_visits_the_same_tree)
{
    struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                .order = ORDER_SCATTER};
    TEST_SEEDS (seed, 5) {
        o.seed = seed;
        struct explore_result r = run("posters", 3, o);
        CHECK(r.complete);
        CHECK_EQ(r.executions, 34650);
        CHECK_EQ(r.final_states, 90);
        CHECK(fabs(r.estimate - 34650) < 1e-3);
    }
}

// With choices, timers, bodies in segments, and with reduction.
TEST(scattered_order_reaches_the_same_ends)
{
    int done = 0;
    TEST_SEEDS (seed, 40) {
        for (int i = 0; i < 2 * DELIVERIES_N; i++) {
            struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                        .delivery = (enum delivery)(i / 2),
                                        .steps = 200,
                                        .keep_going = true,
                                        .schedules = 5000};
            struct toy *t = toy_new_random(seed, TOY_ALL);
            struct explore_result r, s;
            explore(toy_play(t), &o, NULL, &r);
            o.strategy = i % 2 ? STRATEGY_ETA : STRATEGY_EXHAUSTIVE;
            o.order = ORDER_SCATTER;
            o.schedules = 0;
            if (r.complete) {
                explore(toy_play(t), &o, NULL, &s);
                CHECK(s.complete);
                CHECK(s.finals_hash == r.finals_hash);
                CHECK_EQ(s.bugs, r.bugs);
                CHECK(i % 2 || s.executions == r.executions);
                done++;
            }
            toy_free(t);
        }
    }
    CHECK(done > 50 || !test_whole());
}

TEST(an_estimate_comes_before_the_end)
{
    struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                .schedules = 100};
    struct explore_result r = run("writers", 5, o);
    CHECK(r.estimate > 10000 && r.estimate < 1000000); // 113,400
    CHECK(r.progress > 0 && r.progress < 0.1);
}

// ---- samples --------------------------------------------------------------

static const enum strategy samplers[] = {STRATEGY_RANDOM, STRATEGY_PCT,
                                         STRATEGY_POS, STRATEGY_URW};

TEST(a_seed_decides_the_samples)
{
    for (int i = 0; i < 4; i++) {
        struct explore_options o = {
            .strategy = samplers[i], .seed = 7, .schedules = 20};
        struct explore_result r = run("writers", 5, o);
        struct explore_result same = run("writers", 5, o);
        o.seed = 8;
        struct explore_result other = run("writers", 5, o);
        CHECK(r.finals_hash == same.finals_hash);
        CHECK(r.finals_hash != other.finals_hash);
        CHECK_TEXT(stop_id(r.stopped_by), "schedules");
    }
}

TEST(samples_find_all_ends_of_a_small_program)
{
    for (int i = 0; i < 4; i++) {
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct explore_options o = {.strategy = samplers[i],
                                        .delivery = (enum delivery)d,
                                        .schedules = 3000};
            CHECK_EQ(run("writers", 4, o).final_states, 24);
        }
    }
}

// In `any` the messages of one sender overtake each other: all samplers reach
// ends that no schedule of `pair` has.
TEST(samples_swap_the_messages_of_one_sender)
{
    struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                .delivery = DELIVERY_PAIR};
    struct explore_result in_order = run("order2", 0, o);
    o.delivery = DELIVERY_ANY;
    CHECK(run("order2", 0, o).final_states > in_order.final_states);
    o.schedules = 5000;
    for (int i = 0; i < 4; i++) {
        o.strategy = samplers[i];
        CHECK(run("order2", 0, o).final_states > in_order.final_states);
    }
}

TEST_MAIN()

// ---- the end of a part ------------------------------------------------------

struct asked {
    uint32_t stops, bugs;
};

static bool stops_at(void *self)
{
    struct asked *a = self;
    return a->stops == 0 || --a->stops == 0;
}

static bool goes_on(void *self)
{
    (void)self;
    return false;
}

static void count_bug(void *self, const struct bug *b, const struct schedule *s)
{
    (void)b, (void)s;
    ((struct asked *)self)->bugs++;
}

TEST(a_part_that_ends_has_told_of_the_executions_it_counts)
{
    for (uint32_t n = 0; n < 40; n++) {
        struct asked a = {.stops = n};
        struct explore_sink sink = {
            .self = &a, .bug = count_bug, .stop = stops_at, .ends = goes_on};
        struct explore_options o = {.strategy = STRATEGY_OPTIMAL, .steps = 500};
        struct toy *t = toy_new("volley", 1, 0, 0, 0);
        struct explore_result r;
        explore(toy_play(t), &o, &sink, &r);
        toy_free(t);
        CHECK_EQ(a.bugs, r.cut);
    }
}
