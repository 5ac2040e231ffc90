// Engines that run the program do so in a process of their own.  If the program
// kills that process, it is started again.
#include "reach/reach.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/diag.h"
#include "program/program.h"
#include "reach/fuzz.h"
#include "reach/native.h"
#include "reach/toward.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { LOST_MOST = 100, POLL_MS = 20, GRACE_S = 1 };

bool reach_gives(const char *params, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = params; s && *s; s += strcspn(s, " ")) {
        s += strspn(s, " ");
        if (strncmp(s, name, n) == 0 && s[n] == '=')
            return true;
    }
    return false;
}

bool native_prepare(struct reach *r, const struct program *p,
                    struct run_options *o, struct diag *d)
{
    const tr_system *system = program_system(p, r->o.system);
    if (!system)
        return diag_set(d, EXIT_USAGE, "the program has no system '%s'",
                        r->o.system);
    *o = (struct run_options){.program = p,
                              .system = system,
                              .model = &r->model,
                              .pool = r->pool,
                              .delivery = r->o.delivery,
                              .params = r->o.params,
                              .messages = r->o.messages,
                              .actors = r->o.actors,
                              .alloc_fails = r->o.alloc_fails};
    for (uint32_t i = 0; i < r->model.params.n; i++)
        if (reach_gives(r->o.params, r->model.params.at[i]))
            o->fixed |= 1u << i;
    return true;
}

// ---- the worker -------------------------------------------------------------

struct errand {
    struct reach *r;
    struct run_options run;
    native_work *work;
    void *self;
    uint32_t life;
};

double native_seconds(const struct reach *r)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    r->pool->helpers = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + r->pool->helpers;
}

bool native_all_hit(const struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++)
        if (reach_is_open(r, &r->targets.at[i]))
            return false;
    return true;
}

static void work(void *self, int fd)
{
    struct errand *e = self;
    struct diag d = {0};
    (void)fd;
    struct runner *runner = runner_new(&e->run, &d);
    if (!runner)
        return;
    e->work(e->self, runner, e->life);
    e->r->pool->stop = true;
}

// Wait for the process to end; if nothing is left to do, ask it to end.  True
// if it ended in order.
static bool watch(struct reach *r, struct child *c)
{
    double deadline = 0;
    for (;;) {
        struct pollfd fd = {.fd = c->fd, .events = POLLIN};
        if (poll(&fd, 1, POLL_MS) > 0)
            break;
        if (deadline <= 0 && reach_over(r)) {
            r->pool->stop = true;
            deadline = clock_now() + GRACE_S;
        }
        if (deadline > 0 && clock_now() > deadline) {
            child_kill(c);
            return true;
        }
    }
    int status = child_wait(c);
    return r->pool->stop && WIFEXITED(status);
}

bool native_run(struct reach *r, native_work *job, void *self, struct diag *d)
{
    struct program *p = program_load(r->builds.traced, d);
    struct errand e = {.r = r, .work = job, .self = self};
    bool ok = p && native_prepare(r, p, &e.run, d), done = false;
    r->pool->stop = false;
    for (; ok && !done && e.life < LOST_MOST; e.life++) {
        struct child c = {0};
        struct child_plan plan = {
            .body = work, .self = &e, .signals = CHILD_IGNORES, .quiet = true};
        if (!child_start(&c, &plan)) {
            ok = diag_set(d, EXIT_FAULT, "cannot start a process");
            break;
        }
        r->worker = c.pid;
        done = watch(r, &c);
        r->worker = 0;
        r->pool->helpers = 0; // they are the ended process's now
        r->pool->lost += !done;
    }
    program_free(p);
    return ok;
}

// ---- the fuzzer as an engine ------------------------------------------------

struct fuzzing {
    struct reach *r;
    const struct reach_turn *turn;
    uint64_t began; // runs
    struct toward toward;
};

static bool all_hit(void *user)
{
    const struct fuzzing *z = user;
    return native_all_hit(z->r);
}

static bool leads(void *user, uint32_t site)
{
    struct fuzzing *z = user;
    toward_update(&z->toward, z->r);
    return z->toward.sites[site] != TOWARD_NEVER;
}

static void fuzz(void *self, struct runner *runner, uint32_t life)
{
    struct fuzzing *z = self;
    struct reach *r = z->r;
    uint64_t runs = z->turn->runs ? z->began + z->turn->runs : 0;
    if (r->o.runs && (!runs || runs > r->o.runs))
        runs = r->o.runs;
    struct fuzz f = {.runner = runner,
                     .rng = rng_of(r->o.seed + life * UINT64_C(1000003) +
                                   z->turn->round * UINT64_C(7368787)),
                     .runs = runs,
                     .seconds = z->turn->seconds,
                     .done = all_hit,
                     .user = z,
                     .leads = leads,
                     .stale = z->turn->stale};
    if (r->o.search == REACH_RANDOM)
        fuzz_random(&f);
    else
        fuzz_loop(&f);
}

bool reach_fuzz(struct reach *r, const struct reach_turn *turn, struct diag *d)
{
    struct fuzzing z = {.r = r, .turn = turn, .began = r->pool->runs};
    bool ok = native_run(r, fuzz, &z, d);
    toward_free(&z.toward);
    return ok;
}
