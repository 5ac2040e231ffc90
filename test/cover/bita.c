// The examples of the Bita paper: listing 1 with its figures 1 and 2, the
// schedules named in III-A and IV.  The program is the toy `gatling`: actor 1
// is the writer, 2 the terminator, 3 and 4 the actions.
#include "test.h"

#include "cover/cover.h"
#include "cover/criteria.h"
#include "cover/force.h"
#include "cover/generate.h"
#include "cover/musthb.h"
#include "cover/record.h"
#include "toy/toy.h"
#include "explore/world.h"

// A receive by receiver and sender.
struct who {
    uint32_t to, from; // the same: its timer
};

static bool step(struct world *w, struct who who)
{
    choices c = {0};
    bool found = false;
    world_choices(w, &c);
    for (uint32_t i = 0; i < c.n && !found; i++) {
        const struct choice *k = &c.at[i];
        uint32_t from = k->flight < play_timer(0)
                            ? w->flights.at[k->flight].sender
                            : k->actor;
        if (k->actor != who.to || from != who.from)
            continue;
        world_do(w, k);
        found = true;
    }
    vec_free(&c);
    return found;
}

static void begin(struct world *w)
{
    choices c = {0};
    world_choices(w, &c);
    world_do(w, &c.at[0]); // the body
    vec_free(&c);
}

static void make(struct play *p, enum delivery d, const struct who *who,
                 uint32_t n, struct schedule *out)
{
    struct world w;
    world_init(&w, p, d);
    begin(&w);
    for (uint32_t i = 0; i < n; i++)
        CHECK(step(&w, who[i]));
    world_schedule(&w, out);
    world_release(&w);
}

static uint64_t flushed(void *self, uint32_t state)
{
    struct play *p = self;
    return play_state(p, state)->actor == 1 ? state : 0;
}

struct scene {
    struct toy *toy;
    struct schedule s;
    struct record r;
    struct musthb m;
    struct look look;
};

static void scene_of(struct scene *x, struct toy *toy, enum delivery d,
                     const struct who *who, uint32_t steps)
{
    memset(x, 0, sizeof *x);
    x->toy = toy;
    make(toy_play(x->toy), d, who, steps, &x->s);
    record_make(&x->r, toy_play(x->toy), d, &x->s, NULL);
    musthb_make(&x->m, &x->r);
}

// n actions; with the check of figure 2 or not.
static void scene_open(struct scene *x, int n, bool check, enum delivery d,
                       const struct who *who, uint32_t steps)
{
    scene_of(x, toy_new("gatling", n, check, 0, 0), d, who, steps);
}

static void scene_close(struct scene *x)
{
    musthb_free(&x->m);
    record_free(&x->r);
    schedule_free(&x->s);
    toy_free(x->toy);
}

// Figure 1: ex, w, ad, fl, fd, one action.
static const struct who figure1[] = {{3, 0}, {1, 3}, {2, 3}, {1, 2}, {2, 1}};
enum { EX = 1, W, AD, FL, FD };

TEST(must_happen_before_of_figure_1)
{
    // Causality and its closure: (ex,w) (ex,ad) (ad,fl) (fl,fd) (w,fd).
    static const bool want[6][6] = {
        [EX] = {[W] = 1, [AD] = 1, [FL] = 1, [FD] = 1},
        [W] = {[FD] = 1},
        [AD] = {[FL] = 1, [FD] = 1},
        [FL] = {[FD] = 1},
    };
    struct scene x;
    scene_open(&x, 1, false, DELIVERY_PAIR, figure1, 5);
    for (uint32_t i = EX; i <= FD; i++)
        for (uint32_t j = i + 1; j <= FD; j++)
            CHECK_EQ(musthb(&x.m, i, j), want[i][j]);
    scene_close(&x);
}

TEST(sender_and_receiver_by_model)
{
    // w and fl come from different senders: only mailbox and causal order
    // them, since w was sent before ad, which led to fl.
    static const bool want[] = {[DELIVERY_PAIR] = 0,
                                [DELIVERY_ANY] = 0,
                                [DELIVERY_CAUSAL] = 1,
                                [DELIVERY_MAILBOX] = 1};
    for (int d = 0; d < DELIVERIES_N; d++) {
        struct scene x;
        scene_open(&x, 1, false, (enum delivery)d, figure1, 5);
        CHECK_EQ(musthb(&x.m, W, FL), want[d]);
        scene_close(&x);
    }
}

// What the child sends in its init comes before what it sends later; the
// creator's sends before and after have another sender.
TEST(sends_of_an_init_hook_are_the_new_actors)
{
    static const struct who steps[] = {{2, 0}, {1, 2}, {1, 3},
                                       {1, 2}, {3, 3}, {1, 3}};
    enum { A1 = 2, B1, A2, TIMER, B2 };
    for (int d = 0; d < DELIVERIES_N; d++) {
        struct scene x;
        scene_of(&x, toy_new("alarm", 0, 0, 0, 0), (enum delivery)d, steps, 6);
        bool chain = d == DELIVERY_CAUSAL || d == DELIVERY_MAILBOX;
        CHECK_EQ(musthb_why(&x.m, B1, B2) != CONSTRAINT_NONE,
                 d != DELIVERY_ANY);
        CHECK_EQ(musthb_why(&x.m, A1, B1) != CONSTRAINT_NONE, chain);
        CHECK_EQ(musthb_why(&x.m, B1, A2) != CONSTRAINT_NONE, chain);
        CHECK_EQ(musthb_why(&x.m, A1, A2) != CONSTRAINT_NONE,
                 d != DELIVERY_ANY);
        CHECK(musthb_why(&x.m, TIMER, B2) == CONSTRAINT_CAUSE);
        scene_close(&x);
    }
}

// The schedule that algorithm 2 makes to swap two events, for PR.
static void swapped(struct scene *x, uint32_t i, uint32_t j, event_list *out)
{
    struct coverage c = {0};
    event_list all = {0};
    coverage_add(&c, toy_play(x->toy), &x->r, &x->m);
    for (uint32_t k = 0; k < x->r.events.n; k++)
        vec_push(&all, k);
    uint64_t effort = GENERATE_EFFORT;
    struct making of = {&x->r, &x->m, &c, CRITERION_PR, &effort, NULL};
    generate_schedule(&of, &all, i, j, true, out);
    vec_free(&all);
    coverage_free(&c);
}

// IV-D: ex1 w1 ex2 w2 ad1 ad2 fl fd, two actions.
static const struct who two[] = {{3, 0}, {1, 3}, {4, 0}, {1, 4},
                                 {2, 3}, {2, 4}, {1, 2}, {2, 1}};
enum { EX1 = 1, W1, EX2, W2, AD1, AD2, FL2, FD2 };

TEST(the_schedule_of_section_4d)
{
    static const uint32_t want[] = {0, EX1, EX2, W2, AD1, AD2, FL2, W1};
    struct scene x;
    event_list out = {0};
    scene_open(&x, 2, false, DELIVERY_PAIR, two, 8);
    swapped(&x, W1, W2, &out);
    CHECK_EQ(out.n, 8);
    for (uint32_t i = 0; i < out.n && i < 8; i++)
        CHECK_EQ(out.at[i], want[i]);
    vec_free(&out);
    scene_close(&x);
}

// Figure 2: the write is late, and the check comes before the error: ex, ad,
// fl, w, fd, ch, er.
static const struct who figure2[] = {{3, 0}, {2, 3}, {1, 2}, {1, 3},
                                     {2, 1}, {2, 0}, {2, 1}};
enum { EX_2 = 1, AD_2, FL_2, W_2, FD_2, CH_2, ER_2 };

TEST(must_happen_before_of_figure_2)
{
    static const bool want[8][8] = {
        [EX_2] = {[AD_2] = 1, [FL_2] = 1, [W_2] = 1, [FD_2] = 1, [ER_2] = 1},
        [AD_2] = {[FL_2] = 1, [FD_2] = 1, [ER_2] = 1},
        [FL_2] = {[FD_2] = 1, [ER_2] = 1}, // er: the flush makes the write late
        [W_2] = {[ER_2] = 1},
        [FD_2] = {[ER_2] = 1}, // of one sender
    };
    struct scene x;
    scene_open(&x, 1, true, DELIVERY_PAIR, figure2, 7);
    for (uint32_t i = EX_2; i <= ER_2; i++)
        for (uint32_t j = i + 1; j <= ER_2; j++)
            CHECK_EQ(musthb(&x.m, i, j), want[i][j]);
    scene_close(&x);
}

// The event with this id, NO_EVENT if it is not there.
static uint32_t find_event(const struct record *r, uint64_t id)
{
    for (uint32_t i = 0; i < r->events.n; i++)
        if (r->events.at[i].id == id)
            return i;
    return NO_EVENT;
}

// Forces a list of events of the scene; are all followed, and a before b then?
static bool forced(const struct scene *x, const uint32_t *list, uint32_t n,
                   uint32_t a, uint32_t b)
{
    const struct explore_sink sink = {0};
    struct schedule made = {0};
    struct record r = {0};
    struct play *p = toy_play(x->toy);
    uint32_t followed =
        cover_force(p, x->r.delivery, 0, &x->s, list, n, NULL, &sink, &made);
    record_make(&r, p, x->r.delivery, &made, NULL);
    uint32_t at_a = find_event(&r, x->r.events.at[a].id);
    uint32_t at_b = find_event(&r, x->r.events.at[b].id);
    bool ok = followed == n && at_a < at_b && at_b != NO_EVENT;
    record_free(&r);
    schedule_free(&made);
    return ok;
}

// IV-D: to have the check after the error, the schedule has to say that the
// flush comes before the write.
TEST(the_error_of_figure_2_before_the_check)
{
    static const uint32_t want[] = {0, EX_2, AD_2, FL_2, W_2, FD_2, ER_2, CH_2};
    struct scene x;
    event_list out = {0};
    scene_open(&x, 1, true, DELIVERY_PAIR, figure2, 7);
    swapped(&x, CH_2, ER_2, &out);
    CHECK_EQ(out.n, 8);
    for (uint32_t i = 0; i < out.n && i < 8; i++)
        CHECK_EQ(out.at[i], want[i]);
    CHECK(forced(&x, out.at, out.n, ER_2, CH_2));
    vec_free(&out);
    scene_close(&x);
}

// The naive schedule: w and fl may come in the other order, and then there is
// no error.  And the longer one, w fl ch fd, which reaches two goals.
TEST(schedules_named_with_figure_2)
{
    static const uint32_t naive[] = {0, EX_2, W_2, AD_2, FL_2, ER_2, CH_2};
    static const uint32_t both[] = {0, EX_2, AD_2, W_2, FL_2, CH_2, FD_2};
    struct scene x;
    scene_open(&x, 1, true, DELIVERY_PAIR, figure2, 7);
    CHECK(!forced(&x, naive, 7, ER_2, CH_2));
    CHECK(forced(&x, both, 7, W_2, FL_2));
    CHECK(forced(&x, both, 7, CH_2, FD_2));
    scene_close(&x);
}

// Coverage of sets of orders of w1, w2, fl at the writer, which need not be
// complete schedules: III-A counts goals only.
static struct coverage_counts cover_orders(const char *const *orders,
                                           uint32_t n, enum criterion cr,
                                           bool changes)
{
    struct toy *toy = toy_new("gatling", 2, 0, 0, 0);
    struct coverage c = {0};
    struct schedule first = {0};
    struct record r = {.delivery = DELIVERY_ANY};
    make(toy_play(toy), DELIVERY_ANY, NULL, 0, &first); // actors are born
    schedule_free(&first);
    struct record_actor a = {1, 7, NO_EVENT, 3};
    vec_push(&r.actors, a);
    for (uint32_t k = 0; k < n; k++) {
        struct musthb m = {0};
        vec_clear(&r.events);
        vec_clear(&r.names);
        for (uint32_t i = 0; orders[k][i]; i++) {
            char who = orders[k][i];
            struct event e = {.id = (uint64_t)who,
                              .at = i,
                              .ordinal = (uint32_t)who,
                              .source = NO_EVENT,
                              .creator = NO_EVENT,
                              .set_by = NO_EVENT,
                              .changes = changes && who == 'f'};
            vec_push(&r.events, e);
            vec_push(&r.names, "x");
        }
        musthb_make(&m, &r);
        coverage_add(&c, toy_play(toy), &r, &m);
        musthb_free(&m);
    }
    struct coverage_counts counts = c.totals[cr];
    coverage_free(&c);
    record_free(&r);
    toy_free(toy);
    return counts;
}

TEST(criteria_of_section_3a)
{
    // 1, 2 are the writes, f the flush.
    static const char *const four[] = {"12f", "f21", "1f2", "f12"};
    static const char *const pr[] = {"12f", "f21"};
    static const char *const pmr[] = {"12f", "f12"};
    struct coverage_counts c = cover_orders(four, 4, CRITERION_PCR, false);
    CHECK_EQ(c.goals, 6);
    CHECK_EQ(c.covered, 6);
    CHECK(cover_orders(four, 3, CRITERION_PCR, false).covered < 6);
    c = cover_orders(pr, 2, CRITERION_PR, false);
    CHECK_EQ(c.goals, 6);
    CHECK_EQ(c.covered, 6);
    CHECK_EQ(c.pairs, 3);
    CHECK(cover_orders(pr, 2, CRITERION_PCR, false).covered < 6);
    // pairs with the flush only: 1 and f, 2 and f
    c = cover_orders(pmr, 2, CRITERION_PMR, true);
    CHECK_EQ(c.goals, 4);
    CHECK_EQ(c.covered, 4);
}

TEST(pmr_looks_no_further_than_a_change)
{
    static const char *const one[] = {"1f2"};
    struct coverage_counts c = cover_orders(one, 1, CRITERION_PMR, true);
    CHECK_EQ(c.covered, 2); // 1 -> f, f -> 2; 1 -> 2 is no goal
    CHECK_EQ(c.goals, 4);
}

TEST(cover_finds_the_write_after_the_flush)
{
    struct toy *toy = toy_new("gatling", 3, 0, 0, 0);
    struct look look = {toy_play(toy), flushed, NULL};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct coverage c = {0};
        struct cover_result r;
        struct cover_options o = {
            .delivery = DELIVERY_PAIR, .criteria = {true}, .seed = seed};
        struct cover_sink sink = {0};
        cover(toy_play(toy), &o, &look, NULL, 0, &sink, &c, &r);
        CHECK_EQ(r.bugs, 1);
        CHECK(r.executions <= 5);
        CHECK_EQ(r.infeasible, 0);
        coverage_free(&c);
    }
    toy_free(toy);
}

TEST_MAIN()
