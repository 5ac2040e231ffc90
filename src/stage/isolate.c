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

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/wire.h"
#include "stage/check.h"
#include "stage/commons.h"
#include "stage/isolate_tables.h"
#include "stage/tables.h"
#include "stage/verdict.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

enum request { REQUEST_RUN, REQUEST_BODY, REQUEST_INVARIANT, REQUEST_FORGET };

enum { MESSAGE_REQUEST, MESSAGE_REPLY };

// A request.  The states, the messages in flight (when forgetting: the messages
// to keep) and the picks follow it.
struct request_head {
    uint64_t clock;
    uint32_t request;
    uint32_t state, msg, sender;
    uint32_t shared; // as in play_ops.share
    uint32_t n_states, n_sends, n_msgs, n_picks;
};

struct isolate {
    struct child child; // the stage process, if there is one
    uint32_t served;
    bool silent;     // it took too long
    bool nonsense;   // what it said was damaged
    struct text out; // a request
    struct wire_in in;
    cpu_set_t cores; // of the searching process before
    bool on_one;     // it keeps to one
};

// ---- the stage process ----------------------------------------------------

static void perform(struct native *n, const struct request_head *q,
                    struct wire_reader *r, struct effect *e)
{
    const uint32_t *states = wire_take(r, q->n_states * sizeof *states);
    const struct send *sends = wire_take(r, q->n_sends * sizeof *sends);
    const uint32_t *msgs = wire_take(r, q->n_msgs * sizeof *msgs);
    const uint16_t *picks = wire_take(r, q->n_picks * sizeof *picks);
    if (r->bad)
        raise(SIGKILL);
    commons_share(n, q->shared);
    n->clock = q->clock;
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

// One request and its reply.
static void serve_one(struct native *n, int fd, struct wire_reader *r,
                      struct text *out)
{
    struct request_head q;
    struct effect e = {0};
    wire_get(r, &q, sizeof q);
    struct marks since = tables_mark(n);
    perform(n, &q, r, &e);
    wire_begin(out, MESSAGE_REPLY);
    wire_put32(out, n->tainted || shaken(&e));
    if (q.request != REQUEST_FORGET)
        tables_put(out, n, &since);
    effect_put(out, &e);
    if (!wire_send(fd, out)) // closed, by us or by a handler
        raise(SIGKILL);
    arena_clear(&n->effects);
}

static void serve(void *self, int fd)
{
    struct text out = {0};
    struct wire_in in = {0};
    struct wire_message m;
    enum wire_state s;
    do {
        while ((s = wire_next(&in, &m)) == WIRE_HERE)
            serve_one(self, fd, &m.body, &out);
    } while (s == WIRE_NONE && wire_receive(fd, &in));
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
    struct timeval second = {1, 0};
    struct child_plan plan = {
        .body = serve, .self = n, .signals = CHILD_IGNORES};
    keep_to_one_core(a);
    if (!child_start(&a->child, &plan))
        die("no process for the stage: %s", strerror(errno));
    setsockopt(a->child.fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    wire_clear(&a->in);
    a->served = 0;
}

// ---- requests -------------------------------------------------------------

static void write_request(struct isolate *a, const struct request_head *q,
                          const uint32_t *states, const struct send *sends,
                          const uint32_t *msgs, const uint16_t *picks)
{
    wire_begin(&a->out, MESSAGE_REQUEST);
    wire_put(&a->out, q, sizeof *q);
    wire_put(&a->out, states, q->n_states * sizeof *states);
    wire_put(&a->out, sends, q->n_sends * sizeof *sends);
    wire_put(&a->out, msgs, q->n_msgs * sizeof *msgs);
    wire_put(&a->out, picks, q->n_picks * sizeof *picks);
}

// The stage watches its time itself.  Here are the limits for one that cannot.
enum { IDLE_MOST = 15, LIMITS_MOST = 25 };

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
    double used = clock_seconds(clock), now = clock_now();
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

// Receive a reply; false if there is none.  Nothing may follow it: a stage
// process speaks only when it is asked.
static bool wait_for_reply(struct native *n, struct wire_message *m)
{
    struct isolate *a = n->isolate;
    struct patience p = {0};
    enum wire_state s;
    while ((s = wire_next(&a->in, m)) == WIRE_NONE) {
        int got = wire_receive(a->child.fd, &a->in);
        a->silent =
            got < 0 && out_of_patience(&p, a->child.pid, verdicts_limit(n));
        if (!got || a->silent)
            return false;
    }
    a->nonsense =
        s == WIRE_BAD || m->kind != MESSAGE_REPLY || !wire_empty(&a->in);
    return !a->nonsense;
}

static bool read_reply(struct native *n, struct effect *out, bool news)
{
    struct isolate *a = n->isolate;
    struct wire_message m;
    if (!wait_for_reply(n, &m))
        return false;
    bool tainted = wire_get32(&m.body);
    if (news)
        tables_take(n, &m.body);
    if (!m.body.bad)
        effect_take(n, &m.body, out);
    a->nonsense = !wire_done(&m.body);
    if (a->nonsense)
        return false;
    a->served++;
    if (tainted)
        child_kill(&a->child);
    return true;
}

// What was written with write_request(); false if it is lost, with how the
// process ended.
static bool ask(struct native *n, struct effect *out, int *status)
{
    struct isolate *a = n->isolate;
    for (;;) {
        if (!a->child.pid)
            start(n);
        bool first = !a->served;
        memset(out, 0, sizeof *out);
        a->silent = a->nonsense = false;
        if (wire_send(a->child.fd, &a->out) && read_reply(n, out, true))
            return true;
        *status = child_kill(&a->child);
        if (first)
            return false;
    }
}

// ---- verdicts -------------------------------------------------------------

static struct bug *note_lost(struct native *n, int status)
{
    if (n->isolate->silent)
        return bug_note(n, BUG_ENDLESS, "its process answers no more");
    if (n->isolate->nonsense)
        return bug_note(n, BUG_CRASH,
                        "the handler damaged its process, or wrote to a "
                        "descriptor that is not its own");
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
    struct request_head q = {.request = REQUEST_RUN,
                             .state = state,
                             .msg = msg,
                             .sender = sender,
                             .clock = n->clock,
                             .shared = commons_now(n),
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
    struct request_head q = {.request = REQUEST_BODY,
                             .state = env,
                             .clock = n->clock,
                             .shared = commons_now(n),
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
    struct request_head q = {.request = REQUEST_INVARIANT,
                             .clock = n->clock,
                             .shared = commons_now(n),
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
    struct request_head q = {.request = REQUEST_FORGET,
                             .shared = PLAY_NONE,
                             .n_states = n_states,
                             .n_msgs = n_msgs};
    write_request(a, &q, states, NULL, msgs, NULL);
    if (a->child.pid &&
        (!wire_send(a->child.fd, &a->out) || !read_reply(n, &e, false)))
        child_kill(&a->child);
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
    // What invariants look at is known in the other process only.
    n->ops.watched_invariant = NULL;
    n->ops.alike = NULL;
    n->ops.watches_actor = NULL;
    n->ops.watches_msg = NULL;
    n->ops.watches = NULL;
}

void isolate_close(struct native *n)
{
    if (!n->isolate)
        return;
    child_kill(&n->isolate->child);
    if (n->isolate->on_one)
        sched_setaffinity(0, sizeof n->isolate->cores, &n->isolate->cores);
    text_free(&n->isolate->out);
    wire_free(&n->isolate->in);
    free(n->isolate);
}
