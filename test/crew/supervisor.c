// Workers under a supervisor: the same totals with any number of them, with
// workers that die, hang, yield or are replaced, and from a checkpoint.
#include "test.h"

#include "base/text.h"
#include "crew/crew.h"
#include "explore/optimal/work.h"
#include "toy/toy.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct job {
    struct toy *toy;
    int n;
    int fails;  // a worker fails after so many executions
    int signal; // sends itself this; 0: talks nonsense
    int times;  // so many workers fail
    bool apart; // only those that are not isolated
    bool late;  // only those that have written down what is left
    int taints; // a worker is tainted after so many executions
    int seen;
    bool isolated, written;
    const struct explore_sink *sink;
    atomic_int *failed; // shared by all workers
};

static bool job_open(void *self, bool isolated)
{
    struct job *j = self;
    j->isolated = isolated;
    j->toy = toy_new("writers", j->n, 0, 0, 0);
    j->seen = 0;
    j->written = false;
    return true;
}

// Write to every descriptor, as a program might.
static void talk_nonsense(void)
{
    static const unsigned char nonsense[] = {5, 0, 0, 0, 1, 0, 0, 0, 'x'};
    for (int fd = 3; fd < 1024; fd++)
        if (write(fd, nonsense, sizeof nonsense) < 0)
            continue;
}

static void fail(struct job *j)
{
    if ((j->apart && j->isolated) || atomic_fetch_add(j->failed, 1) >= j->times)
        return;
    if (j->signal)
        raise(j->signal);
    else
        talk_nonsense();
}

static bool counting(void *self, uint64_t hash)
{
    struct job *j = self;
    bool fresh = j->sink->final(j->sink->self, hash);
    if (j->late)
        usleep(10); // the supervisor has the time to ask
    if (j->fails && ++j->seen >= j->fails && (j->written || !j->late)) {
        fail(j);
        j->seen = -INT_MAX; // once
    }
    j->seen += j->taints != 0;
    return fresh;
}

static bool job_tainted(void *self)
{
    struct job *j = self;
    return j->taints && j->seen >= j->taints;
}

static bool stopping(void *self)
{
    struct job *j = self;
    return j->sink->stop(j->sink->self);
}

static bool wants_rest(void *self)
{
    struct job *j = self;
    return j->sink->wants_rest(j->sink->self);
}

static void tell_rest(void *self, const struct explore_result *so_far,
                      const struct work_list *left)
{
    struct job *j = self;
    j->sink->rest(j->sink->self, so_far, left);
    j->written = true;
}

static bool job_run(void *self, const struct explore_options *o,
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct job *j = self;
    struct explore_sink mine = {.self = j,
                                .final = counting,
                                .stop = stopping,
                                .wants_rest = wants_rest,
                                .rest = tell_rest};
    j->sink = sink;
    explore_work(toy_play(j->toy), o, units, n, &mine, r, rest);
    return true;
}

static void job_tell(void *self, const struct bug *b, const struct schedule *s,
                     struct text *out)
{
    (void)self, (void)b, (void)s;
    text_add(out, "bug");
}

static const struct play_counts *job_counts(void *self)
{
    struct job *j = self;
    return play_counts(toy_play(j->toy));
}

static struct crew_job crew_job(struct job *j)
{
    return (struct crew_job){.self = j,
                             .open = job_open,
                             .run = job_run,
                             .tainted = job_tainted,
                             .tell = job_tell,
                             .counts = job_counts};
}

// Writers enough to keep several workers busy for a while: what is compiled for
// debugging takes longer.
static int many(void)
{
#ifdef TROUPE_DEBUG
    return test_whole() ? 9 : 8;
#else
    return 9;
#endif
}

static uint64_t factorial(int n)
{
    return n < 2 ? 1 : (uint64_t)n * factorial(n - 1);
}

static const struct explore_options options = {.delivery = DELIVERY_PAIR,
                                               .strategy = STRATEGY_OPTIMAL,
                                               .keep_going = true};

static void search(struct job *j, uint32_t workers, struct crew_figures *f)
{
    struct crew_job job = crew_job(j);
    struct crew_options po = {.workers = workers,
                              .divisible = true,
                              .hung_seconds = j->signal == SIGSTOP ? 2 : 60};
    struct crew_sink sink = {0};
    crew_explore(&job, &options, &po, &sink, f);
}

TEST(any_number_of_workers_finds_the_same)
{
    struct crew_figures one, more;
    struct job j = {.n = 6};
    search(&j, 1, &one);
    CHECK_EQ(one.result.executions, factorial(6));
    CHECK(one.result.complete);
    CHECK_EQ(one.result.final_states, factorial(6));
    j = (struct job){.n = many()};
    search(&j, 3, &more);
    CHECK_EQ(more.result.executions, factorial(many()));
    CHECK_EQ(more.result.final_states, factorial(many()));
    CHECK(more.workers > 1);
}

// Search with workers that fail; the figures must not tell.
static void search_failing(struct job j, struct crew_figures *f)
{
    j.n = 6;
    j.failed = mmap(NULL, sizeof *j.failed, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    search(&j, 2, f);
    munmap(j.failed, sizeof *j.failed);
}

static void check_all_found(const struct crew_figures *f)
{
    CHECK(f->result.complete);
    CHECK_EQ(f->result.executions, factorial(6));
    CHECK_EQ(f->result.final_states, factorial(6));
}

TEST(the_units_of_a_dead_or_hung_worker_are_done_again)
{
    static const int signals[] = {SIGKILL, SIGSTOP};
    for (int i = 0; i < 2; i++) {
        struct crew_figures f;
        search_failing(
            (struct job){.fails = 100, .signal = signals[i], .times = 1}, &f);
        check_all_found(&f);
        CHECK(f.lost >= 1);
    }
}

TEST(workers_killed_five_times_change_nothing)
{
    struct crew_figures f;
    search_failing((struct job){.fails = 100, .signal = SIGKILL, .times = 5},
                   &f);
    check_all_found(&f);
    CHECK(f.lost >= 5);
}

TEST(what_a_worker_says_in_nonsense_is_done_again)
{
    struct crew_figures f;
    search_failing((struct job){.fails = 100, .times = 1}, &f);
    check_all_found(&f);
    CHECK(f.lost >= 1);
}

TEST(a_unit_that_kills_its_worker_is_done_in_an_isolated_one)
{
    struct crew_figures f;
    search_failing(
        (struct job){
            .fails = 100, .signal = SIGKILL, .times = 1000000, .apart = true},
        &f);
    check_all_found(&f);
}

TEST(a_search_whose_workers_always_fail_is_not_complete)
{
    for (int i = 0; i < 2; i++) {
        struct crew_figures f;
        search_failing((struct job){.fails = 1,
                                    .signal = i ? SIGKILL : 0,
                                    .times = 1000000},
                       &f);
        CHECK(!f.result.complete);
        CHECK_EQ(f.result.stopped_by, STOP_LOST);
        CHECK(f.result.executions < factorial(6));
    }
}

// Killed after every so many executions: what was written down counts.
TEST(a_search_goes_on_though_every_worker_is_killed_after_a_while)
{
    struct crew_figures f;
    struct job j = {.n = 8,
                    .fails = (int)factorial(8) / 9,
                    .signal = SIGKILL,
                    .times = 1000000,
                    .late = true};
    struct crew_job job = crew_job(&j);
    struct crew_options co = {
        .workers = 1, .divisible = true, .checkpoint_seconds = 0.01};
    struct crew_sink sink = {0};
    j.failed = mmap(NULL, sizeof *j.failed, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    crew_explore(&job, &options, &co, &sink, &f);
    munmap(j.failed, sizeof *j.failed);
    CHECK(f.result.complete);
    CHECK_EQ(f.result.executions, factorial(8));
    CHECK_EQ(f.result.final_states, factorial(8));
    CHECK(f.lost >= 3);
}

TEST(a_tainted_worker_is_replaced)
{
    struct crew_figures f;
    struct job j = {.n = 6, .taints = 200};
    search(&j, 1, &f);
    CHECK_EQ(f.result.executions, factorial(6));
    CHECK_EQ(f.result.final_states, factorial(6));
    CHECK(f.replaced >= 1);
}

// Everything at once is cut at a bound of steps, and its worker is tainted; the
// unit that is left is seen whole by the next.
static bool cut_then_whole(void *self, const struct explore_options *o,
                           const struct work *units, uint32_t n,
                           const struct explore_sink *sink,
                           struct explore_result *r, struct work_list *rest)
{
    struct job *j = self;
    (void)o, (void)units, (void)sink;
    *r = (struct explore_result){.executions = 1, .complete = n > 0};
    r->stopped_by = n ? STOP_DONE : STOP_ASKED;
    if (n)
        return true;
    r->cut = 1;
    j->seen = j->taints;
    work_list_add(rest, (const unsigned char *)"unit", 4);
    return true;
}

TEST(what_was_cut_before_a_unit_came_back_is_not_forgotten)
{
    struct crew_figures f;
    struct job j = {.n = 2, .taints = 1};
    struct crew_job job = crew_job(&j);
    struct crew_options co = {.workers = 1, .divisible = true};
    struct crew_sink sink = {0};
    job.run = cut_then_whole;
    crew_explore(&job, &options, &co, &sink, &f);
    CHECK_EQ(f.result.executions, 2);
    CHECK_EQ(f.result.cut, 1);
    CHECK_EQ(f.replaced, 1);
    CHECK(!f.result.complete);
    CHECK_EQ(f.result.stopped_by, STOP_STEPS);
}

// ---- stopping and going on ----------------------------------------------

struct kept {
    struct crew_figures figures;
    struct work_list units;
    uint64_t finals[400000], n_finals;
    int looks;
};

static size_t keep(void *self, const struct crew_figures *f,
                   const struct crew_rest *rest)
{
    struct kept *k = self;
    k->figures = *f;
    work_list_free(&k->units);
    for (uint32_t i = 0; i < rest->n_units; i++)
        work_list_add(&k->units, rest->units[i].bytes, rest->units[i].size);
    k->n_finals = rest->n_finals;
    memcpy(k->finals, rest->finals, k->n_finals * sizeof *k->finals);
    return 0;
}

static bool soon(void *self)
{
    struct kept *k = self;
    return ++k->looks > 3;
}

TEST(what_is_left_can_be_done_later)
{
    struct job j = {.n = many()};
    struct crew_job job = crew_job(&j);
    static struct kept k;
    struct crew_figures f;
    struct crew_options po = {.workers = 1, .divisible = true};
    struct crew_sink sink = {.self = &k, .checkpoint = keep, .stop = soon};
    crew_explore(&job, &options, &po, &sink, &f);
    CHECK(!f.result.complete);
    CHECK_EQ(f.result.stopped_by, STOP_ASKED);
    CHECK(k.units.list.n > 0);
    struct crew_figures before = k.figures;
    struct crew_options rest = {
        .workers = 2,
        .divisible = true,
        .before = &before,
        .rest = {k.units.list.at, k.units.list.n, k.finals, k.n_finals}};
    struct crew_sink deaf = {0};
    crew_explore(&job, &options, &rest, &deaf, &f);
    CHECK(f.result.complete);
    CHECK_EQ(f.result.executions, factorial(many()));
    CHECK_EQ(f.result.final_states, factorial(many()));
    work_list_free(&k.units);
}

TEST_MAIN()
