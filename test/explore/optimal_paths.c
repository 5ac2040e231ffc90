// What `optimal` reports can happen, and it does not matter when the play
// forgets, when the path is taken back, or where it is cut.
#include "test.h"
#include "toy/toy.h"
#include "toy/toy_brute.h"

#include "explore/follow.h"
#include "explore/optimal/optimal_inner.h"

#include <math.h>
#include <stdlib.h>

static struct explore_options options_for(enum delivery d)
{
    return (struct explore_options){
        .delivery = d, .strategy = STRATEGY_OPTIMAL, .keep_going = true};
}

// ---- schedules ------------------------------------------------------------

struct checker {
    struct follow follow;
    uint64_t endings, wrong;
    uint64_t bugs, wrong_bugs;
    bool met; // the bug followed was met
    enum bug_kind kind;
};

static bool can_follow(struct follow *f, const struct schedule *s)
{
    follow_reset(f);
    for (uint32_t i = 0; i < s->steps.n; i++)
        if (!follow_step(f, s, i))
            return false;
    return true;
}

static void check_ending(void *self, const struct ending *e)
{
    struct checker *c = self;
    c->endings++;
    if (!can_follow(&c->follow, e->schedule) || !follow_ended(&c->follow) ||
        c->follow.world.hash.low != e->hash)
        c->wrong++;
}

static void meet_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct checker *c = self;
    (void)s;
    c->met |= b->kind == c->kind;
}

static void check_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct checker *c = self;
    c->bugs++;
    c->kind = b->kind;
    c->met = false;
    if (!can_follow(&c->follow, s) || !c->met)
        c->wrong_bugs++;
}

static void check_schedules(struct toy *t, enum delivery d, struct checker *c)
{
    struct explore_options o = options_for(d);
    struct explore_sink meet = {.self = c, .bug = meet_bug};
    struct explore_sink sink = {
        .self = c, .bug = check_bug, .execution = check_ending};
    struct explore_result r;
    o.schedules = 200;
    follow_init(&c->follow, toy_play(t), d, &meet);
    c->follow.world.guest = true;
    explore(toy_play(t), &o, &sink, &r);
    follow_release(&c->follow);
}

TEST(schedules_can_be_followed)
{
    struct checker c = {0};
    TEST_SEEDS (seed, 100)
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct toy *t = toy_new_random(seed, TOY_ALL);
            check_schedules(t, (enum delivery)d, &c);
            toy_free(t);
        }
    CHECK(c.endings > 0);
    CHECK(!test_whole() || (c.endings > 1000 && c.bugs > 20));
    CHECK_EQ(c.wrong, 0);
    CHECK_EQ(c.wrong_bugs, 0);
}

// Is step i needed by a step marked as needed?
static bool needed(const struct schedule *s, const bool *marks, uint32_t i)
{
    for (uint32_t j = i + 1; j < s->steps.n; j++)
        if (marks[j] && (s->steps.at[j].source == i ||
                         s->steps.at[j].actor == s->steps.at[i].actor))
            return true;
    return false;
}

static void check_needed(void *self, const struct bug *b,
                         const struct schedule *s)
{
    bool marks[64] = {0};
    uint32_t *bugs = self;
    (void)b;
    *bugs += 1;
    CHECK(s->steps.n > 1 && s->steps.n <= 64);
    marks[s->steps.n - 1] = true;
    for (uint32_t i = s->steps.n - 1; i-- > 1;) {
        marks[i] = needed(s, marks, i);
        CHECK(marks[i]);
    }
}

// A bug's schedule has nothing in it that the bug does not depend on.
TEST(schedules_of_bugs_are_short)
{
    struct toy *t = toy_new("ring", 3, 0, 0, 0);
    uint32_t bugs = 0;
    struct explore_options o = options_for(DELIVERY_PAIR);
    struct explore_sink sink = {.self = &bugs, .bug = check_needed};
    struct explore_result r;
    explore(toy_play(t), &o, &sink, &r);
    CHECK(bugs > 0);
    toy_free(t);
}

// ---- forgetting, going back -----------------------------------------------

static void forget_now(struct optimal *o)
{
    graph_forget(&o->path.graph);
}

static void look_around(struct optimal *o)
{
    double p = optimal_progress(o);
    CHECK(p >= 0 && p <= 1);
}

// Disturb a search after each execution; it must not notice.
static void disturb(uint64_t seed, enum delivery d,
                    void (*how)(struct optimal *o))
{
    struct toy *t = toy_new_random(seed, TOY_ALL);
    struct explore_options options = options_for(d);
    struct explore_result plain, r;
    struct search s;
    options.schedules = 300;
    explore(toy_play(t), &options, &(struct explore_sink){0}, &plain);
    search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
    struct optimal *o = optimal_new(&s);
    while (optimal_run(o, 1))
        how(o);
    optimal_free(o);
    search_release(&s);
    CHECK_EQ(r.executions, plain.executions);
    CHECK_EQ(r.receives, plain.receives);
    CHECK_EQ(r.finals_hash, plain.finals_hash);
    toy_free(t);
}

TEST(forgetting_changes_nothing)
{
    TEST_SEEDS (seed, 40)
        for (int d = 0; d < DELIVERIES_N; d++)
            disturb(seed, (enum delivery)d, forget_now);
}

TEST(looking_around_changes_nothing)
{
    TEST_SEEDS (seed, 40)
        for (int d = 0; d < DELIVERIES_N; d++)
            disturb(seed, (enum delivery)d, look_around);
}

TEST(a_full_play_forgets)
{
    struct toy *small = toy_new_limit("writers", 7, 100000);
    struct toy *large = toy_new("writers", 7, 0, 0, 0);
    struct explore_options o = options_for(DELIVERY_PAIR);
    struct explore_result r, all;
    explore(toy_play(small), &o, &(struct explore_sink){0}, &r);
    explore(toy_play(large), &o, &(struct explore_sink){0}, &all);
    CHECK_EQ(r.executions, 5040);
    CHECK_EQ(r.finals_hash, all.finals_hash);
    CHECK(play_bytes(toy_play(small)) < play_bytes(toy_play(large)) / 2);
    toy_free(small);
    toy_free(large);
}

// ---- bounds ---------------------------------------------------------------

TEST(long_executions_are_cut)
{
    struct toy *t = toy_new("pingpong", 10, 0, 0, 0);
    struct explore_options o = options_for(DELIVERY_MAILBOX);
    struct explore_result r;
    o.steps = 9;
    explore(toy_play(t), &o, &(struct explore_sink){0}, &r);
    CHECK_EQ(r.executions, 0);
    CHECK(r.cut > 0);
    CHECK(!r.complete && r.stopped_by == STOP_STEPS);
    o.steps = 22;
    explore(toy_play(t), &o, &(struct explore_sink){0}, &r);
    CHECK_EQ(r.executions, 1);
    CHECK(r.complete && !r.cut);
    toy_free(t);
}

TEST(bodies_that_step_are_refused)
{
    struct toy *t = toy_new("steps", 3, 0, 0, 0);
    struct explore_options o = options_for(DELIVERY_PAIR);
    struct explore_result r;
    CHECK(t);
    explore(toy_play(t), &o, &(struct explore_sink){0}, &r);
    CHECK(r.stopped_by == STOP_REFUSED && r.refused == REFUSAL_SINGLE &&
          !r.complete);
    toy_free(t);
}

// Memory depends on the length of an execution, not on their number.
TEST(memory_is_one_path)
{
    uint64_t bytes[2];
    int longer = test_whole() ? 5 : 4;
    for (int i = 0; i < 2; i++) {
        struct toy *t = toy_new("gatling", i ? longer : 3, 0, 0, 0);
        struct explore_options options = options_for(DELIVERY_PAIR);
        struct explore_result r;
        struct search s;
        search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
        struct optimal *o = optimal_new(&s);
        while (optimal_run(o, UINT64_MAX))
            ;
        bytes[i] = optimal_counts(o).bytes;
        CHECK_EQ(r.executions, !i ? 144 : test_whole() ? 86400 : 2880);
        optimal_free(o);
        search_release(&s);
        toy_free(t);
    }
    CHECK(bytes[1] < 3 * bytes[0]);
}

// ---- estimates ------------------------------------------------------------

static double estimate(const char *name, int n, enum delivery d,
                       uint32_t samples)
{
    struct toy *t = toy_new(name, n, 0, 0, 0);
    struct explore_options options = options_for(d);
    struct explore_result r;
    struct search s;
    search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
    double e = optimal_estimate(&s, samples, 1).mean;
    search_release(&s);
    toy_free(t);
    return e;
}

TEST(knuth_comes_close)
{
    // all paths have the same branches: exact from one descent
    CHECK(fabs(estimate("writers", 8, DELIVERY_PAIR, 1) - 40320) < 0.5);
    CHECK(fabs(estimate("consensus", 4, DELIVERY_ANY, 1) - 331776) < 0.5);
    uint32_t samples = test_whole() ? 4000 : 1000;
    double e = estimate("phils", 4, DELIVERY_PAIR, samples);
    CHECK(e > 225 * 0.7 && e < 225 * 1.4);
    CHECK(estimate("steps", 3, DELIVERY_PAIR, 10) == -1);
    e = estimate("phils", 4, DELIVERY_MAILBOX, samples);
    CHECK(e > 185 * 0.7 && e < 185 * 1.4);
}

TEST(progress_goes_up_to_one)
{
    struct toy *t = toy_new("phils", 4, 0, 0, 0);
    struct explore_options options = options_for(DELIVERY_PAIR);
    struct explore_result r;
    struct search s;
    double last = 0;
    search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
    struct optimal *o = optimal_new(&s);
    while (optimal_run(o, 10)) {
        double p = optimal_progress(o);
        CHECK(p >= last && p <= 1);
        last = p;
    }
    CHECK(last > 0.5);
    CHECK(optimal_progress(o) == 1);
    optimal_free(o);
    search_release(&s);
    toy_free(t);
}

TEST_MAIN()
