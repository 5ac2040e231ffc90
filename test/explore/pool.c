// Workers under a supervisor: the same totals with any number of them, with
// workers that die, hang, yield or are replaced, and from a checkpoint.
#include "test.h"

#include "base/text.h"
#include "explore/pool.h"
#include "explore/unit.h"
#include "explore/toy.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct job {
    struct toy *toy;
    int n;
    int fails;  // one worker sends itself `signal` after so many executions
    int signal; // 0: none does
    int taints; // a worker is tainted after so many executions
    int seen;
    const struct explore_sink *sink;
    atomic_int *failed; // shared by all workers
};

static bool job_open(void *self)
{
    struct job *j = self;
    j->toy = toy_new("writers", j->n, 0, 0, 0);
    j->seen = 0;
    return true;
}

static bool counting(void *self, uint64_t hash)
{
    struct job *j = self;
    bool fresh = j->sink->final(j->sink->self, hash);
    if (j->signal && ++j->seen == j->fails && !atomic_exchange(j->failed, 1))
        raise(j->signal);
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

static void job_run(void *self, const struct explore_options *o,
                    const struct pool_unit *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct pool_units *rest)
{
    struct job *j = self;
    struct explore_sink mine = {.self = j, .final = counting, .stop = stopping};
    j->sink = sink;
    explore_units(toy_play(j->toy), o, units, n, &mine, r, rest);
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

static struct pool_job pool_job(struct job *j)
{
    return (struct pool_job){j,           job_open, job_run,
                             job_tainted, job_tell, job_counts};
}

static uint64_t factorial(int n)
{
    return n < 2 ? 1 : (uint64_t)n * factorial(n - 1);
}

static const struct explore_options options = {.delivery = DELIVERY_PAIR,
                                               .strategy = STRATEGY_OPTIMAL,
                                               .keep_going = true};

static void search(struct job *j, uint32_t workers, struct pool_figures *f)
{
    struct pool_job job = pool_job(j);
    struct pool_options po = {
        .workers = workers, .divisible = true, .hung_seconds = 2};
    struct pool_sink sink = {0};
    pool_explore(&job, &options, &po, &sink, f);
}

TEST(any_number_of_workers_finds_the_same)
{
    struct pool_figures one, more;
    struct job j = {.n = 6};
    search(&j, 1, &one);
    CHECK_EQ(one.result.executions, factorial(6));
    CHECK(one.result.complete);
    CHECK_EQ(one.result.final_states, factorial(6));
    j = (struct job){.n = 9};
    search(&j, 3, &more);
    CHECK_EQ(more.result.executions, factorial(9));
    CHECK_EQ(more.result.final_states, factorial(9));
    CHECK(more.workers > 1);
}

TEST(the_units_of_a_dead_or_hung_worker_are_done_again)
{
    static const int signals[] = {SIGKILL, SIGSTOP};
    atomic_int *failed = mmap(NULL, sizeof *failed, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 2; i++) {
        struct pool_figures f;
        struct job j = {
            .n = 6, .fails = 100, .signal = signals[i], .failed = failed};
        atomic_store(failed, 0);
        search(&j, 2, &f);
        CHECK(f.result.complete);
        CHECK(f.lost >= 1);
        CHECK_EQ(f.result.executions, factorial(6));
        CHECK_EQ(f.result.final_states, factorial(6));
    }
    munmap(failed, sizeof *failed);
}

TEST(a_tainted_worker_is_replaced)
{
    struct pool_figures f;
    struct job j = {.n = 6, .taints = 200};
    search(&j, 1, &f);
    CHECK_EQ(f.result.executions, factorial(6));
    CHECK_EQ(f.result.final_states, factorial(6));
    CHECK(f.replaced >= 1);
}

// ---- stopping and going on ----------------------------------------------

struct kept {
    struct pool_figures figures;
    struct pool_units units;
    uint64_t finals[400000], n_finals;
    int looks;
};

static void keep(void *self, const struct pool_figures *f,
                 const struct pool_rest *rest)
{
    struct kept *k = self;
    k->figures = *f;
    pool_units_free(&k->units);
    for (uint32_t i = 0; i < rest->n_units; i++)
        pool_units_add(&k->units, rest->units[i].bytes, rest->units[i].size);
    k->n_finals = rest->n_finals;
    memcpy(k->finals, rest->finals, k->n_finals * sizeof *k->finals);
}

static bool soon(void *self)
{
    struct kept *k = self;
    return ++k->looks > 3;
}

TEST(what_is_left_can_be_done_later)
{
    struct job j = {.n = 9};
    struct pool_job job = pool_job(&j);
    static struct kept k;
    struct pool_figures f;
    struct pool_options po = {.workers = 1, .divisible = true};
    struct pool_sink sink = {.self = &k, .checkpoint = keep, .stop = soon};
    pool_explore(&job, &options, &po, &sink, &f);
    CHECK(!f.result.complete);
    CHECK_EQ(f.result.stopped_by, STOP_ASKED);
    CHECK(k.units.list.n > 0);
    struct pool_figures before = k.figures;
    struct pool_options rest = {
        .workers = 2,
        .divisible = true,
        .before = &before,
        .rest = {k.units.list.at, k.units.list.n, k.finals, k.n_finals}};
    struct pool_sink deaf = {0};
    pool_explore(&job, &options, &rest, &deaf, &f);
    CHECK(f.result.complete);
    CHECK_EQ(f.result.executions, factorial(9));
    CHECK_EQ(f.result.final_states, factorial(9));
    pool_units_free(&k.units);
}

TEST_MAIN()
