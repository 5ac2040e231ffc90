// Far workers: they do orders alone, may die of them, and come and go.  The
// totals stay the same, and so they do for who goes on from what was kept,
// whenever that was.
#include "test.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/wire.h"
#include "crew/kept.h"
#include "crew/shared_set.h"
#include "crew/sketch.h"
#include "crew/supervisor.h"
#include "crew/words.h"
#include "crew/worker.h"
#include "toy_job.h"

enum { ALL = TOY_CLASSES, PLACES = 64 };

// ---- workers that run here -------------------------------------------------

struct far {
    struct rng rng;
    struct toy_job job;
    struct text orders[PLACES]; // that are out
    struct wire_in result;      // being told
    uint32_t telling;
    uint32_t cores;
    uint32_t die_in;   // one of so many orders kills its process, if it is not
                       // isolated; 1: all; 0: none
    uint32_t unfit_in; // one of so many comes to a machine that cannot do it
    uint64_t deadly;   // a unit that always does, by its content; 0: none
    uint32_t done;
};

static bool hire(void *self, uint32_t i, bool isolated)
{
    (void)self, (void)isolated;
    return i < PLACES;
}

static bool give(void *self, uint32_t i, struct text *message)
{
    struct far *f = self;
    wire_end(message);
    text_clear(&f->orders[i]);
    text_bytes(&f->orders[i], message->at, message->n);
    return true;
}

static void dismiss(void *self, uint32_t i)
{
    struct far *f = self;
    text_free(&f->orders[i]);
}

static struct crew_places look(void *self, uint32_t left)
{
    const struct far *f = self;
    (void)left;
    return (struct crew_places){
        .far = 2 * f->cores, .workers = f->cores, .cores = f->cores};
}

static bool is_deadly(const struct far *f, const struct crew_order *o)
{
    for (uint32_t i = 0; i < o->units.list.n; i++) {
        const struct work *w = &o->units.list.at[i];
        if (hash_bytes(w->bytes, w->size) == f->deadly)
            return true;
    }
    return false;
}

// Do an order.  False: its process died.
static bool perform(struct far *f, const struct crew_order *o)
{
    const struct crew_job job = toy_job_of(&f->job);
    if (is_deadly(f, o))
        return false;
    if (f->die_in && rng_below(&f->rng, f->die_in) == 0 &&
        (!o->isolated || f->die_in == 1))
        return false;
    wire_clear(&f->result);
    CHECK(worker_do(&job, o, &f->result.bytes));
    toy_free(f->job.toy);
    f->done++;
    return true;
}

// Any of those that are out ends next.
static enum crew_news next_order(struct far *f, uint32_t *i)
{
    uint32_t out[PLACES], n = 0;
    struct wire_reader in;
    struct crew_order o;
    for (uint32_t k = 0; k < PLACES; k++)
        if (f->orders[k].n)
            out[n++] = k;
    if (!n)
        return NEWS_NONE;
    f->telling = *i = out[rng_below(&f->rng, n)];
    CHECK(wire_open(f->orders[*i].at, f->orders[*i].n, WORD_GO, &in));
    CHECK(crew_order_get(&in, &o));
    bool unfit = f->unfit_in && rng_below(&f->rng, f->unfit_in) == 0;
    bool lives = !unfit && perform(f, &o);
    work_list_free(&o.units);
    vec_free(&o.known);
    text_free(&f->orders[*i]);
    return unfit ? NEWS_LOST : lives ? NEWS_WORD : NEWS_DIED;
}

static enum crew_news hear(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m)
{
    struct far *f = self;
    *i = f->telling;
    if (wire_next(&f->result, m) == WIRE_HERE)
        return NEWS_WORD;
    if (!ms)
        return NEWS_NONE;
    enum crew_news n = next_order(f, i);
    if (n != NEWS_WORD)
        return n;
    CHECK_EQ(wire_next(&f->result, m), WIRE_HERE);
    return NEWS_WORD;
}

// ---- searches
// ----------------------------------------------------------------

static void search_with(struct far *f, const struct crew_sink *sink,
                        const struct crew_options *co, struct crew_figures *out)
{
    const struct crew_transport t = {f, hire, give, hear, dismiss, look};
    struct explore_options o = {.strategy = STRATEGY_OPTIMAL,
                                .keep_going = true};
    struct shared_set *finals = shared_set_new();
    crew_supervise(&t, finals, &o, co, sink, out);
    shared_set_free(finals);
    wire_free(&f->result);
}

static void search(struct far *f, struct crew_figures *out)
{
    struct crew_sink sink = {0};
    struct crew_options co = {.divisible = true};
    search_with(f, &sink, &co, out);
}

static struct far far_of(uint64_t seed, uint32_t cores)
{
    return (struct far){
        .rng = rng_of(seed), .cores = cores, .job.stop_after = 7};
}

TEST(any_number_of_far_workers_finds_the_same)
{
    for (uint32_t cores = 1; cores <= 16; cores *= 4) {
        struct far f = far_of(cores, cores);
        struct crew_figures r;
        search(&f, &r);
        CHECK(r.result.complete);
        CHECK_EQ(r.result.executions, ALL);
        CHECK_EQ(r.result.final_states, ALL);
        CHECK_EQ(r.orders, f.done);
        CHECK(f.done > 10);
        CHECK_EQ(r.far.most, cores);
    }
}

TEST(processes_that_die_now_and_then_change_nothing)
{
    for (uint64_t seed = 1; seed <= test_share(20); seed++) {
        struct far f = far_of(seed, 3);
        struct crew_figures r;
        f.die_in = 20;
        search(&f, &r);
        CHECK(r.result.complete);
        CHECK_EQ(r.set_aside, 0);
        CHECK_EQ(r.result.executions, ALL);
        CHECK_EQ(r.result.final_states, ALL);
    }
}

// However often: nobody is blamed, nor does the search end.
TEST(machines_that_cannot_do_orders_change_nothing)
{
    for (uint32_t in = 2; in <= 4; in++) {
        struct far f = far_of(in, 3);
        struct crew_figures r;
        f.unfit_in = in;
        search(&f, &r);
        CHECK(r.result.complete);
        CHECK(r.lost > 20);
        CHECK_EQ(r.set_aside, 0);
        CHECK_EQ(r.died, 0);
        CHECK_EQ(r.result.executions, ALL);
        CHECK_EQ(r.result.final_states, ALL);
    }
}

// ---- bugs
// --------------------------------------------------------------------

static void tell_bug(void *self, const struct bug *bug,
                     const struct schedule *s, struct text *out)
{
    (void)self, (void)bug, (void)s;
    text_add(out, "bug");
}

enum { PATIENCE = 60 }; // seconds

// Find a bug, then go on until it is asked to stop.
static bool run_on_after_bug(void *self, const struct explore_options *o,
                             const struct work *units, uint32_t n,
                             const struct explore_sink *sink,
                             struct explore_result *r, struct work_list *rest)
{
    bool *stopped = self;
    double until = clock_now() + PATIENCE;
    struct bug bug = {0};
    struct schedule none = {0};
    (void)o, (void)units, (void)n, (void)rest;
    *r = (struct explore_result){.stopped_by = STOP_ASKED};
    sink->bug(sink->self, &bug, &none);
    while (!*stopped && clock_now() < until)
        *stopped = sink->stop(sink->self);
    return true;
}

static bool open_nothing(void *self, bool isolated)
{
    (void)self, (void)isolated;
    return true;
}

static const struct play_counts *count_nothing(void *self)
{
    static const struct play_counts none;
    (void)self;
    return &none;
}

TEST(an_order_ends_soon_after_a_bug)
{
    bool stopped = false;
    struct text result = {0};
    const struct crew_job job = {.self = &stopped,
                                 .open = open_nothing,
                                 .run = run_on_after_bug,
                                 .tell = tell_bug,
                                 .counts = count_nothing};
    const struct crew_order order = {
        .options = {.strategy = STRATEGY_OPTIMAL, .keep_going = true},
        .divisible = true,
        .slice = 10 * PATIENCE};
    CHECK(worker_do(&job, &order, &result));
    CHECK(stopped);
    text_free(&result);
}

struct seen {
    uint64_t unit;
};

// Some unit, by its content.
static size_t see(void *self, const struct crew_figures *f,
                  const struct crew_rest *rest)
{
    struct seen *s = self;
    (void)f;
    if (rest->n_units && !s->unit)
        s->unit = hash_bytes(rest->units[0].bytes, rest->units[0].size);
    return 0;
}

TEST(a_unit_that_kills_three_processes_is_set_aside)
{
    struct seen seen = {0};
    struct crew_sink sink = {.self = &seen, .checkpoint = see};
    struct crew_options co = {.divisible = true, .checkpoint_seconds = 1e-9};
    struct far f = far_of(1, 2);
    struct crew_figures r;
    search_with(&f, &sink, &co, &r);
    CHECK(seen.unit);
    f = far_of(1, 2);
    f.deadly = seen.unit;
    search(&f, &r);
    CHECK_EQ(r.set_aside, 1);
    CHECK_EQ(r.died, 3);
    CHECK_EQ(r.result.stopped_by, STOP_ASIDE);
    CHECK(!r.result.complete);
    CHECK(r.result.executions < ALL && r.result.executions > 0);
}

TEST(a_search_that_always_kills_its_process_ends)
{
    struct far f = far_of(1, 2);
    struct crew_figures r;
    f.die_in = 1;
    search(&f, &r);
    CHECK_EQ(r.result.stopped_by, STOP_LOST);
    CHECK_EQ(r.died, 3);
    CHECK_EQ(r.result.executions, 0);
}

TEST(no_more_schedules_than_are_allowed)
{
    static const uint64_t limits[] = {1, 50, 333};
    for (int i = 0; i < 3; i++) {
        struct far f = far_of(1, 4);
        const struct crew_transport t = {&f, hire, give, hear, dismiss, look};
        struct explore_options o = {.strategy = STRATEGY_OPTIMAL,
                                    .schedules = limits[i]};
        struct crew_options co = {.divisible = true};
        struct crew_sink sink = {0};
        struct crew_figures r;
        struct shared_set *finals = shared_set_new();
        crew_supervise(&t, finals, &o, &co, &sink, &r);
        CHECK_EQ(r.result.executions, limits[i]);
        CHECK_EQ(r.result.stopped_by, STOP_SCHEDULES);
        shared_set_free(finals);
        wire_free(&f.result);
    }
}

// ---- being killed
// --------------------------------------------------------------

// What a killed supervisor would leave: the last checkpoint and the changes
// since.
struct journal {
    struct text whole;
    VEC(struct text) changes;
    uint32_t told, until; // told so often, it is asked to end
};

static size_t keep_whole(void *self, const struct crew_figures *f,
                         const struct crew_rest *rest)
{
    struct journal *j = self;
    if (j->told >= j->until)
        return 0; // it is dead already
    wire_begin(&j->whole, 1);
    crew_kept_put(&j->whole, f, rest);
    wire_end(&j->whole);
    for (uint32_t i = 0; i < j->changes.n; i++)
        text_free(&j->changes.at[i]);
    j->changes.n = 0;
    j->told++;
    return j->whole.n;
}

static size_t keep_change(void *self, const struct crew_figures *f,
                          const struct crew_change *change)
{
    struct journal *j = self;
    struct text t = {0};
    if (j->told >= j->until)
        return 0;
    wire_begin(&t, 2);
    crew_change_put(&t, f, change);
    wire_end(&t);
    vec_push(&j->changes, t);
    j->told++;
    return t.n;
}

static bool is_dead(void *self)
{
    const struct journal *j = self;
    return j->told >= j->until;
}

static void recall(const struct journal *j, struct arena *a,
                   struct crew_figures *f, struct crew_rest *rest)
{
    struct wire_reader in;
    CHECK(wire_open(j->whole.at, j->whole.n, 1, &in));
    CHECK(crew_kept_get(&in, a, f, rest));
    for (uint32_t i = 0; i < j->changes.n; i++) {
        CHECK(wire_open(j->changes.at[i].at, j->changes.at[i].n, 2, &in));
        CHECK(crew_change_apply(&in, a, f, rest));
    }
}

static void journal_free(struct journal *j)
{
    for (uint32_t i = 0; i < j->changes.n; i++)
        text_free(&j->changes.at[i]);
    vec_free(&j->changes);
    text_free(&j->whole);
}

// Killed after so many things were kept; what was kept gives the rest.
static void killed_after(uint32_t until, uint64_t seed)
{
    struct journal j = {.until = until};
    struct arena a = {0};
    struct crew_sink sink = {.self = &j,
                             .checkpoint = keep_whole,
                             .changed = keep_change,
                             .stop = is_dead};
    struct crew_options co = {.divisible = true};
    struct far f = far_of(seed, 3);
    struct crew_figures r, before;
    f.die_in = 15;
    search_with(&f, &sink, &co, &r);
    recall(&j, &a, &before, &co.rest);
    co.before = &before;
    j.until = UINT32_MAX;
    f = far_of(seed + 1, 5);
    search_with(&f, &sink, &co, &r);
    CHECK(r.result.complete);
    CHECK_EQ(r.result.executions, ALL);
    CHECK_EQ(r.result.final_states, ALL);
    journal_free(&j);
    arena_free(&a);
}

TEST(whoever_goes_on_finds_the_same_whenever_the_other_was_killed)
{
    for (uint32_t i = 1; i < 60; i++)
        if (test_takes(i))
            killed_after(i, i);
}

TEST(a_change_that_does_not_fit_is_not_believed)
{
    struct arena a = {0};
    struct text t = {0};
    struct wire_reader in;
    struct crew_figures f = {.lost = 7}, other = {0};
    struct crew_rest rest = {0};
    uint64_t gone = 99; // no such unit
    struct crew_change change = {.gone = &gone, .n_gone = 1};
    wire_begin(&t, 2);
    crew_change_put(&t, &other, &change);
    wire_end(&t);
    CHECK(wire_open(t.at, t.n, 2, &in));
    CHECK(!crew_change_apply(&in, &a, &f, &rest));
    CHECK_EQ(f.lost, 7);
    text_free(&t);
    arena_free(&a);
}

// ---- many final states
// -----------------------------------------------------------

TEST(a_sketch_counts_nearly)
{
    static const uint64_t sizes[] = {10, 1000, 100000, 3000000};
    for (int i = 0; i < 4; i++) {
        struct sketch s = {0};
        for (uint64_t k = 1; k <= sizes[i]; k++)
            sketch_add(&s, k);
        double part = sketch_count(&s) / (double)sizes[i];
        CHECK(part > 0.97 && part < 1.03);
    }
}

TEST(a_set_that_is_joined_with_a_sketch_counts_both)
{
    struct shared_set *s = shared_set_new();
    struct sketch other = {0};
    for (uint64_t k = 1; k <= 20000; k++) {
        if (k <= 15000)
            shared_set_add(s, k * 0x9e3779b97f4a7c15u);
        if (k > 5000)
            sketch_add(&other, k * 0x9e3779b97f4a7c15u);
    }
    CHECK(!shared_set_sum(s).more);
    shared_set_join(s, other.at);
    CHECK(shared_set_sum(s).more);
    double about = shared_set_about(s);
    CHECK(about > 19400 && about < 20600);
    shared_set_free(s);
}

TEST_MAIN()
