// Units of work: however a search is cut into parts, and whoever does them, the
// parts together are the whole, and no class comes twice.
#include "test.h"
#include "toy/toy.h"
#include "toy/toy_brute.h"

#include "base/rng.h"
#include "explore/optimal/optimal.h"
#include "crew/supervisor.h"
#include "explore/optimal/work.h"

#include <stdlib.h>

struct told {
    struct play *play;
    struct hashset classes;
    uint64_t executions, twice;
};

static void saw(void *self, const struct ending *e)
{
    struct told *s = self;
    s->executions++;
    if (!hashset_add(&s->classes, class_key(s->play, e->schedule)))
        s->twice++;
}

typedef VEC(struct work_bytes) units;

// What is left, in a few parts.
static void leave(struct optimal *o, uint32_t parts, units *out)
{
    struct work_list left = {0};
    struct work *w;
    optimal_leave(o, parts, &left);
    vec_each(&left.list, w)
    {
        struct work_bytes u = {0};
        for (uint32_t i = 0; i < w->size; i++)
            vec_push(&u.bytes, ((const uint8_t *)w->bytes)[i]);
        vec_push(out, u);
    }
    work_list_free(&left);
}

// Search for a few executions at a time, then leave the rest to others.
static void search_some(struct optimal *o, struct rng *g, units *out)
{
    while (optimal_run(o, 1 + rng_below(g, 8))) {
        struct work_bytes u = {0};
        if (!rng_below(g, 3)) {
            leave(o, 1 + rng_below(g, 4), out);
            return;
        }
        if (!rng_below(g, 4) && optimal_rest(o, &u)) {
            vec_push(out, u); // somebody else does all of it
            return;
        }
    }
}

// Each part is searched by a play of its own, as another process would.
static bool search_part(uint64_t seed, enum delivery d,
                        const struct work_bytes *u, struct rng *g,
                        struct told *seen, units *out)
{
    struct toy *t = toy_new_random(seed, TOY_ALL);
    struct explore_options options = {
        .delivery = d, .strategy = STRATEGY_OPTIMAL, .keep_going = true};
    struct explore_sink sink = {.self = seen, .execution = saw};
    struct explore_result r;
    struct search s;
    seen->play = toy_play(t);
    search_init(&s, toy_play(t), &options, &sink, &r);
    struct optimal *o = u ? optimal_of_unit(&s, u) : optimal_new(&s);
    if (o)
        search_some(o, g, out);
    optimal_free(o);
    search_release(&s);
    toy_free(t);
    return o;
}

static void check_parts(uint64_t seed, enum delivery d)
{
    struct rng g = rng_of(seed);
    struct told seen = {0};
    struct brute b;
    units todo = {0};
    struct toy *t = toy_new_random(seed, TOY_ALL);
    brute_force(&b, toy_play(t), d, 3000);
    if (!b.too_large && b.classes.n <= 1500) {
        CHECK(search_part(seed, d, NULL, &g, &seen, &todo));
        while (todo.n) {
            struct work_bytes u = vec_pop(&todo);
            CHECK(search_part(seed, d, &u, &g, &seen, &todo));
            work_free(&u);
        }
        CHECK_EQ(seen.executions, b.classes.n);
        CHECK_EQ(seen.classes.n, b.classes.n);
        CHECK_EQ(seen.twice, 0);
    }
    vec_free(&todo);
    hashset_free(&seen.classes);
    brute_free(&b);
    toy_free(t);
}

TEST(parts_are_the_whole)
{
    TEST_SEEDS (seed, 60)
        for (int d = 0; d < DELIVERIES_N; d++)
            check_parts(seed, (enum delivery)d);
}

static bool stop_soon(void *self)
{
    (void)self;
    return true;
}

// Stopped again and again, each time going on with what was left.
TEST(what_is_left_goes_on)
{
    struct explore_options o = {.delivery = DELIVERY_PAIR,
                                .strategy = STRATEGY_OPTIMAL,
                                .keep_going = true};
    struct explore_sink sink = {.stop = stop_soon};
    struct work_list left = {0};
    uint64_t executions = 0, receives = 0;
    int rounds = 0;
    do {
        struct toy *t = toy_new("phils", 4, 0, 0, 0);
        struct explore_result r;
        struct work_list rest = {0};
        explore_work(toy_play(t), &o, left.list.at, left.list.n, &sink, &r,
                     &rest);
        work_list_free(&left);
        left = rest;
        executions += r.executions;
        receives += r.receives;
        toy_free(t);
        rounds++;
    } while (left.list.n);
    CHECK_EQ(executions, 225);
    CHECK(rounds > 3);
    struct toy *t = toy_new("phils", 4, 0, 0, 0);
    struct explore_result r;
    explore(toy_play(t), &o, &(struct explore_sink){0}, &r);
    CHECK_EQ(r.executions, executions);
    CHECK_EQ(r.receives, receives);
    toy_free(t);
}

static uint64_t search_in_rounds(uint64_t seed, const struct explore_options *o)
{
    struct explore_sink sink = {.stop = stop_soon};
    struct work_list left = {0};
    uint64_t executions = 0;
    do {
        struct toy *t = toy_new_random(seed, TOY_DRAINS);
        struct explore_result r;
        struct work_list rest = {0};
        explore_work(toy_play(t), o, left.list.at, left.list.n, &sink, &r,
                     &rest);
        work_list_free(&left);
        left = rest;
        executions += r.executions;
        toy_free(t);
    } while (left.list.n);
    return executions;
}

// The same where the search may rest before a segment of the test body.
TEST(what_is_left_in_a_body_goes_on)
{
    struct explore_options o = {.delivery = DELIVERY_PAIR,
                                .strategy = STRATEGY_OPTIMAL,
                                .keep_going = true,
                                .schedules = 500};
    TEST_SEEDS (seed, 40) {
        struct toy *t = toy_new_random(seed, TOY_DRAINS);
        struct explore_result r;
        explore(toy_play(t), &o, &(struct explore_sink){0}, &r);
        if (r.complete)
            CHECK_EQ(search_in_rounds(seed, &o), r.executions);
        toy_free(t);
    }
}

static uint64_t made(const struct explore_result *r)
{
    return r->executions - r->broken_off;
}

// A search that stops at a bug, and goes on without stopping, misses nothing.
TEST(what_is_left_behind_a_bug_goes_on)
{
    uint32_t stopped = 0;
    TEST_SEEDS (seed, 300) {
        struct explore_options o = {.delivery = DELIVERY_PAIR,
                                    .strategy = STRATEGY_OPTIMAL,
                                    .keep_going = true,
                                    .schedules = 2000};
        struct explore_sink deaf = {0};
        struct explore_result all, first, rest = {0};
        struct work_list left = {0}, none = {0};
        struct toy *t = toy_new_random(seed, TOY_CRASHES);
        explore(toy_play(t), &o, &deaf, &all);
        if (all.complete && all.bugs) {
            o.keep_going = false;
            explore_work(toy_play(t), &o, NULL, 0, &deaf, &first, &left);
            o.keep_going = true;
            if (left.list.n)
                explore_work(toy_play(t), &o, left.list.at, left.list.n, &deaf,
                             &rest, &none);
            CHECK_EQ(made(&first) + made(&rest), all.executions);
            stopped++;
        }
        work_list_free(&left);
        toy_free(t);
    }
    CHECK(stopped >= test_share(10));
}

// A damaged unit is refused or at least does no harm.
TEST(damaged_units_do_no_harm)
{
    struct toy *t = toy_new("phils", 3, 0, 0, 0);
    struct explore_options options = {
        .delivery = DELIVERY_MAILBOX, .keep_going = true, .schedules = 100};
    struct explore_result r;
    struct search s;
    struct work_bytes u = {0};
    search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
    struct optimal *o = optimal_new(&s);
    CHECK(optimal_run(o, 5));
    CHECK(optimal_rest(o, &u));
    optimal_free(o);
    o = optimal_of_unit(&s, &u);
    CHECK(o);
    optimal_free(o);
    for (uint32_t n = 0; n < u.bytes.n; n++) {
        struct work_bytes cut = {.bytes = {u.bytes.at, n, n}};
        CHECK(!optimal_of_unit(&s, &cut));
    }
    search_release(&s);
    work_free(&u);
    toy_free(t);
}

TEST_MAIN()
