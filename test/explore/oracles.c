// Known numbers: schedules, classes, final states and distinct handler runs of
// small programs under each delivery model, computed by brute force before any
// of these engines existed; those of newborn(0) and alarm(0) by hand, too.  The
// mailbox schedules of store, phils and pingpong are those of the Eta paper,
// table 1.
//
// With TROUPE_FULL set, rows of more than 250,000 schedules are walked too.
#include "explore/explore.h"
#include "test.h"
#include "toy/toy.h"

#include <stdlib.h>

static const struct row {
    const char *program;
    int param[4];
    enum delivery delivery;
    uint64_t schedules, classes, finals, runs; // finals, runs 0: not known
    bool bug;
} rows[] = {
    {"order1", {0}, DELIVERY_ANY, 210, 24, 24, 67, false},
    {"order1", {0}, DELIVERY_PAIR, 105, 12, 12, 37, false},
    {"order1", {0}, DELIVERY_CAUSAL, 70, 6, 6, 21, false},
    {"order1", {0}, DELIVERY_MAILBOX, 21, 3, 3, 14, false},
    {"order2", {0}, DELIVERY_ANY, 420, 24, 24, 67, false},
    {"order2", {0}, DELIVERY_PAIR, 210, 12, 12, 37, false},
    {"order2", {0}, DELIVERY_CAUSAL, 210, 12, 12, 37, false},
    {"order2", {0}, DELIVERY_MAILBOX, 42, 6, 6, 23, false},
    {"newborn", {0}, DELIVERY_ANY, 60, 24, 24, 66, false},
    {"newborn", {0}, DELIVERY_PAIR, 20, 6, 6, 20, false},
    {"newborn", {0}, DELIVERY_CAUSAL, 7, 2, 2, 8, false},
    {"newborn", {0}, DELIVERY_MAILBOX, 4, 1, 1, 6, false},
    {"newborn", {1}, DELIVERY_ANY, 3360, 240, 240, 330, false},
    {"newborn", {1}, DELIVERY_PAIR, 960, 30, 30, 92, false},
    {"newborn", {1}, DELIVERY_CAUSAL, 336, 10, 10, 33, false},
    {"newborn", {1}, DELIVERY_MAILBOX, 59, 1, 1, 8, false},
    {"alarm", {0}, DELIVERY_ANY, 60, 24, 24, 66, false},
    {"alarm", {0}, DELIVERY_PAIR, 20, 6, 6, 20, false},
    {"alarm", {0}, DELIVERY_CAUSAL, 7, 2, 2, 8, false},
    {"alarm", {0}, DELIVERY_MAILBOX, 4, 1, 1, 6, false},
    {"alarm", {1}, DELIVERY_ANY, 3360, 240, 240, 330, false},
    {"alarm", {1}, DELIVERY_PAIR, 960, 30, 30, 92, false},
    {"alarm", {1}, DELIVERY_CAUSAL, 336, 10, 10, 33, false},
    {"alarm", {1}, DELIVERY_MAILBOX, 59, 1, 1, 8, false},
    {"writers", {3}, DELIVERY_ANY, 90, 6, 6, 18, false},
    {"writers", {3}, DELIVERY_PAIR, 90, 6, 6, 18, false},
    {"writers", {3}, DELIVERY_CAUSAL, 90, 6, 6, 18, false},
    {"writers", {3}, DELIVERY_MAILBOX, 30, 6, 6, 18, false},
    {"writers", {4}, DELIVERY_ANY, 2520, 24, 24, 68, false},
    {"writers", {4}, DELIVERY_PAIR, 2520, 24, 24, 68, false},
    {"writers", {4}, DELIVERY_CAUSAL, 2520, 24, 24, 68, false},
    {"writers", {4}, DELIVERY_MAILBOX, 336, 24, 24, 68, false},
    {"writers", {5}, DELIVERY_ANY, 113400, 120, 120, 330, false},
    {"writers", {5}, DELIVERY_PAIR, 113400, 120, 120, 330, false},
    {"writers", {5}, DELIVERY_CAUSAL, 113400, 120, 120, 330, false},
    {"writers", {5}, DELIVERY_MAILBOX, 5040, 120, 120, 330, false},
    {"counter", {5}, DELIVERY_ANY, 113400, 120, 1, 46, false},
    {"counter", {5}, DELIVERY_PAIR, 113400, 120, 1, 46, false},
    {"counter", {5}, DELIVERY_CAUSAL, 113400, 120, 1, 46, false},
    {"counter", {5}, DELIVERY_MAILBOX, 5040, 120, 1, 46, false},
    {"posters", {2}, DELIVERY_ANY, 70, 6, 6, 22, false},
    {"posters", {2}, DELIVERY_PAIR, 70, 6, 6, 22, false},
    {"posters", {2}, DELIVERY_CAUSAL, 70, 6, 6, 22, false},
    {"posters", {2}, DELIVERY_MAILBOX, 28, 6, 6, 22, false},
    {"posters", {3}, DELIVERY_ANY, 34650, 90, 90, 276, false},
    {"posters", {3}, DELIVERY_PAIR, 34650, 90, 90, 276, false},
    {"posters", {3}, DELIVERY_CAUSAL, 34650, 90, 90, 276, false},
    {"posters", {3}, DELIVERY_MAILBOX, 2898, 90, 90, 276, false},
    {"gatling", {1}, DELIVERY_ANY, 4, 2, 2, 7, true},
    {"gatling", {1}, DELIVERY_PAIR, 4, 2, 2, 7, true},
    {"gatling", {1}, DELIVERY_CAUSAL, 2, 1, 1, 5, false},
    {"gatling", {1}, DELIVERY_MAILBOX, 2, 1, 1, 5, false},
    {"gatling", {2}, DELIVERY_ANY, 196, 12, 2, 13, true},
    {"gatling", {2}, DELIVERY_PAIR, 196, 12, 2, 13, true},
    {"gatling", {2}, DELIVERY_CAUSAL, 80, 4, 1, 8, false},
    {"gatling", {2}, DELIVERY_MAILBOX, 32, 2, 1, 8, false},
    {"gatling", {3}, DELIVERY_ANY, 36600, 144, 2, 18, true},
    {"gatling", {3}, DELIVERY_PAIR, 36600, 144, 2, 18, true},
    {"gatling", {3}, DELIVERY_CAUSAL, 13440, 36, 1, 11, false},
    {"gatling", {3}, DELIVERY_MAILBOX, 1152, 6, 1, 11, false},
    {"twophase", {3}, DELIVERY_ANY, 540, 6, 1, 10, false},
    {"twophase", {3}, DELIVERY_PAIR, 540, 6, 1, 10, false},
    {"twophase", {3}, DELIVERY_CAUSAL, 540, 6, 1, 10, false},
    {"twophase", {3}, DELIVERY_MAILBOX, 180, 6, 1, 10, false},
    {"twophase", {4}, DELIVERY_ANY, 60480, 24, 1, 13, false},
    {"twophase", {4}, DELIVERY_PAIR, 60480, 24, 1, 13, false},
    {"twophase", {4}, DELIVERY_CAUSAL, 60480, 24, 1, 13, false},
    {"twophase", {4}, DELIVERY_MAILBOX, 8064, 24, 1, 13, false},
    {"consensus", {2}, DELIVERY_ANY, 80, 4, 1, 10, false},
    {"consensus", {2}, DELIVERY_PAIR, 80, 4, 1, 10, false},
    {"consensus", {2}, DELIVERY_CAUSAL, 80, 4, 1, 10, false},
    {"consensus", {2}, DELIVERY_MAILBOX, 32, 2, 1, 10, false},
    {"consensus", {3}, DELIVERY_ANY, 7484400, 216, 1, 30, false},
    {"consensus", {3}, DELIVERY_PAIR, 7484400, 216, 1, 30, false},
    {"consensus", {3}, DELIVERY_CAUSAL, 7484400, 216, 1, 30, false},
    {"consensus", {3}, DELIVERY_MAILBOX, 146664, 6, 1, 30, false},
    {"ring", {2}, DELIVERY_ANY, 58, 14, 4, 20, true},
    {"ring", {2}, DELIVERY_PAIR, 23, 5, 3, 16, true},
    {"ring", {2}, DELIVERY_CAUSAL, 15, 2, 1, 8, false},
    {"ring", {2}, DELIVERY_MAILBOX, 12, 1, 1, 7, false},
    {"ring", {3}, DELIVERY_ANY, 9931, 94, 8, 33, true},
    {"ring", {3}, DELIVERY_PAIR, 3506, 19, 4, 28, true},
    {"ring", {3}, DELIVERY_CAUSAL, 1584, 4, 1, 13, false},
    {"ring", {3}, DELIVERY_MAILBOX, 1008, 1, 1, 11, false},
    {"phils", {2}, DELIVERY_ANY, 412, 9, 2, 20, false},
    {"phils", {2}, DELIVERY_PAIR, 412, 9, 2, 20, false},
    {"phils", {2}, DELIVERY_CAUSAL, 340, 5, 2, 18, false},
    {"phils", {2}, DELIVERY_MAILBOX, 150, 5, 2, 18, false},
    {"phils", {3}, DELIVERY_ANY, 18322416, 49, 2, 30, false},
    {"phils", {3}, DELIVERY_PAIR, 18322416, 49, 2, 30, false},
    {"phils", {3}, DELIVERY_CAUSAL, 18288288, 37, 2, 30, false},
    {"phils", {3}, DELIVERY_MAILBOX, 3159870, 37, 2, 30, false},
    {"master", {1}, DELIVERY_ANY, 6, 4, 1, 7, false},
    {"master", {1}, DELIVERY_PAIR, 2, 1, 1, 5, false},
    {"master", {1}, DELIVERY_CAUSAL, 2, 1, 1, 5, false},
    {"master", {1}, DELIVERY_MAILBOX, 2, 1, 1, 5, false},
    {"master", {2}, DELIVERY_ANY, 2520, 96, 1, 37, false},
    {"master", {2}, DELIVERY_PAIR, 280, 6, 1, 17, false},
    {"master", {2}, DELIVERY_CAUSAL, 280, 6, 1, 17, false},
    {"master", {2}, DELIVERY_MAILBOX, 84, 6, 1, 17, false},
    {"store", {1, 1, 1, 3}, DELIVERY_MAILBOX, 1946, 5, 0, 0, false},
    {"store", {1, 1, 2, 3}, DELIVERY_MAILBOX, 10933, 15, 0, 0, false},
    {"store", {1, 2, 2, 3}, DELIVERY_MAILBOX, 18275, 29, 0, 0, false},
    {"store", {2, 2, 2, 3}, DELIVERY_MAILBOX, 82719, 6, 0, 0, false},
    {"store", {2, 2, 3, 3}, DELIVERY_MAILBOX, 239466, 12, 0, 0, false},
    {"pingpong", {10}, DELIVERY_MAILBOX, 2048, 1, 0, 0, false},
    {"pingpong", {15}, DELIVERY_MAILBOX, 65536, 1, 0, 0, false},
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static struct explore_result run(const struct row *w, enum strategy s,
                                 uint64_t *runs)
{
    struct toy *t =
        toy_new(w->program, w->param[0], w->param[1], w->param[2], w->param[3]);
    struct explore_options o = {
        .delivery = w->delivery, .strategy = s, .keep_going = true};
    struct explore_result r;
    explore(toy_play(t), &o, NULL, &r);
    *runs = play_counts(toy_play(t))->runs;
    toy_free(t);
    return r;
}

static void check(const struct row *w, const struct explore_result *r,
                  uint64_t runs)
{
    int before = test_failures_;
    CHECK(r->complete);
    if (w->finals)
        CHECK_EQ(r->final_states, w->finals);
    if (w->runs)
        CHECK_EQ(runs, w->runs);
    CHECK_EQ(r->bugs > 0, w->bug);
    if (test_failures_ != before)
        fprintf(stderr, "  in %s(%d) under %s\n", w->program, w->param[0],
                delivery_id(w->delivery));
}

TEST(exhaustive_makes_every_schedule)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (rows[i].schedules > test_share(250000))
            continue;
        uint64_t runs;
        struct explore_result r = run(&rows[i], STRATEGY_EXHAUSTIVE, &runs);
        CHECK_EQ(r.executions, rows[i].schedules);
        CHECK(r.estimate > 0.999 * (double)rows[i].schedules);
        CHECK(r.estimate < 1.001 * (double)rows[i].schedules);
        check(&rows[i], &r, runs);
    }
}

TEST(source_makes_one_execution_per_class)
{
    for (int i = 0; i < N_ROWS; i++) {
        uint64_t runs;
        struct explore_result r = run(&rows[i], STRATEGY_SOURCE, &runs);
        CHECK_EQ(r.executions, rows[i].classes);
        check(&rows[i], &r, runs);
    }
}

TEST(stateful_reaches_every_final_state)
{
    for (int i = 0; i < N_ROWS; i++) {
        uint64_t runs;
        struct explore_result r = run(&rows[i], STRATEGY_STATEFUL, &runs);
        check(&rows[i], &r, runs);
    }
}

TEST(eta_reaches_every_final_state)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (!test_whole() && rows[i].schedules > 10000000)
            continue;
        uint64_t runs;
        struct explore_result r = run(&rows[i], STRATEGY_ETA, &runs);
        CHECK(r.executions >= rows[i].classes);
        check(&rows[i], &r, runs);
    }
}

TEST_MAIN()
