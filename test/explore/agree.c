// Engines against each other on random programs: branching on state, births,
// timers, choices, crashes, bodies in several segments; in all four models.
//
// TROUPE_SEEDS=from-to sets which programs, TROUPE_LIMIT how many schedules
// the exhaustive engine may make before a program counts as too large.
#include "explore/explore.h"
#include "test.h"
#include "toy/toy.h"

#include <stdlib.h>

static uint32_t decided[STRATEGIES_N]; // how often each decided for auto

// What a strategy found: sums over sets, so that order does not matter.
struct found {
    struct explore_result r;
    uint64_t bugs;
    bool schedules_fit;
};

static void add_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct found *f = self;
    f->bugs += bug_key(b) * 2 + 1;
    f->schedules_fit &= s->steps.n > 0;
}

static struct found run(uint64_t seed, unsigned parts, enum delivery d,
                        enum strategy s, uint64_t limit)
{
    struct toy *t = toy_new_random(seed, parts);
    struct found f = {.schedules_fit = true};
    struct explore_options o = {.delivery = d,
                                .strategy = s,
                                .keep_going = true,
                                .schedules = limit,
                                .steps = 200};
    struct explore_sink k = {.self = &f, .bug = add_bug};
    explore(toy_play(t), &o, &k, &f.r);
    toy_free(t);
    return f;
}

// auto with slices so small that all its strategies get their turn.
static void compare_auto(uint64_t seed, unsigned parts, enum delivery d,
                         const struct found *all)
{
    struct toy *t = toy_new_random(seed, parts);
    struct found f = {.schedules_fit = true};
    struct explore_options o = {.delivery = d,
                                .keep_going = true,
                                .steps = 200,
                                .seed = seed,
                                .slice = 8 << seed % 5};
    struct explore_sink k = {.self = &f, .bug = add_bug};
    int before = test_failures_;
    explore(toy_play(t), &o, &k, &f.r);
    toy_free(t);
    uint64_t shares = 0;
    for (int i = 0; i < STRATEGIES_N; i++)
        shares += f.r.share[i];
    CHECK(f.r.complete);
    CHECK_EQ(f.r.final_states, all->r.final_states);
    CHECK(f.r.finals_hash == all->r.finals_hash);
    CHECK(f.bugs == all->bugs);
    CHECK_EQ(shares, explore_made(&f.r));
    decided[f.r.decided]++;
    if (test_failures_ != before)
        fprintf(stderr, "  in program %llu, parts %u, %s, auto\n",
                (unsigned long long)seed, parts, delivery_id(d));
}

static int compare(uint64_t seed, unsigned parts, enum delivery d,
                   uint64_t limit)
{
    static const enum strategy others[] = {STRATEGY_SOURCE, STRATEGY_STATEFUL,
                                           STRATEGY_ETA, STRATEGY_OPTIMAL};
    struct found all = run(seed, parts, d, STRATEGY_EXHAUSTIVE, limit);
    if (!all.r.complete)
        return 0;
    for (int i = 0; i < 4; i++) {
        struct found f = run(seed, parts, d, others[i], 0);
        int before = test_failures_;
        CHECK(f.r.complete);
        CHECK_EQ(f.r.final_states, all.r.final_states);
        CHECK(f.r.finals_hash == all.r.finals_hash);
        CHECK(f.bugs == all.bugs);
        CHECK(f.r.executions <= all.r.executions);
        CHECK(f.schedules_fit);
        if (test_failures_ != before)
            fprintf(stderr, "  in program %llu, parts %u, %s, %s\n",
                    (unsigned long long)seed, parts, delivery_id(d),
                    strategy_id(others[i]));
    }
    compare_auto(seed, parts, d, &all);
    return 1;
}

static void agree(unsigned parts)
{
    unsigned long from = test_first(60) + 1, done = 0;
    unsigned long to = from + test_share(60) - 1;
    unsigned long limit = test_whole() ? 20000 : 2000;
    if (getenv("TROUPE_SEEDS"))
        sscanf(getenv("TROUPE_SEEDS"), "%lu-%lu", &from, &to);
    if (getenv("TROUPE_LIMIT"))
        sscanf(getenv("TROUPE_LIMIT"), "%lu", &limit);
    for (uint64_t seed = from; seed <= to; seed++)
        for (int d = 0; d < DELIVERIES_N; d++)
            done += compare(seed, parts, (enum delivery)d, limit);
    CHECK(done > (to - from) / 3 || !test_whole());
    if (getenv("TROUPE_SEEDS"))
        printf("parts %u: %lu compared\n", parts, done);
}

TEST(plain_programs)
{
    agree(0);
}

TEST(programs_with_births_and_crashes)
{
    agree(TOY_BIRTHS | TOY_CRASHES);
}

TEST(programs_with_inits)
{
    agree(TOY_BIRTHS | TOY_INITS);
}

TEST(programs_with_inits_and_timers)
{
    agree(TOY_BIRTHS | TOY_INITS | TOY_USE_TIMERS);
}

TEST(programs_with_timers)
{
    agree(TOY_USE_TIMERS | TOY_FREE_TIMERS);
}

TEST(programs_with_choices)
{
    agree(TOY_PICKS);
}

TEST(programs_with_bodies_in_segments)
{
    agree(TOY_DRAINS);
}

TEST(programs_with_everything)
{
    agree(TOY_ALL);
}

TEST(auto_leaves_the_decision_to_each)
{
    CHECK(!test_whole() || decided[STRATEGY_OPTIMAL]);
    CHECK(!test_whole() || decided[STRATEGY_STATEFUL]);
    CHECK(!test_whole() || decided[STRATEGY_REDUCED]);
}

TEST_MAIN()
