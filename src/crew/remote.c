// An outgoing order needs its bytes, so that it can be given again when the
// engine is lost, and a number.  Numbers are never used twice.  A result with
// another number than the order at its place has is one of an order that was
// taken back or given again: only the first that comes for the present number
// counts.  A result is believed as a whole or not at all.
#include "crew/remote.h"

#include "base/arena.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/temp.h"
#include "crew/engine.h"
#include "crew/inner.h"
#include "crew/local.h"
#include "crew/shared_set.h"
#include "crew/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TASKS_PER_CORE = 2,
    MOST_RESTARTS = 5, // of the engine, with no result between them
    START_SECONDS = 20,
};

struct outgoing {
    uint64_t number; // 0: nothing is out
    struct text order;
};

struct remote {
    const struct crew_far *far;
    struct crew_transport near;
    struct child engine;
    struct wire_in in;
    struct text out;
    struct crew_places state;
    struct outgoing *outgoing;
    uint64_t given;        // orders so far
    uint32_t restarts;     // since a result came
    struct wire_in result; // hear() passes it on, message by message
    uint32_t telling;      // the place of its order
    enum engine_outcome outcome;
    bool damaged;   // that result cannot be read
    uint32_t left;  // units left, as the engine was told last
    double left_at; // when it was told
    bool ready;
    bool any; // some result has come
    struct arena arena;
    VEC(const char *) folders; // of the engines so far, the last one's last
    char *why;                 // the engine cannot work, in its words
};

// ---- the engine -----------------------------------------------------------

static void be_engine(void *self, int fd)
{
    const struct remote *r = self;
    char number[12];
    snprintf(number, sizeof number, "%d", fd);
    fcntl(fd, F_SETFD, 0);
    execl(r->far->engine, "troupe-wq", number, (char *)NULL);
}

static void say(struct remote *r)
{
    if (r->engine.pid && !wire_send(r->engine.fd, &r->out))
        child_kill(&r->engine);
}

static void say_open(struct remote *r)
{
    const struct crew_far *f = r->far;
    wire_begin(&r->out, ENGINE_OPEN);
    wire_put32(&r->out, f->port);
    wire_put_string(&r->out, vec_last(&r->folders));
    wire_put_string(&r->out, f->password);
    wire_put_string(&r->out, f->name);
    wire_put_string(&r->out, f->catalog);
    wire_put_string(&r->out, f->command);
    wire_put32(&r->out, f->workers);
    wire_put32(&r->out, f->n_files);
    for (uint32_t i = 0; i < f->n_files; i++) {
        wire_put_string(&r->out, f->files[i].path);
        wire_put_string(&r->out, f->files[i].name);
        wire_put64(&r->out, f->files[i].size);
        wire_put(&r->out, f->files[i].bytes, f->files[i].size);
    }
    say(r);
}

static void say_task(struct remote *r, uint32_t i)
{
    struct outgoing *p = &r->outgoing[i];
    p->number = ++r->given * CREW_PLACES + i;
    wire_begin(&r->out, ENGINE_TASK);
    wire_put64(&r->out, p->number);
    wire_put64(&r->out, p->order.n);
    wire_put(&r->out, p->order.at, p->order.n);
    say(r);
}

static bool start(struct remote *r)
{
    struct child_plan plan = {
        .body = be_engine, .self = r, .signals = CHILD_IGNORES};
    wire_clear(&r->in);
    r->ready = false;
    r->state.workers = r->state.cores = 0;
    struct diag d = {0};
    const char *folder = temp_new_plain(&r->arena, &d);
    if (!folder) {
        r->why = need_text(d.text);
        diag_free(&d);
        return false;
    }
    vec_push(&r->folders, folder);
    if (!child_start(&r->engine, &plan)) {
        r->why = need_text(strerror(errno));
        return false;
    }
    say_open(r);
    return true;
}

// An engine removes its folder, unless it was killed.
static void remove_folders(struct remote *r)
{
    for (uint32_t i = 0; i < r->folders.n; i++)
        if (access(r->folders.at[i], F_OK) == 0)
            temp_remove(r->folders.at[i]);
    vec_free(&r->folders);
}

// What was kept of the search stays.
static _Noreturn void give_up(struct remote *r, const char *why)
{
    child_kill(&r->engine);
    remove_folders(r);
    die("troupe-wq: %s", why);
}

// The engine is gone, and all orders with it: start another and give it the
// orders again.
static void restart(struct remote *r)
{
    child_kill(&r->engine);
    if (++r->restarts > MOST_RESTARTS)
        give_up(r, "ends again and again");
    if (!start(r))
        give_up(r, r->why);
    for (uint32_t i = 0; i < CREW_PLACES; i++)
        if (r->outgoing[i].number)
            say_task(r, i);
}

// ---- what it says ---------------------------------------------------------

// Is it what an order must give: its own hash, then whole messages, of which
// the last is WORD_DONE?
static bool is_whole(const struct outgoing *p, const void *bytes, size_t size)
{
    struct wire_in in = {0};
    struct wire_message m = {0};
    uint32_t last = 0, n = 0;
    bool same = false;
    text_bytes(&in.bytes, bytes, size);
    while (wire_next(&in, &m) == WIRE_HERE) {
        if (n++ == 0)
            same = m.kind == WORD_GO &&
                   wire_get64(&m.body) == hash_bytes(p->order.at, p->order.n);
        last = m.kind;
    }
    bool good = same && !in.bad && wire_empty(&in) && last == WORD_DONE;
    wire_free(&in);
    return good;
}

static bool take_result(struct remote *r, struct wire_reader *in)
{
    uint64_t number = wire_get64(in);
    enum engine_outcome o = wire_get_below(in, TASKS_N);
    const char *host = wire_get_string(in), *said = wire_get_string(in);
    size_t size = wire_get64(in);
    const void *bytes = wire_take(in, size);
    uint32_t i = (uint32_t)(number % CREW_PLACES);
    struct outgoing *p = &r->outgoing[i];
    if (!wire_done(in) || !number || p->number != number)
        return false; // of an order that is not out any more
    r->damaged = o == TASK_DONE && !is_whole(p, bytes, size);
    if (r->damaged) {
        o = TASK_DIED;
        said = "its result is damaged";
    }
    if (o != TASK_DONE && r->far->failed)
        r->far->failed(r->far->self, o, host ? host : "", said ? said : "");
    if (o == TASK_LOST) {
        say_task(r, i);
        return false;
    }
    r->restarts = 0;
    r->any = true;
    r->telling = i;
    r->outcome = o;
    wire_clear(&r->result);
    if (o == TASK_DONE) {
        struct wire_message hash;
        text_bytes(&r->result.bytes, bytes, size);
        wire_next(&r->result, &hash);
    }
    p->number = 0;
    return true;
}

static void take_ready(struct remote *r, struct wire_reader *in)
{
    uint32_t port = wire_get32(in);
    if (r->far->ready && !r->given)
        r->far->ready(r->far->self, port);
    r->ready = true;
}

static void take_state(struct remote *r, struct wire_reader *in)
{
    uint32_t gone = r->state.gone;
    r->state.workers = wire_get32(in);
    r->state.cores = wire_get32(in);
    r->state.gone = wire_get32(in);
    if (r->state.gone > gone && !r->any && r->far->failed)
        r->far->failed(
            r->far->self, TASK_LOST, "",
            "the worker left; is there room on its disk, and on this one?");
}

// True: there is a result to tell.
static bool take(struct remote *r, struct wire_message *m)
{
    switch ((enum engine_word)m->kind) {
    case ENGINE_READY:
        take_ready(r, &m->body);
        return false;
    case ENGINE_FAILED: {
        const char *why = wire_get_string(&m->body);
        free(r->why);
        r->why = need_text(why ? why : "troupe-wq cannot work");
        return false;
    }
    case ENGINE_STATE:
        take_state(r, &m->body);
        return false;
    case ENGINE_RESULT:
        return take_result(r, &m->body);
    case ENGINE_OPEN:
    case ENGINE_TASK:
    case ENGINE_CANCEL:
    case ENGINE_LEFT:
    case ENGINE_DISMISS:
        break;
    }
    return false;
}

// Look at what has come, or comes within so long.  True as above.
static bool listen_to_engine(struct remote *r, uint32_t ms)
{
    struct wire_message m;
    struct pollfd p = {.fd = r->engine.fd, .events = POLLIN};
    for (;; ms = 0) {
        while (wire_next(&r->in, &m) == WIRE_HERE)
            if (take(r, &m))
                return true;
        if (r->why || poll(&p, 1, (int)ms) <= 0)
            return false;
        if (r->in.bad || wire_receive(r->engine.fd, &r->in) == 0) {
            if (!r->ready)
                r->why = need_text("troupe-wq ended");
            else
                restart(r);
            p.fd = r->engine.fd;
        }
    }
}

// ---- the table ------------------------------------------------------------

static bool is_near(const struct remote *r, uint32_t i)
{
    return i < r->state.near;
}

static bool hire(void *self, uint32_t i, bool isolated)
{
    struct remote *r = self;
    return !is_near(r, i) || r->near.hire(r->near.self, i, isolated);
}

static bool give(void *self, uint32_t i, struct text *message)
{
    struct remote *r = self;
    if (is_near(r, i))
        return r->near.give(r->near.self, i, message);
    wire_end(message);
    text_clear(&r->outgoing[i].order);
    text_bytes(&r->outgoing[i].order, message->at, message->n);
    say_task(r, i);
    return true;
}

static void dismiss(void *self, uint32_t i)
{
    struct remote *r = self;
    if (is_near(r, i)) {
        r->near.dismiss(r->near.self, i);
        return;
    }
    if (r->outgoing[i].number) {
        wire_begin(&r->out, ENGINE_CANCEL);
        wire_put64(&r->out, r->outgoing[i].number);
        say(r);
    }
    r->outgoing[i].number = 0;
    text_free(&r->outgoing[i].order);
}

static enum crew_news next_of_result(struct remote *r, uint32_t *i,
                                     struct wire_message *m)
{
    if (wire_next(&r->result, m) != WIRE_HERE)
        return NEWS_NONE;
    *i = r->telling;
    return NEWS_WORD;
}

enum { NEAR_MS = 5 };

static enum crew_news hear(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m)
{
    struct remote *r = self;
    double until = clock_now() + ms * 1e-3;
    enum crew_news n = next_of_result(r, i, m);
    while (n == NEWS_NONE) {
        uint32_t step = r->state.near && ms > NEAR_MS ? NEAR_MS : ms;
        if (r->state.near)
            n = r->near.hear(r->near.self, step, i, m);
        if (n != NEWS_NONE)
            break;
        if (listen_to_engine(r, r->state.near ? 0 : step)) {
            *i = r->telling;
            return r->damaged                 ? NEWS_DAMAGED
                   : r->outcome == TASK_DONE  ? next_of_result(r, i, m)
                   : r->outcome == TASK_UNFIT ? NEWS_LOST
                                              : NEWS_DIED;
        }
        if (r->why)
            give_up(r, r->why);
        if (!ms || clock_now() >= until)
            break;
    }
    return n;
}

static void tell_left(struct remote *r, uint32_t left)
{
    if (left == r->left || clock_now() - r->left_at < 1)
        return;
    r->left = left;
    r->left_at = clock_now();
    wire_begin(&r->out, ENGINE_LEFT);
    wire_put32(&r->out, left);
    say(r);
}

// If no worker has come yet, one order may be out: the first worker finds it.
static struct crew_places look(void *self, uint32_t left)
{
    struct remote *r = self;
    struct crew_places p = r->state;
    uint32_t most = CREW_PLACES - p.near;
    p.far = p.cores ? p.cores : 1;
    p.far = p.far < most / TASKS_PER_CORE ? p.far * TASKS_PER_CORE : most;
    tell_left(r, left);
    return p;
}

// ---- beginning and end ----------------------------------------------------

static bool begin(struct remote *r)
{
    double began = clock_now();
    if (!start(r))
        return false;
    while (!r->ready && !r->why && clock_now() - began < START_SECONDS)
        listen_to_engine(r, 100);
    if (!r->ready && !r->why)
        r->why = need_text("troupe-wq does not answer");
    return r->ready;
}

enum { END_MS = 5000, LOOK_MS = 10 };

// Close the socket and wait: then the engine removes its files and ends.
static void end_engine(struct remote *r)
{
    if (!r->engine.pid)
        return;
    shutdown(r->engine.fd, SHUT_RDWR);
    siginfo_t info = {0};
    for (int ms = 0; ms < END_MS && !info.si_pid; ms += LOOK_MS) {
        usleep(ms ? LOOK_MS * 1000 : 1000);
        if (waitid(P_PID, (id_t)r->engine.pid, &info,
                   WEXITED | WNOHANG | WNOWAIT))
            break;
    }
    child_kill(&r->engine);
}

static void dismiss_all(struct remote *r)
{
    if (r->far->stays && r->far->stays(r->far->self))
        return;
    wire_begin(&r->out, ENGINE_DISMISS);
    say(r);
}

static void release(struct remote *r)
{
    end_engine(r);
    remove_folders(r);
    arena_free(&r->arena);
    for (uint32_t i = 0; i < CREW_PLACES; i++)
        text_free(&r->outgoing[i].order);
    free(r->outgoing);
    wire_free(&r->in);
    wire_free(&r->result);
    text_free(&r->out);
}

bool crew_explore_far(const struct crew_job *job, const struct crew_far *far,
                      const struct explore_options *o,
                      const struct crew_options *co,
                      const struct crew_sink *sink, struct crew_figures *out,
                      char **why)
{
    struct shared_set *finals = shared_set_new();
    struct remote r = {.far = far, .state.near = co->workers};
    struct crew_transport t = {&r, hire, give, hear, dismiss, look};
    r.near = local_open(job, co->workers, finals);
    r.outgoing = need_zero(CREW_PLACES * sizeof *r.outgoing);
    bool good = begin(&r);
    if (good) {
        crew_supervise(&t, finals, o, co, sink, out);
        dismiss_all(&r);
    }
    *why = r.why;
    release(&r);
    local_close(&r.near);
    shared_set_free(finals);
    return good;
}
