// world_check() and graph_check() accept what a search holds and refuse it once
// one field is damaged: each damage is done in turn, seen, and repaired.
#include "dies.h"
#include "test.h"
#include "toy/toy.h"

#include "base/rng.h"
#include "explore/optimal/optimal_inner.h"
#include "explore/world.h"

static void call_world_check(void *w)
{
    world_check(w);
}

static void call_graph_check(void *g)
{
    graph_check(g);
}

// Is a wrong value in this field noticed?
#define NOTICES(check, whole, field)                                           \
    do {                                                                       \
        (field)++;                                                             \
        CHECK(asserts(check, whole));                                          \
        (field)--;                                                             \
        CHECK(!asserts(check, whole));                                         \
    } while (0)

// ---- worlds ---------------------------------------------------------------

static void go_on(struct world *w, struct rng *random, uint32_t steps)
{
    choices c = {0};
    for (world_choices(w, &c); c.n && steps--; world_choices(w, &c)) {
        struct choice take = c.at[rng_below(random, c.n)];
        if (world_do(w, &take)->flags & EFFECT_PICK) {
            struct choice picked = world_pick(w, &take, 0);
            world_do(w, &picked);
        }
        world_check(w);
        vec_clear(&c);
    }
    vec_free(&c);
}

TEST(a_world_is_in_order_on_every_way)
{
    TEST_SEEDS (seed, 200)
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct toy *t = toy_new_random(seed, TOY_ALL & ~TOY_PICKS);
            struct rng random = rng_of(seed);
            struct world w;
            world_init(&w, toy_play(t), (enum delivery)d);
            go_on(&w, &random, 40);
            for (; w.trail.n; world_check(&w))
                world_undo(&w);
            CHECK(digest_equal(w.hash, (struct digest){0}));
            world_release(&w);
            toy_free(t);
        }
}

TEST(a_damaged_world_is_noticed)
{
    struct toy *t = toy_new("writers", 4, 0, 0, 0);
    struct rng random = rng_of(1);
    struct world w;
    world_init(&w, toy_play(t), DELIVERY_CAUSAL);
    go_on(&w, &random, 3);
    CHECK(w.pending > 1 && !asserts(call_world_check, &w));
    uint32_t to = vec_last(&w.flights).to;
    struct seat *s = &w.seats.at[to];
    NOTICES(call_world_check, &w, w.pending);
    NOTICES(call_world_check, &w, w.timers);
    NOTICES(call_world_check, &w, w.hash.low);
    NOTICES(call_world_check, &w, w.hash.high);
    NOTICES(call_world_check, &w, w.births.n);
    NOTICES(call_world_check, &w, w.states.at[to]);
    NOTICES(call_world_check, &w, s->n_flights);
    NOTICES(call_world_check, &w, s->first);
    NOTICES(call_world_check, &w, s->receives);
    NOTICES(call_world_check, &w, s->part.low);
    NOTICES(call_world_check, &w, s->part.high);
    NOTICES(call_world_check, &w, w.flights.at[s->first].next);
    NOTICES(call_world_check, &w, vec_last(&w.trail).flight);
    world_release(&w);
    toy_free(t);
}

// ---- graphs ---------------------------------------------------------------

TEST(a_damaged_graph_is_noticed)
{
    struct toy *t = toy_new("writers", 4, 0, 0, 0);
    struct explore_options options = {.strategy = STRATEGY_OPTIMAL};
    struct explore_result r;
    struct search s;
    search_init(&s, toy_play(t), &options, &(struct explore_sink){0}, &r);
    struct optimal *o = optimal_new(&s);
    CHECK(optimal_run(o, 3));
    struct graph *g = &o->path.graph;
    uint32_t run = vec_last(&g->order) / 2;
    struct run *last = run_at(g, run);
    struct inbox *a = &g->actors.at[last->actor];
    CHECK(!asserts(call_graph_check, g) && last->from != NO_RUN);
    NOTICES(call_graph_check, g, g->receives);
    NOTICES(call_graph_check, g, g->hash);
    NOTICES(call_graph_check, g, g->ready.at[0]);
    NOTICES(call_graph_check, g, last->r_at);
    NOTICES(call_graph_check, g, last->at);
    NOTICES(call_graph_check, g, last->k);
    NOTICES(call_graph_check, g, last->nth);
    NOTICES(call_graph_check, g, a->unread);
    NOTICES(call_graph_check, g, a->head);
    NOTICES(call_graph_check, g, a->entries.at[last->at].reader);
    NOTICES(call_graph_check, g, run_clock(g, run)[last->actor]);
    optimal_free(o);
    search_release(&s);
    toy_free(t);
}

TEST(a_graph_is_in_order_after_each_execution)
{
    uint64_t looked = 0;
    TEST_SEEDS (seed, 100)
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct toy *t = toy_new_random(seed, TOY_ALL);
            struct explore_options options = {.delivery = (enum delivery)d,
                                              .strategy = STRATEGY_OPTIMAL,
                                              .schedules = 50,
                                              .keep_going = true};
            struct explore_result r;
            struct search s;
            search_init(&s, toy_play(t), &options, &(struct explore_sink){0},
                        &r);
            struct optimal *o = optimal_new(&s);
            for (; optimal_run(o, 1); looked++)
                graph_check(&o->path.graph);
            optimal_free(o);
            search_release(&s);
            toy_free(t);
        }
    CHECK(looked > test_share(1000));
}

TEST_MAIN()
