// The fuzzer as an engine: in a process of its own, which is started again when
// the program kills it.
#include "reach/reach.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/diag.h"
#include "program/program.h"
#include "reach/fuzz.h"
#include "reach/native.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { LOST_MOST = 100, POLL_MS = 20, GRACE_S = 3, STALE = 300000 };

// Do the parameters "n=3 m=4" give this one a value?
static bool gives(const char *params, const char *name)
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
                              .actors = r->o.actors};
    for (uint32_t i = 0; i < r->model.params.n; i++)
        if (gives(r->o.params, r->model.params.at[i]))
            o->fixed |= 1u << i;
    return true;
}

// ---- the worker -------------------------------------------------------------

struct errand {
    struct reach *r;
    struct run_options run;
    uint32_t round;
};

static bool all_hit(void *user)
{
    const struct reach *r = user;
    for (uint32_t i = 0; i < r->targets.n; i++) {
        const struct reach_target *t = &r->targets.at[i];
        if (t->wanted && t->status == REACH_OPEN && !r->pool->hit[t->at.hit])
            return false;
    }
    return true;
}

static void work(void *self, int fd)
{
    struct errand *e = self;
    struct reach *r = e->r;
    struct diag d = {0};
    struct fuzz f = {.rng = rng_of(r->o.seed + e->round * UINT64_C(1000003)),
                     .runs = r->o.runs,
                     .done = all_hit,
                     .user = r,
                     .stale = r->o.runs || r->o.seconds > 0 ? 0 : STALE};
    (void)fd;
    f.runner = runner_new(&e->run, &d);
    if (!f.runner)
        return;
    if (r->o.random)
        fuzz_random(&f);
    else
        fuzz_loop(&f);
    r->pool->stop = true;
}

// Wait for its end; ask it to end when there is nothing left to do.  True if it
// ended in order.
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

bool reach_fuzz(struct reach *r, struct diag *d)
{
    struct program *p = program_load(r->builds.traced, d);
    struct errand e = {.r = r};
    bool ok = p && native_prepare(r, p, &e.run, d), done = false;
    r->pool->stop = false;
    for (; ok && !done && e.round < LOST_MOST; e.round++) {
        struct child c = {0};
        struct child_plan plan = {
            .body = work, .self = &e, .signals = CHILD_IGNORES, .quiet = true};
        if (!child_start(&c, &plan)) {
            ok = diag_set(d, EXIT_FAULT, "cannot start a process");
            break;
        }
        done = watch(r, &c);
        r->pool->lost += !done;
    }
    program_free(p);
    return ok;
}
