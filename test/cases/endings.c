// How executions end, or never do: on a play written as a table of rows.
#include "base/rng.h"
#include "explore/explore.h"
#include "cases/replay.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { BODY = 1000 };

// State s of actor a is id a * 10 + s, those of the body begin at BODY.  A row
// says what an actor in state s does with message m.
struct row {
    uint32_t actor, state, msg;
    uint32_t next; // state afterwards
    struct send sends[3];
    uint32_t n_sends;
};

struct table {
    uint32_t actors;        // 1..actors, all born at the start in state 0
    const struct row *rows; // what is in none changes nothing
    uint32_t n_rows;
    struct send first[6]; // from the body
    uint32_t n_first;
    uint32_t flags[10][10]; // of actor, state
    // broken if actor 1 is in broken[0] and actor 2 in broken[1]
    bool has_invariant;
    uint32_t broken[2];
    uint32_t looks; // the body goes on so often after one receive; its state
                    // is what it saw of actor 1, in order
    enum delivery delivery;
    struct birth births[9];
    struct play_state said;
};

static const struct bug broken_bug = {
    .kind = BUG_INVARIANT, .text = "broken", .thing = "pair"};

static void run(void *self, uint32_t state, uint32_t msg, uint32_t sender,
                const uint16_t *picks, uint32_t n_picks, struct effect *out)
{
    struct table *t = self;
    (void)sender, (void)picks, (void)n_picks;
    out->state = state;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        const struct row *r = &t->rows[i];
        if (r->actor * 10 + r->state != state || r->msg != msg)
            continue;
        out->state = r->actor * 10 + r->next;
        out->sends = r->sends;
        out->n_sends = (uint16_t)r->n_sends;
        return;
    }
}

static void body(void *self, uint32_t env, const uint32_t *states, uint32_t n,
                 const struct send *in_flight, uint32_t n_in_flight,
                 const uint16_t *picks, uint32_t n_picks, struct effect *out)
{
    struct table *t = self;
    (void)in_flight, (void)n_in_flight, (void)picks, (void)n_picks;
    uint32_t seen = 1;
    if (env != PLAY_NONE)
        seen = (env - BODY) * 2 + (n > 1 && states[1] != 10);
    out->state = BODY + seen;
    out->flags = seen >> t->looks ? EFFECT_BODY_DONE : EFFECT_BODY_ONE;
    if (env != PLAY_NONE)
        return;
    for (uint32_t a = 1; a <= t->actors; a++)
        t->births[a - 1] = (struct birth){a, a * 10, 0};
    out->births = t->births;
    out->n_births = (uint16_t)t->actors;
    out->sends = t->first;
    out->n_sends = (uint16_t)t->n_first;
}

static const struct bug *invariant(void *self, const uint32_t *states,
                                   uint32_t n, const struct send *in_flight,
                                   uint32_t n_in_flight)
{
    struct table *t = self;
    (void)in_flight, (void)n_in_flight;
    if (!t->has_invariant || n < 3 || states[1] != 10 + t->broken[0] ||
        states[2] != 20 + t->broken[1])
        return NULL;
    return &broken_bug;
}

// Which of two timers are pending is said by these flags.
enum { TIMER_A = 1 << 8, TIMER_B = 1 << 9 };
static const char *const timers[] = {"", "a", "b"};
static const char *const timer_words[] = {"timer", "timer a", "timer b"};

static uint32_t with_timers(uint32_t flags)
{
    uint32_t n = !!(flags & TIMER_A) + !!(flags & TIMER_B);
    return flags | state_timer_flags(n, n) | (n ? STATE_OWES : 0u);
}

static void pending(void *self, uint32_t state, uint32_t k,
                    struct play_pending *out)
{
    struct table *t = self;
    uint32_t flags = t->flags[state / 10][state % 10];
    uint32_t name = k || !(flags & TIMER_A) ? 2 : 1;
    *out = (struct play_pending){.name = name, .of = timers[name]};
}

static const struct play_state *state_of(void *self, uint32_t state)
{
    struct table *t = self;
    uint32_t actor = state < BODY ? state / 10 : PLAY_ENV;
    uint32_t flags = state < BODY ? t->flags[actor][state % 10] : 0;
    t->said =
        (struct play_state){actor, with_timers(flags), {state * 7919u, 0}};
    return &t->said;
}

static const char *const names[] = {"test", "a#1", "b#1", "c#1", "d#1"};
static const char *const classes[] = {"test", "a", "b", "c", "d"};

static const char *actor_name(void *self, uint32_t a)
{
    (void)self;
    return names[a];
}

static const char *actor_class(void *self, uint32_t a)
{
    (void)self;
    return classes[a];
}

static const char *msg_name(void *self, uint32_t m)
{
    static const char *const msgs[] = {"m0", "m1", "m2", "m3", "m4"};
    (void)self;
    return msgs[m];
}

static uint32_t actor_named(void *self, const char *name)
{
    (void)self;
    for (uint32_t a = 0; a < 5; a++)
        if (!strcmp(names[a], name))
            return a;
    return PLAY_NONE;
}

static struct digest id_digest(void *self, uint32_t id)
{
    (void)self;
    return (struct digest){id, id};
}

static uint64_t id_hash(void *self, uint32_t id)
{
    (void)self;
    return (id + 1) * 0x9e3779b97f4a7c15u;
}

static void forget(void *self, const uint32_t *states, uint32_t n_states,
                   const uint32_t *msgs, uint32_t n_msgs)
{
    (void)self, (void)states, (void)n_states, (void)msgs, (void)n_msgs;
}

static uint64_t bytes(void *self)
{
    (void)self;
    return 0;
}

static const struct play_ops ops = {
    .run = run,
    .body = body,
    .invariant = invariant,
    .state = state_of,
    .timer = pending,
    .actor_name = actor_name,
    .actor_class = actor_class,
    .msg_name = msg_name,
    .actor_named = actor_named,
    .actor_hash = id_hash,
    .msg_hash = id_digest,
    .forget = forget,
    .bytes = bytes,
};

struct told {
    struct play *play;
    enum delivery delivery;
    uint64_t kinds; // set of bug kinds
    char text[200];
    uint32_t steps;
    uint32_t bugs, replayed; // of these the schedule comes back to a state
    bool complete;
};

// Does this schedule, in words, end in a state it was in before?
static bool comes_back(const struct told *t, const struct schedule *s)
{
    VEC(struct words_step) words = {0};
    for (uint32_t i = 1; i < s->steps.n; i++) {
        const struct step *x = &s->steps.at[i];
        bool timer = play_is_timer(x->msg);
        struct words_step w = {.actor = names[x->actor],
                               .msg = timer ? timer_words[x->nth]
                                            : msg_name(NULL, x->msg),
                               .sender = timer ? NULL : names[x->sender]};
        vec_push(&words, w);
    }
    struct replay r = {0};
    bool back =
        replay_words(t->play, t->delivery, words.at, words.n, &r) && r.repeats;
    replay_free(&r);
    vec_free(&words);
    return back;
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct told *t = self;
    t->kinds |= 1ull << b->kind;
    snprintf(t->text, sizeof t->text, "%s", b->text);
    t->steps = s->steps.n;
    t->bugs++;
    t->replayed += b->kind == BUG_CYCLE && comes_back(t, s);
}

static struct told look(struct table *t, enum strategy s, uint64_t ignore)
{
    struct play *p = play_new(&ops, t, 0);
    struct told told = {.play = p, .delivery = t->delivery};
    struct explore_options o = {.strategy = s,
                                .delivery = t->delivery,
                                .ignore = ignore,
                                .keep_going = true,
                                .steps = 50,
                                .max_states = 3000,
                                .schedules = 100};
    struct explore_sink sink = {.self = &told, .bug = on_bug};
    struct explore_result r;
    explore(p, &o, &sink, &r);
    told.complete = r.complete;
    play_free(p);
    return told;
}

static const enum strategy all[] = {STRATEGY_EXHAUSTIVE, STRATEGY_SOURCE,
                                    STRATEGY_ETA,        STRATEGY_STATEFUL,
                                    STRATEGY_RANDOM,     STRATEGY_OPTIMAL};
enum { N_ALL = 6 };

// ---- waiting for ever -----------------------------------------------------

static const struct row goes_on[] = {{.actor = 1, .msg = 1, .next = 1}};

static struct table waiting(uint32_t flags, uint32_t other)
{
    struct table t = {.actors = 2,
                      .rows = goes_on,
                      .n_rows = 1,
                      .first = {{PLAY_ENV, 1, 1, 0}},
                      .n_first = 1};
    t.flags[1][1] = flags;
    t.flags[2][0] = other;
    return t;
}

TEST(an_actor_that_rests_in_a_hot_behaviour_is_deadlocked)
{
    for (int i = 0; i < N_ALL; i++) {
        struct table t = waiting(STATE_HOT, STATE_HOT | STATE_WAITS);
        struct told told = look(&t, all[i], 0);
        CHECK_EQ(told.kinds, 1ull << BUG_DEADLOCK);
        CHECK_TEXT(told.text, "deadlock: nothing left to deliver, a#1, b#1 "
                              "rest in a behaviour marked hot");
    }
}

TEST(waiting_and_keeping_are_told_the_gravest_first)
{
    struct table t = waiting(STATE_WAITS, STATE_UNTIL);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 0).kinds, 1ull << BUG_DEADLOCK);
    t = waiting(STATE_WAITS, STATE_KEPT);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 0).kinds, 1ull << BUG_UNANSWERED);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 1ull << BUG_UNANSWERED).kinds,
             1ull << BUG_DEFERRED);
    t = waiting(0, 0);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 0).kinds, 0);
    t = waiting(STATE_HOT, STATE_CRASHED);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 0).kinds, 0);
    t = waiting(STATE_HOT | STATE_STOPPED, 0);
    CHECK_EQ(look(&t, STRATEGY_SOURCE, 0).kinds, 0);
}

// ---- endless schedules ----------------------------------------------------

// Two actors that answer each other for ever.
static const struct row ping_pong[] = {
    {1, 0, 1, 0, {{1, 2, 1, 0}}, 1},
    {2, 0, 1, 0, {{2, 1, 1, 0}}, 1},
};

static const struct table ping_pong_table = {.actors = 2,
                                             .rows = ping_pong,
                                             .n_rows = 2,
                                             .first = {{PLAY_ENV, 1, 1, 0}},
                                             .n_first = 1};

TEST(a_fair_cycle_is_an_endless_schedule)
{
    struct table t = ping_pong_table;
    for (int i = 0; i < N_ALL; i++) {
        struct told told = look(&t, all[i], 0);
        CHECK_EQ(told.kinds, 1ull << BUG_CYCLE);
        CHECK_TEXT(told.text, "the last 2 steps can be repeated for ever");
        CHECK_EQ(told.steps, 4); // the first message came from the test
        CHECK_EQ(told.replayed, told.bugs);
        CHECK_EQ(look(&t, all[i], 1ull << BUG_CYCLE).kinds, 0);
    }
}

// Actor 1 sends to itself until actor 2, which gets a message, stops it.
static const struct row stoppable[] = {
    {1, 0, 1, 0, {{1, 1, 1, 0}}, 1},
    {2, 0, 2, 1, {{2, 1, 3, 0}}, 1},
    {1, 0, 3, 1, {{0}}, 0},
};

TEST(a_cycle_that_ignores_a_message_for_ever_is_none)
{
    struct table t = {.actors = 2,
                      .rows = stoppable,
                      .n_rows = 3,
                      .first = {{PLAY_ENV, 1, 1, 0}, {PLAY_ENV, 2, 2, 0}},
                      .n_first = 2};
    for (int i = 0; i < N_ALL; i++) {
        t.n_rows = 3;
        CHECK_EQ(look(&t, all[i], 0).kinds, 0);
        t.n_rows = 2; // nothing stops it
        CHECK_EQ(look(&t, all[i], 0).kinds, 1ull << BUG_CYCLE);
    }
}

// A cycle of one actor, while two others starve as long as the search likes.
static const struct row others_wait[] = {
    {1, 0, 1, 0, {{1, 1, 1, 0}}, 1},
    {2, 0, 2, 1, {{2, 3, 2, 0}}, 1},
    {3, 0, 2, 1, {{0}}, 0},
};

TEST(a_strategy_that_starves_others_finds_a_fair_cycle)
{
    struct table t = {.actors = 3,
                      .rows = others_wait,
                      .n_rows = 3,
                      .first = {{PLAY_ENV, 1, 1, 0}, {PLAY_ENV, 2, 2, 0}},
                      .n_first = 2};
    for (int i = 0; i < N_ALL; i++) {
        struct told told = look(&t, all[i], 0);
        CHECK_EQ(told.kinds, 1ull << BUG_CYCLE);
        CHECK_EQ(told.replayed, told.bugs);
    }
}

// Actor 1 has two loops, each of which leaves one message waiting; only both
// together are fair.
static const struct row two_loops[] = {
    {1, 0, 1, 0, {{1, 1, 1, 0}}, 1},
    {1, 0, 2, 0, {{1, 1, 2, 0}}, 1},
};

TEST(a_fair_cycle_may_be_made_of_unfair_ones)
{
    struct table t = {.actors = 1,
                      .rows = two_loops,
                      .n_rows = 2,
                      .first = {{PLAY_ENV, 1, 1, 0}, {PLAY_ENV, 1, 2, 0}},
                      .n_first = 2,
                      .delivery = DELIVERY_ANY};
    for (int i = 0; i < N_ALL; i++) {
        struct told told = look(&t, all[i], 0);
        CHECK_EQ(told.kinds, 1ull << BUG_CYCLE);
        CHECK_EQ(told.complete, all[i] == STRATEGY_STATEFUL);
    }
}

// A timer that sets itself again, alone: every server has one.
TEST(a_timer_may_go_on_for_ever)
{
    struct table t = {.actors = 1, .flags = {[1] = {[0] = TIMER_A}}};
    for (int i = 0; i < N_ALL; i++)
        CHECK_EQ(look(&t, all[i], 0).kinds, 0);
}

// When the timer of actor 1 fires it sends a message to actor 2, which answers;
// then the timer is set again.
static const struct row pings[] = {
    {1, 0, PLAY_NONE - 1, 1, {{1, 2, 1, 0}}, 1},
    {2, 0, 1, 0, {{2, 1, 2, 0}}, 1},
    {1, 1, 2, 0, {{0, 0, 0, 0}}, 0},
};

TEST(what_a_timer_brings_about_again_and_again_is_no_bug)
{
    struct table t = {.actors = 2,
                      .rows = pings,
                      .n_rows = 3,
                      .flags = {[1] = {[0] = TIMER_A}}};
    for (int i = 0; i < N_ALL; i++)
        CHECK_EQ(look(&t, all[i], 0).kinds, 0);
}

// Beside such a timer two actors pass a message to and fro without end.
static const struct row pings_and_ball[] = {
    {1, 0, PLAY_NONE - 1, 1, {{1, 2, 1, 0}}, 1},
    {2, 0, 1, 0, {{2, 1, 2, 0}}, 1},
    {1, 1, 2, 0, {{0, 0, 0, 0}}, 0},
    {2, 0, 3, 0, {{2, 3, 3, 0}}, 1},
    {3, 0, 3, 0, {{3, 2, 3, 0}}, 1},
};

TEST(messages_that_go_on_for_ever_beside_a_timer_are_one)
{
    struct table t = {.actors = 3,
                      .rows = pings_and_ball,
                      .n_rows = 5,
                      .flags = {[1] = {[0] = TIMER_A}},
                      .first = {{PLAY_ENV, 2, 3, 0}},
                      .n_first = 1};
    for (int i = 0; i < N_ALL; i++)
        CHECK_EQ(look(&t, all[i], 0).kinds, 1ull << BUG_CYCLE);
}

// Every receive leaves one more message in flight.
static const struct row grows[] = {
    {1, 0, 1, 0, {{1, 1, 1, 0}, {1, 1, 1, 0}}, 2},
};

TEST(the_bound_on_steps_is_no_bug)
{
    struct table t = {.actors = 1,
                      .rows = grows,
                      .n_rows = 1,
                      .first = {{PLAY_ENV, 1, 1, 0}},
                      .n_first = 1};
    for (int i = 0; i < N_ALL; i++) {
        struct play *p = play_new(&ops, &t, 0);
        struct explore_options o = {
            .strategy = all[i], .steps = 30, .schedules = 10};
        struct explore_result r;
        explore(p, &o, NULL, &r);
        CHECK_EQ(r.bugs, 0);
        CHECK(!r.complete);
        CHECK(r.cut > 0);
        CHECK_EQ(r.executions, 0);
        if (all[i] != STRATEGY_RANDOM)
            CHECK_TEXT(stop_id(r.stopped_by), "steps");
        play_free(p);
    }
}

// ---- invariants -----------------------------------------------------------

static const struct row both_move[] = {{1, 0, 1, 1, {{0}}, 0},
                                       {2, 0, 1, 1, {{0}}, 0}};

// Two steps that commute: one execution is enough for the reduction, but it
// passes through only one of the states in between.
TEST(reduction_checks_invariants_in_every_cut)
{
    for (uint32_t moved = 0; moved < 2; moved++) {
        for (int i = 0; i < N_ALL; i++) {
            struct table t = {
                .actors = 2,
                .rows = both_move,
                .n_rows = 2,
                .first = {{PLAY_ENV, 1, 1, 0}, {PLAY_ENV, 2, 1, 0}},
                .n_first = 2,
                .has_invariant = true,
                .broken = {moved, 1 - moved}};
            struct told told = look(&t, all[i], 0);
            CHECK_EQ(told.kinds, 1ull << BUG_INVARIANT);
            CHECK_EQ(told.steps, 2);
            CHECK_EQ(look(&t, all[i], 1ull << BUG_INVARIANT).kinds, 0);
        }
    }
}

// ---- timers ---------------------------------------------------------------

// A random table.  If it is to end states only grow.  Some states have timers
// pending; a step may take the actor to one that has not: that cancels them.
static uint32_t random_rows(struct rng *g, struct table *t, bool to_end,
                            struct row *rows)
{
    uint32_t n = 0;
    for (uint32_t a = 1; a <= t->actors; a++) {
        for (uint32_t s = 0; s < 4; s++) {
            t->flags[a][s] = rng_below(g, 2) ? TIMER_A << rng_below(g, 2) : 0;
            if (rng_below(g, 4) == 0)
                t->flags[a][s] = TIMER_A | TIMER_B;
            uint32_t n_timers = state_timers(with_timers(t->flags[a][s]));
            for (uint32_t m = 2 - n_timers; m < 5; m++) {
                struct row r = {.actor = a,
                                .state = s,
                                .msg = m < 2 ? play_timer(1 - m) : m - 1,
                                .next = to_end ? s + 1 + rng_below(g, 4 - s)
                                               : rng_below(g, 4),
                                .n_sends = rng_below(g, to_end ? 3 : 2)};
                for (uint32_t i = 0; i < r.n_sends; i++)
                    r.sends[i] = (struct send){a, 1 + rng_below(g, t->actors),
                                               1 + rng_below(g, 3), 0};
                if (m < 2 || rng_below(g, 4))
                    rows[n++] = r;
            }
        }
    }
    return n;
}

static struct table random_table(struct rng *g, bool to_end, struct row *rows)
{
    struct table t = {.actors = 2 + rng_below(g, 2), .rows = rows};
    t.n_rows = random_rows(g, &t, to_end, rows);
    t.n_first = 2;
    for (uint32_t i = 0; i < t.n_first; i++)
        t.first[i] = (struct send){PLAY_ENV, 1 + rng_below(g, t.actors),
                                   1 + rng_below(g, 3), 0};
    return t;
}

static struct explore_result ends(struct table *t, enum strategy s,
                                  enum delivery d, uint64_t most)
{
    struct play *p = play_new(&ops, t, 0);
    struct explore_options o = {
        .strategy = s, .delivery = d, .schedules = most};
    struct explore_result r;
    explore(p, &o, NULL, &r);
    play_free(p);
    return r;
}

TEST(timers_that_may_be_cancelled_are_explored_alike)
{
    static const enum strategy others[] = {STRATEGY_SOURCE, STRATEGY_ETA,
                                           STRATEGY_STATEFUL, STRATEGY_OPTIMAL};
    int done = 0;
    TEST_SEEDS (seed, 150) {
        struct rng g = rng_of(seed);
        struct row rows[80];
        struct table t = random_table(&g, true, rows);
        for (int d = 0; d < DELIVERIES_N; d++) {
            struct explore_result full =
                ends(&t, STRATEGY_EXHAUSTIVE, (enum delivery)d, 20000);
            for (int i = 0; full.complete && i < 4; i++) {
                struct explore_result r =
                    ends(&t, others[i], (enum delivery)d, 0);
                int before = test_failures_;
                CHECK(r.complete);
                CHECK_EQ(r.final_states, full.final_states);
                CHECK(r.finals_hash == full.finals_hash);
                if (test_failures_ != before)
                    fprintf(stderr, "  in table %d, %s, %s\n", (int)seed,
                            delivery_id((enum delivery)d),
                            strategy_id(others[i]));
                done++;
            }
        }
    }
    CHECK(done > 400 || !test_whole());
}

// All executions at the bound can go on, and `stateful` knows all cycles.
TEST(what_is_told_as_endless_is_so)
{
    int endless = 0, found = 0, none = 0;
    TEST_SEEDS (seed, 400) {
        struct rng g = rng_of(seed);
        struct row rows[80];
        struct table t = random_table(&g, false, rows);
        t.delivery = (enum delivery)(seed % DELIVERIES_N);
        if (seed % 3)
            memset(t.flags, 0, sizeof t.flags); // no timers
        struct told full = look(&t, STRATEGY_STATEFUL, 0);
        for (int i = 0; full.complete && i < N_ALL; i++) {
            if (all[i] == STRATEGY_STATEFUL)
                continue;
            struct told told = look(&t, all[i], 0);
            CHECK_EQ(told.kinds & ~full.kinds, 0);
            CHECK_EQ(told.replayed, told.bugs);
            endless += full.kinds >> BUG_CYCLE & 1;
            found += told.kinds >> BUG_CYCLE & 1;
            none += !full.kinds;
        }
    }
    CHECK(none > 20 || !test_whole());
    CHECK((2 * found > endless && endless > 40) || !test_whole());
}

// ---- a body that goes on after each receive -------------------------------

static const struct row relay[] = {{1, 0, 1, 1, {{1, 2, 1, 0}}, 1},
                                   {2, 0, 1, 1, {{2, 3, 1, 0}}, 1},
                                   {3, 0, 1, 1, {{3, 1, 2, 0}}, 1}};

// What the body sees depends on the order of steps that commute otherwise.
TEST(a_body_that_looks_in_between_is_explored_alike)
{
    static const enum strategy complete[] = {
        STRATEGY_EXHAUSTIVE, STRATEGY_SOURCE, STRATEGY_ETA, STRATEGY_STATEFUL};
    for (int d = 0; d < DELIVERIES_N; d++) {
        struct explore_result r[4];
        for (int i = 0; i < 4; i++) {
            struct table t = {.actors = 3,
                              .rows = relay,
                              .n_rows = 3,
                              .first = {{PLAY_ENV, 2, 1, 0},
                                        {PLAY_ENV, 1, 1, 0},
                                        {PLAY_ENV, 3, 1, 0}},
                              .n_first = 3,
                              .looks = 4};
            struct play *p = play_new(&ops, &t, 0);
            struct explore_options o = {.strategy = complete[i],
                                        .delivery = (enum delivery)d};
            explore(p, &o, NULL, &r[i]);
            CHECK(r[i].complete);
            CHECK_EQ(r[i].final_states, r[0].final_states);
            CHECK(r[i].finals_hash == r[0].finals_hash);
            play_free(p);
        }
        CHECK(r[0].final_states > 3);
        CHECK(r[1].executions < r[0].executions);
    }
}

TEST(optimal_refuses_a_body_that_looks_in_between)
{
    struct table t = {.actors = 1, .looks = 2};
    struct play *p = play_new(&ops, &t, 0);
    struct explore_options o = {.strategy = STRATEGY_OPTIMAL};
    struct explore_result r;
    explore(p, &o, NULL, &r);
    CHECK_EQ(r.stopped_by, STOP_REFUSED);
    CHECK(r.refused != REFUSAL_NONE);
    play_free(p);
}

TEST_MAIN()
