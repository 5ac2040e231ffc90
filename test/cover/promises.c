// What cover promises, on random programs: schedules that can be followed, that
// reach the order they were made for and raise coverage; orders told to be
// impossible that never come about, whatever is explored.
#include "test.h"

#include "cover/cover.h"
#include "toy/toy.h"

struct brute {
    struct play *play;
    enum delivery d;
    struct coverage *all;
    uint32_t n;
};

static void on_ending(void *self, const struct ending *e)
{
    struct brute *b = self;
    struct record r = {0};
    struct musthb m = {0};
    b->n++;
    record_make(&r, b->play, b->d, e->schedule, NULL);
    musthb_make(&m, &r);
    coverage_add(b->all, b->play, &r, &m);
    musthb_free(&m);
    record_free(&r);
}

// Every schedule: no order that a constraint excludes is ever seen.
static bool explore_all(struct play *p, enum delivery d, struct coverage *all)
{
    struct brute b = {p, d, all, 0};
    struct explore_options o = {.delivery = d,
                                .strategy = STRATEGY_EXHAUSTIVE,
                                .schedules = test_whole() ? 1000 : 200,
                                .keep_going = true};
    struct explore_sink sink = {.self = &b, .execution = on_ending};
    struct explore_result r;
    explore(p, &o, &sink, &r);
    return r.complete;
}

// Orders that one set of schedules rules out and another one has.
static uint32_t contradictions(const struct coverage *c,
                               const struct coverage *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->places.at.n; i++) {
        const struct goal *g = &c->places.at.at[i];
        const struct goal *of =
            goal_find(&all->places, g->a, g->b, g->criterion);
        n += of && of->flags & GOAL_FORTH && goal_is_ruled_out(g, true);
        n += of && of->flags & GOAL_BACK && goal_is_ruled_out(g, false);
    }
    return n;
}

struct sums {
    uint32_t forced, infeasible, missed, idle, whole, complete;
};

static void run_cover(struct play *p, enum delivery d, uint64_t seed,
                      uint64_t budget, struct coverage *c, struct sums *n)
{
    struct cover_options o = {.delivery = d,
                              .criteria = {true, true, true},
                              .seed = seed,
                              .steps = 400,
                              .budget = budget,
                              .keep_going = true};
    struct cover_sink sink = {0};
    struct cover_result r;
    cover(p, &o, NULL, NULL, 0, &sink, c, &r);
    n->forced += (uint32_t)r.generated;
    n->infeasible += (uint32_t)r.infeasible;
    n->missed += (uint32_t)r.missed;
    n->idle += (uint32_t)r.idle;
    n->complete += r.complete;
    CHECK_EQ(contradictions(c, c), 0);
}

static struct sums try_programs(unsigned parts, uint64_t seeds, uint64_t budget,
                                enum delivery d)
{
    struct sums n = {0};
    TEST_SEEDS (seed, seeds) {
        struct toy *toy = toy_new_random(seed, parts);
        struct coverage all = {0}, c = {0};
        run_cover(toy_play(toy), d, seed, test_whole() ? budget : budget / 5,
                  &c, &n);
        if (explore_all(toy_play(toy), d, &all)) {
            n.whole++;
            CHECK_EQ(contradictions(&all, &all), 0);
        }
        coverage_free(&all);
        coverage_free(&c);
        toy_free(toy);
    }
    return n;
}

// Nothing but the order of messages is free.
static void promises(unsigned parts, uint64_t seeds, uint64_t budget)
{
    uint32_t whole = 0;
    for (int d = 0; d < DELIVERIES_N; d++) {
        struct sums n = try_programs(parts, seeds, budget, (enum delivery)d);
        CHECK_EQ(n.infeasible, 0);
        CHECK_EQ(n.missed, 0);
        CHECK_EQ(n.idle, 0);
        CHECK(n.forced > 100 || !test_whole());
        whole += n.whole;
    }
    CHECK(whole > seeds / 10 || !test_whole());
}

TEST(orders_of_messages)
{
    promises(TOY_BIRTHS | TOY_CRASHES | TOY_INITS, 60, 500);
}

// A crash would cancel timers, which no record of an execution without it can
// tell; all else that is not a message keeps the promises.
TEST(timers_choices_and_bodies_in_segments)
{
    promises(TOY_ALL & ~TOY_CRASHES & ~TOY_FREE_TIMERS, 12, 40);
}

// All schedules are the oracle: a goal is possible if one of them shows it.
// Without bounds cover sees each of these and counts no other.
static void as_all_schedules(struct toy *toy, enum delivery d, uint32_t *whole)
{
    struct coverage all = {0}, c = {0};
    struct sums n = {0};
    if (explore_all(toy_play(toy), d, &all)) {
        ++*whole;
        run_cover(toy_play(toy), d, 1, 0, &c, &n);
        CHECK_EQ(n.complete, 1);
        CHECK_EQ(contradictions(&c, &all), 0);
        for (int cr = 0; cr < CRITERIA_N; cr++) {
            struct coverage_counts has = c.totals[cr], is = all.totals[cr];
            CHECK_EQ(has.goals, is.goals);
            CHECK_EQ(has.covered, is.covered);
            CHECK_EQ(has.covered + has.impossible, has.goals);
        }
    }
    coverage_free(&all);
    coverage_free(&c);
    toy_free(toy);
}

TEST(what_cover_counts_is_what_all_schedules_show)
{
    uint32_t whole = 0;
    for (int d = 0; d < DELIVERIES_N; d++)
        TEST_SEEDS (seed, 60)
            as_all_schedules(
                toy_new_random(seed, seed % 3
                                         ? TOY_BIRTHS | TOY_INITS | TOY_CRASHES
                                         : TOY_ALL),
                (enum delivery)d, &whole);
    CHECK(whole > 20 || !test_whole());
}

// Messages in flight together are turned round at once: two executions cover
// all pairs that are free.
TEST(two_schedules_for_all_pairs)
{
    for (int d = 0; d < DELIVERIES_N; d++) {
        struct toy *toy = toy_new("writers", 8, 0, 0, 0);
        struct coverage c = {0};
        struct sums n = {0};
        run_cover(toy_play(toy), (enum delivery)d, 3, 2, &c, &n);
        CHECK_EQ(n.forced, 1);
        CHECK_EQ(c.totals[CRITERION_PR].pairs, 8 * 7 / 2);
        coverage_free(&c);
        toy_free(toy);
    }
}

// Of the goals kept, how many know something else than the whole does?
static uint32_t differences(const struct coverage *few,
                            const struct coverage *all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < few->pairs.n; i++)
        for (int cr = 0; cr < CRITERIA_N; cr++) {
            struct goal g, same = {0};
            enum criterion by = (enum criterion)cr;
            if (!coverage_goal(few, i, by, &g))
                continue;
            uint32_t of = coverage_pair(all, g.a, g.b);
            n += of == NO_GOAL || !coverage_goal(all, of, by, &same) ||
                 same.flags != g.flags || same.why != g.why;
        }
    return n;
}

// Without room for all goals those kept learn from every schedule.
TEST(goals_kept_are_as_with_room_for_all)
{
    uint32_t full = 0;
    TEST_SEEDS (seed, 40) {
        struct toy *toy = toy_new_random(seed, TOY_BIRTHS | TOY_INITS);
        struct coverage all = {0}, few = {.most = 9};
        explore_all(toy_play(toy), DELIVERY_PAIR, &all);
        explore_all(toy_play(toy), DELIVERY_PAIR, &few);
        uint32_t n = all.pairs.n;
        CHECK_EQ(few.pairs.n, n < 9 ? n : 9);
        CHECK_EQ(few.full, n > 9);
        CHECK_EQ(differences(&few, &all), 0);
        for (uint32_t i = 0; i < few.pairs.n; i++)
            for (int cr = 0; cr < CRITERIA_N; cr++)
                few.pairs.at[i].flags[cr] &= GOAL_TURNED | GOAL_HERE;
        coverage_merge(&few, &all);
        CHECK_EQ(differences(&few, &all), 0);
        full += few.full;
        coverage_free(&all);
        coverage_free(&few);
        toy_free(toy);
    }
    CHECK(full > 20 || !test_whole());
}

TEST_MAIN()
