// The memo against a toy play that counts its runs.
#include "play/play.h"

#include "base/vec.h"
#include "test.h"

// One actor whose states are numbers.  Message m adds m; message 7 adds the
// sender, message 8 adds choose(3), message 9 asks the sender only if it picks
// 1 of choose(2).
struct toy {
    int runs, bodies, forgets;
    uint32_t shared; // message 10 adds it, message 11 and the sender too
};

static void toy_run(void *self, uint32_t state, uint32_t msg, uint32_t sender,
                    const uint16_t *picks, uint32_t n_picks, struct effect *out)
{
    struct toy *t = self;
    t->runs++;
    out->state = state + msg;
    if (msg == 7) {
        out->flags = EFFECT_SENDER;
        out->state = state + sender;
    } else if (msg == 10 || msg == 11) {
        out->flags = EFFECT_SHARED | (msg == 11 ? EFFECT_SENDER : 0);
        out->state = state + t->shared + (msg == 11 ? sender : 0);
    } else if (msg == 8 || msg == 9) {
        if (!n_picks) {
            out->flags = EFFECT_PICK;
            out->pick = msg == 8 ? 3 : 2;
            return;
        }
        out->state = state + picks[0];
        if (msg == 9 && picks[0] == 1) {
            out->flags = EFFECT_SENDER;
            out->state += sender;
        }
    }
}

static void toy_body(void *self, uint32_t env, const uint32_t *states,
                     uint32_t n, const struct send *in_flight,
                     uint32_t n_in_flight, const uint16_t *picks,
                     uint32_t n_picks, struct effect *out)
{
    struct toy *t = self;
    (void)in_flight, (void)picks, (void)n_picks;
    t->bodies++;
    out->state = env + (n ? states[n - 1] : 0) + n_in_flight;
}

static void toy_forget(void *self, const uint32_t *states, uint32_t n_states,
                       const uint32_t *msgs, uint32_t n_msgs)
{
    (void)states, (void)n_states, (void)msgs, (void)n_msgs;
    ((struct toy *)self)->forgets++;
}

static void toy_share(void *self, uint32_t shared)
{
    ((struct toy *)self)->shared = shared;
}

// From 1,000 on a timer of the actor rests.
static const struct play_state *toy_state(void *self, uint32_t state)
{
    static const struct play_state at_work, at_rest = {.flags = STATE_RESTS};
    (void)self;
    return state < 1000 ? &at_work : &at_rest;
}

static const struct play_ops ops = {.share = toy_share,
                                    .run = toy_run,
                                    .body = toy_body,
                                    .state = toy_state,
                                    .forget = toy_forget};

TEST(a_receive_is_run_once)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    const struct effect *e = play_run(p, 5, 2, 1, NULL, 0);
    CHECK_EQ(e->state, 7);
    CHECK(play_run(p, 5, 2, 3, NULL, 0) == e);
    CHECK_EQ(t.runs, 1);
    CHECK_EQ(play_counts(p)->runs, 1);
    CHECK_EQ(play_counts(p)->hits, 1);
    play_free(p);
}

TEST(the_sender_counts_when_it_was_asked_for)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t s = 0; s < 4; s++)
            CHECK_EQ(play_run(p, 10, 7, s, NULL, 0)->state, 10 + s);
    CHECK_EQ(t.runs, 4);
    CHECK_EQ(play_counts(p)->hits, 4);
    play_free(p);
}

TEST(picks_are_part_of_the_key)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    for (int round = 0; round < 2; round++) {
        const struct effect *e = play_run(p, 0, 8, 0, NULL, 0);
        CHECK(e->flags == EFFECT_PICK && e->pick == 3);
        for (uint16_t k = 0; k < 3; k++)
            CHECK_EQ(play_run(p, 0, 8, 0, &k, 1)->state, k);
    }
    CHECK_EQ(t.runs, 4);
    CHECK_EQ(play_counts(p)->runs, 3);
    play_free(p);
}

TEST(picks_and_sender_together)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t s = 0; s < 3; s++)
            for (uint16_t k = 0; k < 2; k++)
                CHECK_EQ(play_run(p, 100, 9, s, &k, 1)->state,
                         100 + k + (k ? s : 0));
    CHECK_EQ(t.runs, 4);
    play_free(p);
}

TEST(shared_memory_counts_when_it_was_touched)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t shared = 0; shared < 3; shared++) {
            play_share(p, shared);
            CHECK_EQ(play_run(p, 20, 10, 0, NULL, 0)->state, 20 + shared);
            CHECK_EQ(play_run(p, 20, 1, 0, NULL, 0)->state, 21);
            for (uint32_t s = 0; s < 2; s++)
                CHECK_EQ(play_run(p, 20, 11, s, NULL, 0)->state,
                         20 + shared + s);
        }
    CHECK_EQ(t.runs, 3 + 1 + 6);
    play_free(p);
}

TEST(bodies_are_keyed_by_the_global_state)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    uint32_t a[] = {0, 4}, b[] = {0, 5};
    struct send in_flight = {0, 1, 2, 99}, other = {7, 1, 2, 98};
    CHECK_EQ(play_body(p, 1, a, 2, NULL, 0, NULL, 0)->state, 5);
    CHECK_EQ(play_body(p, 1, b, 2, NULL, 0, NULL, 0)->state, 6);
    CHECK_EQ(play_body(p, 1, a, 2, NULL, 0, NULL, 0)->state, 5);
    CHECK_EQ(play_body(p, 1, a, 2, &in_flight, 1, NULL, 0)->state, 6);
    CHECK_EQ(play_body(p, 1, a, 2, &other, 1, NULL, 0)->state, 6);
    CHECK_EQ(t.bodies, 3);
    play_free(p);
}

TEST(growing_loses_nothing)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    enum { N = 50000 };
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < N; i++) {
            CHECK_EQ(play_run(p, i * 16, 1, 0, NULL, 0)->state, i * 16 + 1);
            uint16_t k = (uint16_t)(i % 3);
            CHECK_EQ(play_run(p, i, 8, 0, &k, 1)->state, i + k);
        }
    CHECK_EQ(t.runs, 2 * N);
    play_check(p);
    play_free(p);
}

TEST(forgetting_runs_again)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 100000);
    uint32_t i = 0;
    while (!play_full(p))
        play_run(p, i++, 1, 0, NULL, 0);
    CHECK(i > 100 && i < 10000);
    play_forget(p, NULL, 0, NULL, 0);
    CHECK(!play_full(p));
    CHECK_EQ(t.forgets, 1);
    int before = t.runs;
    CHECK_EQ(play_run(p, 3, 1, 0, NULL, 0)->state, 4);
    CHECK_EQ(t.runs, before + 1);
    play_free(p);
}

TEST(kinds_have_ids)
{
    for (int k = 0; k < BUG_KINDS_N; k++)
        CHECK_EQ(bug_kind_of(bug_kind_id((enum bug_kind)k)), k);
    CHECK_EQ(bug_kind_of("no such kind"), BUG_NONE);
    CHECK_TEXT(bug_kind_text(BUG_ASSERTION), "assertion failed");
}

TEST(timers_that_rest_are_noticed)
{
    struct toy t = {0};
    struct play *p = play_new(&ops, &t, 0);
    play_run(p, 1, 2, 0, NULL, 0);
    play_run(p, 1000, 8, 0, NULL, 0); // it asks for a choice first
    CHECK(!play_rested(p));
    play_run(p, 998, 2, 0, NULL, 0);
    CHECK(play_rested(p));
    play_free(p);
}

TEST_MAIN()
