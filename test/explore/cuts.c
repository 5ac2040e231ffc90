// The cuts of one execution per class are the global states of all executions.
#include "explore/search.h"
#include "test.h"
#include "toy/toy.h"

// Every global state on the way of every schedule, by a plain recursion.
static void visit(struct world *w, struct hashset *all)
{
    choices here = {0};
    world_choices(w, &here);
    for (uint32_t i = 0; i < here.n; i++) {
        struct choice c = here.at[i];
        const struct effect *e = world_do(w, &c);
        if (e->flags & EFFECT_PICK) {
            for (uint16_t k = 0; k < e->pick; k++)
                vec_push(&here, world_pick(w, &c, k));
            continue;
        }
        hashset_add(all, world_hash(w, true).low);
        visit(w, all);
        world_undo(w);
    }
    vec_free(&here);
}

static uint64_t states_by_brute_force(struct toy *t, enum delivery d)
{
    struct world w;
    struct hashset all = {0};
    world_init(&w, toy_play(t), d);
    visit(&w, &all);
    uint64_t n = all.n;
    hashset_free(&all);
    world_release(&w);
    return n;
}

static void source(struct search *s)
{
    engine_run(&engine_source, s);
}

static void optimal(struct search *s)
{
    engine_run(&engine_optimal, s);
}

// As if there were invariants that always hold.
static uint64_t states_by_cuts(struct toy *t, enum delivery d,
                               void (*strategy)(struct search *))
{
    struct explore_options o = {.delivery = d, .keep_going = true};
    struct explore_sink sink = {0};
    struct explore_result r;
    struct search s;
    search_init(&s, toy_play(t), &o, &sink, &r);
    s.invariants = true;
    strategy(&s);
    search_release(&s);
    CHECK(r.complete);
    return r.states;
}

static void compare(struct toy *t, const char *name)
{
    for (int d = 0; d < DELIVERIES_N; d++) {
        int before = test_failures_;
        uint64_t n = states_by_brute_force(t, (enum delivery)d);
        CHECK_EQ(states_by_cuts(t, (enum delivery)d, source), n);
        CHECK_EQ(states_by_cuts(t, (enum delivery)d, optimal), n);
        CHECK_EQ(states_by_cuts(t, (enum delivery)d, explore_eta), n);
        if (test_failures_ != before)
            fprintf(stderr, "  in %s under %s\n", name,
                    delivery_id((enum delivery)d));
    }
    toy_free(t);
}

TEST(known_programs)
{
    compare(toy_new("order1", 0, 0, 0, 0), "order1");
    compare(toy_new("gatling", 2, 0, 0, 0), "gatling");
    compare(toy_new("ring", 3, 0, 0, 0), "ring");
    compare(toy_new("phils", 2, 0, 0, 0), "phils");
    compare(toy_new("consensus", 2, 0, 0, 0), "consensus");
    compare(toy_new("rounds", 2, 0, 0, 0), "rounds");
    compare(toy_new("alarm", 1, 0, 0, 0), "alarm");
}

TEST(random_programs)
{
    int done = 0;
    TEST_SEEDS (seed, 120) {
        struct toy *t = toy_new_random(seed, TOY_ALL);
        struct explore_options o = {.strategy = STRATEGY_EXHAUSTIVE,
                                    .delivery = DELIVERY_ANY,
                                    .schedules = 3000,
                                    .steps = 200,
                                    .keep_going = true};
        struct explore_result r;
        explore(toy_play(t), &o, NULL, &r);
        char name[32];
        snprintf(name, sizeof name, "program %d", (int)seed);
        if (r.complete)
            compare(t, name), done++;
        else
            toy_free(t);
    }
    CHECK(done > 10 || !test_whole());
}

TEST_MAIN()
