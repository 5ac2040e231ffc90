// Handlers in a process apart from the search.
//
// The stage process is a fork of the searching one, made when the first request
// comes and again when one was lost.  Both have the same tables of states,
// messages and actors, so a request names them by id.  The reply is the effect
// and what the run added to the tables; it is added here in the same order and
// so gets the same ids.  A new stage process thereby knows all that the last
// one knew, and a lost one takes nothing with it.
//
// What a handler does to the memory of its process can show later, in a run
// that is not to blame.  So a request that is lost in a process that has served
// others is made again in a new one; what is lost there as well is lost by its
// own doing, and that is the verdict.
//
// A reply is believed if its sum is right, its additions get the ids they have
// there, and its effect names nothing unknown.
//
// Of the two processes only one ever works: they share a core, where handing
// over takes a tenth of what it takes to wake another one.
#include "stage/isolate.h"

#include "base/die.h"
#include "base/letter.h"
#include "stage/check.h"
#include "stage/isolate_tables.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum request { REQUEST_RUN, REQUEST_BODY, REQUEST_INVARIANT, REQUEST_FORGET };

// Behind it stand the states, the messages in flight (to forget: messages) and
// the picks.
struct order {
    uint32_t request;
    uint32_t state, msg, sender;
    uint32_t shared; // as in play_ops.share
    uint32_t n_states, n_sends, n_msgs, n_picks;
};

struct isolate {
    pid_t pid; // 0: none
    int fd;
    uint32_t served;
    bool silent;         // it took too long
    struct text out, in; // letters
    cpu_set_t cores;     // of the searching process before
    bool on_one;         // it keeps to one
};

// ---- the stage process ----------------------------------------------------

static void perform(struct native *n, const struct order *q, struct reader *r,
                    struct effect *e)
{
    const uint32_t *states = reader_take(r, q->n_states * sizeof *states);
    const struct send *sends = reader_take(r, q->n_sends * sizeof *sends);
    const uint32_t *msgs = reader_take(r, q->n_msgs * sizeof *msgs);
    const uint16_t *picks = reader_take(r, q->n_picks * sizeof *picks);
    if (r->bad)
        raise(SIGKILL);
    check_share(n, q->shared);
    switch ((enum request)q->request) {
    case REQUEST_RUN:
        ops_here.run(n, q->state, q->msg, q->sender, picks, q->n_picks, e);
        return;
    case REQUEST_BODY:
        ops_here.body(n, q->state, states, q->n_states, sends, q->n_sends,
                      picks, q->n_picks, e);
        return;
    case REQUEST_INVARIANT:
        e->bugs = ops_here.invariant(n, states, q->n_states, sends, q->n_sends);
        e->n_bugs = e->bugs != NULL;
        e->state = PLAY_NONE;
        return;
    case REQUEST_FORGET:
        ops_here.forget(n, states, q->n_states, msgs, q->n_msgs);
        e->state = PLAY_NONE;
        return;
    }
}

// After a signal the process is better not trusted with more.
static bool shaken(const struct effect *e)
{
    for (uint32_t i = 0; i < e->n_bugs; i++)
        if (e->bugs[i].kind == BUG_CRASH || e->bugs[i].kind == BUG_ENDLESS)
            return true;
    return false;
}

static _Noreturn void serve(struct native *n, int fd)
{
    struct text in = {0}, out = {0};
    struct reader r;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        struct order q;
        struct effect e = {0};
        text_clear(&in);
        while (!letter_here(&in, &r))
            if (!letter_receive(fd, &in))
                _exit(EXIT_SUCCESS);
        reader_copy(&r, &q, sizeof q);
        struct marks since = tables_mark(n);
        perform(n, &q, &r, &e);
        letter_begin(&out);
        letter_word(&out, n->tainted || shaken(&e));
        if (q.request != REQUEST_FORGET)
            tables_put(&out, n, &since);
        effect_put(&out, &e);
        if (!letter_send(fd, &out)) // closed, by us or by a handler
            raise(SIGKILL);
        arena_clear(&n->effects);
    }
}

static void keep_to_one_core(struct isolate *a)
{
    cpu_set_t one;
    int cpu = sched_getcpu();
    if (a->on_one || cpu < 0 || sched_getaffinity(0, sizeof one, &a->cores))
        return;
    CPU_ZERO(&one);
    CPU_SET((unsigned)cpu, &one);
    a->on_one = sched_setaffinity(0, sizeof one, &one) == 0;
}

static void start(struct native *n)
{
    struct isolate *a = n->isolate;
    int fds[2];
    struct timeval second = {1, 0};
    keep_to_one_core(a);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
        die("no way to a stage process: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        die("no process for the stage: %s", strerror(errno));
    if (pid == 0) {
        close(fds[0]);
        serve(n, fds[1]);
    }
    close(fds[1]);
    setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    a->fd = fds[0];
    a->pid = pid;
    a->served = 0;
}

// End it; how it ended, if it did so by itself.
static int stop(struct isolate *a)
{
    int status = 0;
    if (!a->pid)
        return 0;
    close(a->fd);
    kill(a->pid, SIGKILL);
    while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    a->pid = 0;
    return status;
}

// ---- requests -------------------------------------------------------------

static void write_request(struct isolate *a, const struct order *q,
                          const uint32_t *states, const struct send *sends,
                          const uint32_t *msgs, const uint16_t *picks)
{
    letter_begin(&a->out);
    letter_put(&a->out, q, sizeof *q);
    letter_put(&a->out, states, q->n_states * sizeof *states);
    letter_put(&a->out, sends, q->n_sends * sizeof *sends);
    letter_put(&a->out, msgs, q->n_msgs * sizeof *msgs);
    letter_put(&a->out, picks, q->n_picks * sizeof *picks);
}

// The stage watches its time itself.  Here are the limits for one that cannot.
enum { IDLE_MOST = 15, LIMITS_MOST = 25 };

static double seconds(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// How long a request has been waited for.
struct patience {
    bool began;
    double first, last; // processor time that the stage had used
    double since;       // when it was last seen to use any
};

static bool out_of_patience(struct patience *p, pid_t pid, uint32_t limit_ms)
{
    clockid_t clock;
    if (clock_getcpuclockid(pid, &clock))
        return true;
    double used = seconds(clock), now = seconds(CLOCK_MONOTONIC);
    if (!p->began)
        p->first = used;
    if (!p->began || used - p->last > 0.01) {
        p->last = used;
        p->since = now;
    }
    p->began = true;
    return now - p->since > IDLE_MOST ||
           used - p->first > 1e-3 * limit_ms * LIMITS_MOST;
}

// Receive all of a letter; false if that cannot be.
static bool wait_for_letter(struct native *n, struct reader *r)
{
    struct isolate *a = n->isolate;
    struct patience p = {0};
    int here, got;
    text_clear(&a->in);
    while (!(here = letter_here(&a->in, r))) {
        got = letter_receive(a->fd, &a->in);
        a->silent = got < 0 && out_of_patience(&p, a->pid, verdicts_limit(n));
        if (!got || a->silent)
            return false;
    }
    return here > 0;
}

static bool read_reply(struct native *n, struct effect *out, bool news)
{
    struct isolate *a = n->isolate;
    struct reader r = {0};
    if (!wait_for_letter(n, &r))
        return false;
    bool tainted = reader_word(&r);
    if (news)
        tables_take(n, &r);
    if (!r.bad)
        effect_take(n, &r, out);
    if (r.bad || r.at != r.end)
        return false;
    a->served++;
    if (tainted)
        stop(a);
    return true;
}

// What was written with write_request(); false if it is lost, with how the
// process ended.
static bool ask(struct native *n, struct effect *out, int *status)
{
    struct isolate *a = n->isolate;
    for (;;) {
        if (!a->pid)
            start(n);
        bool first = !a->served;
        memset(out, 0, sizeof *out);
        if (letter_send(a->fd, &a->out) && read_reply(n, out, true))
            return true;
        *status = stop(a);
        if (first)
            return false;
    }
}

// ---- verdicts -------------------------------------------------------------

static struct bug *note_lost(struct native *n, int status)
{
    if (n->isolate->silent)
        return bug_note(n, BUG_ENDLESS, "its process answers no more");
    if (WIFEXITED(status))
        return bug_note(n, BUG_EXIT, "its process ended, with status %d",
                        WEXITSTATUS(status));
    const char *name = sigabbrev_np(WTERMSIG(status));
    return bug_note(n, BUG_CRASH,
                    "the handler damaged its process, which died of SIG%s",
                    name ? name : "?");
}

// The run of this actor took its process along.
static void lose(struct native *n, uint32_t actor, uint32_t msg, int status,
                 struct effect *out)
{
    uint64_t handler = n->trail->handler;
    run_begin(n, NULL, 0);
    n->trail->handler = handler;
    struct region *r = actor_region(n, actor);
    const tr_class *cls = n->actors.at[actor].cls;
    r->actor = actor;
    region_clear(r, cls ? cls->size : 0);
    r->head.flags = HEAD_CRASHED;
    n->receiver = r;
    n->handling = msg;
    bug_at_handler(n, note_lost(n, status));
    n->now.flags = EFFECT_SENDER;
    memset(out, 0, sizeof *out);
    run_finish(n, state_keep(n, r), out);
}

static void apart_run(void *self, uint32_t state, uint32_t msg, uint32_t sender,
                      const uint16_t *picks, uint32_t n_picks,
                      struct effect *out)
{
    struct native *n = self;
    int status;
    struct order q = {.request = REQUEST_RUN,
                      .state = state,
                      .msg = msg,
                      .sender = sender,
                      .shared = check_shared_now(n),
                      .n_picks = n_picks};
    write_request(n->isolate, &q, NULL, NULL, NULL, picks);
    if (!ask(n, out, &status))
        lose(n, state_info(n, state)->actor, msg, status, out);
}

static void apart_body(void *self, uint32_t env, const uint32_t *states,
                       uint32_t k, const struct send *in_flight,
                       uint32_t n_in_flight, const uint16_t *picks,
                       uint32_t n_picks, struct effect *out)
{
    struct native *n = self;
    int status;
    struct order q = {.request = REQUEST_BODY,
                      .state = env,
                      .shared = check_shared_now(n),
                      .n_states = k,
                      .n_sends = n_in_flight,
                      .n_picks = n_picks};
    write_request(n->isolate, &q, states, in_flight, NULL, picks);
    if (ask(n, out, &status))
        return;
    lose(n, PLAY_ENV, PLAY_NONE, status, out);
    out->flags |= EFFECT_BODY_DONE;
}

static const struct bug *apart_invariant(void *self, const uint32_t *states,
                                         uint32_t k,
                                         const struct send *in_flight,
                                         uint32_t n_in_flight)
{
    struct native *n = self;
    struct effect e;
    int status;
    struct order q = {.request = REQUEST_INVARIANT,
                      .shared = check_shared_now(n),
                      .n_states = k,
                      .n_sends = n_in_flight};
    write_request(n->isolate, &q, states, in_flight, NULL, NULL);
    if (!ask(n, &e, &status))
        lose(n, PLAY_ENV, PLAY_NONE, status, &e);
    return e.bugs;
}

static void apart_forget(void *self, const uint32_t *states, uint32_t n_states,
                         const uint32_t *msgs, uint32_t n_msgs)
{
    struct native *n = self;
    struct isolate *a = n->isolate;
    struct effect e;
    struct order q = {.request = REQUEST_FORGET,
                      .shared = PLAY_NONE,
                      .n_states = n_states,
                      .n_msgs = n_msgs};
    write_request(a, &q, states, NULL, msgs, NULL);
    if (a->pid && (!letter_send(a->fd, &a->out) || !read_reply(n, &e, false)))
        stop(a);
    ops_here.forget(n, states, n_states, msgs, n_msgs);
}

// ---- opening --------------------------------------------------------------

void isolate_open(struct native *n)
{
    n->isolate = need_zero(sizeof *n->isolate);
    n->ops.run = apart_run;
    n->ops.body = apart_body;
    n->ops.forget = apart_forget;
    if (n->ops.invariant)
        n->ops.invariant = apart_invariant;
}

void isolate_close(struct native *n)
{
    if (!n->isolate)
        return;
    stop(n->isolate);
    if (n->isolate->on_one)
        sched_setaffinity(0, sizeof n->isolate->cores, &n->isolate->cores);
    text_free(&n->isolate->out);
    text_free(&n->isolate->in);
    free(n->isolate);
}
