// Workers under a supervisor: the same totals with any number of them, with
// workers that die, hang, yield or are replaced, and from a checkpoint.
#include "test.h"

#include "base/text.h"
#include "crew/supervisor.h"
#include "explore/optimal/work.h"
#include "toy/toy.h"

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
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct job *j = self;
    struct explore_sink mine = {.self = j, .final = counting, .stop = stopping};
    j->sink = sink;
    explore_work(toy_play(j->toy), o, units, n, &mine, r, rest);
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
    return (struct crew_job){j,           job_open, job_run,
                             job_tainted, job_tell, job_counts};
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
    struct crew_options po = {
        .workers = workers, .divisible = true, .hung_seconds = 2};
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
        struct crew_figures f;
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
    struct crew_figures f;
    struct job j = {.n = 6, .taints = 200};
    search(&j, 1, &f);
    CHECK_EQ(f.result.executions, factorial(6));
    CHECK_EQ(f.result.final_states, factorial(6));
    CHECK(f.replaced >= 1);
}

// ---- stopping and going on ----------------------------------------------

struct kept {
    struct crew_figures figures;
    struct work_list units;
    uint64_t finals[400000], n_finals;
    int looks;
};

static void keep(void *self, const struct crew_figures *f,
                 const struct crew_rest *rest)
{
    struct kept *k = self;
    k->figures = *f;
    work_list_free(&k->units);
    for (uint32_t i = 0; i < rest->n_units; i++)
        work_list_add(&k->units, rest->units[i].bytes, rest->units[i].size);
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
    CHECK_EQ(f.result.executions, factorial(9));
    CHECK_EQ(f.result.final_states, factorial(9));
    work_list_free(&k.units);
}

TEST_MAIN()
