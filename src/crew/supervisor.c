// The supervisor.  One loop over poll(): frames from workers, workers that end
// or hang, units handed to idle workers, requests to yield.
//
// Invariant: every unit of the search is in exactly one place: in the queue,
// held by one worker, or done and counted.
#include "crew/supervisor.h"

#include "base/die.h"
#include "base/text.h"
#include "crew/frame.h"
#include "base/hashset.h"
#include "crew/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORKERS = 64, MOST_LOSSES = 5 };

struct member {
    pid_t pid;
    int in, out; // we write, we read
    struct frames frames;
    bool busy;
    bool whole; // holds the whole search: no units
    struct work_list holds, rest;
    struct explore_result now; // last told, not yet counted
    struct play_counts counts;
    double began, heard;
};

struct pool {
    const struct crew_job *job;
    const struct explore_options *options;
    const struct crew_options *po;
    const struct crew_sink *sink;
    struct crew_figures *out;
    struct member members[MOST_WORKERS];
    uint32_t n;
    struct worker_board *board; // shared
    struct work_list queue;
    bool whole; // nothing was handed out yet, and there are no units
    struct hashset bugs;
    bool ending;
    enum stop why;
    double began, yielded, checkpointed, told;
    uint64_t runs_gone, hits_gone; // of members that ended
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void move_units(struct work_list *to, struct work_list *from)
{
    for (uint32_t i = 0; i < from->list.n; i++)
        vec_push(&to->list, from->list.at[i]);
    vec_free(&from->list);
}

// ---- members -------------------------------------------------------------

static void become_worker(struct pool *p, uint32_t i, int in, int out)
{
    for (uint32_t k = 0; k < p->n; k++)
        if (k != i && p->members[k].pid) {
            close(p->members[k].in);
            close(p->members[k].out);
        }
    signal(SIGINT, SIG_IGN); // the supervisor decides
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    worker_serve(p->job, in, out, p->board, i);
}

static void hire(struct pool *p, uint32_t i)
{
    struct member *m = &p->members[i];
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        die("no pipe for a worker: %s", strerror(errno));
    atomic_store_explicit(&p->board->yield[i], 0, memory_order_relaxed);
    pid_t pid = fork();
    if (pid < 0)
        die("no process for a worker: %s", strerror(errno));
    if (pid == 0) {
        close(to[1]);
        close(from[0]);
        become_worker(p, i, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    memset(m, 0, sizeof *m);
    m->pid = pid;
    m->in = to[1];
    m->out = from[0];
    m->heard = now();
}

static void dismiss(struct pool *p, struct member *m)
{
    if (!m->pid)
        return;
    p->runs_gone += m->counts.runs;
    p->hits_gone += m->counts.hits;
    close(m->in);
    close(m->out);
    kill(m->pid, SIGKILL);
    while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    frames_free(&m->frames);
    work_list_free(&m->holds);
    work_list_free(&m->rest);
    memset(m, 0, sizeof *m);
}

static void add_result(struct explore_result *sum,
                       const struct explore_result *r);

// A worker is gone with its work undone: back into the queue with it.
static void lose(struct pool *p, struct member *m)
{
    uint32_t i = (uint32_t)(m - p->members);
    if (m->busy && m->whole && p->ending) // nobody does it again: it counts
        add_result(&p->out->result, &m->now);
    else if (m->busy && m->whole)
        p->whole = true;
    else if (m->busy)
        move_units(&p->queue, &m->holds);
    bool was_busy = m->busy;
    dismiss(p, m);
    if (p->ending) {
        p->out->lost += was_busy;
    } else if (was_busy && ++p->out->lost >= MOST_LOSSES) {
        p->ending = true;
        p->why = STOP_REFUSED;
        p->out->result.refused = "worker processes keep dying; "
                                 "--isolate tells of what";
    } else {
        hire(p, i);
    }
}

// The front of the queue holds what was split off first: the largest.
static void give_units(struct pool *p, struct member *m, uint32_t n)
{
    struct work *all = p->queue.list.at;
    for (uint32_t k = 0; k < n; k++) {
        vec_push(&m->holds.list, all[k]);
        frame_put(m->in, FRAME_UNIT, all[k].bytes, all[k].size);
    }
    p->queue.list.n -= n;
    memmove(all, all + n, p->queue.list.n * sizeof *all);
}

static void give(struct pool *p, struct member *m, uint32_t n)
{
    uint32_t i = (uint32_t)(m - p->members);
    struct explore_options o = *p->options;
    double used = now() - p->began;
    if (o.seconds > 0)
        o.seconds = o.seconds > used ? o.seconds - used : 0.001;
    uint64_t made = p->out->result.executions;
    if (o.schedules)
        o.schedules = o.schedules > made ? o.schedules - made : 1;
    m->whole = p->whole;
    p->whole = false;
    if (n)
        give_units(p, m, n);
    atomic_store_explicit(&p->board->yield[i], 0, memory_order_relaxed);
    m->busy = true;
    m->began = m->heard = now();
    memset(&m->now, 0, sizeof m->now);
    frame_put(m->in, FRAME_GO, &o, sizeof o);
}

// ---- what members say ------------------------------------------------------

static void add_result(struct explore_result *sum,
                       const struct explore_result *r)
{
    sum->executions += r->executions;
    sum->blocked += r->blocked;
    sum->cut += r->cut;
    sum->receives += r->receives;
    sum->states += r->states;
    sum->warnings += r->warnings;
    sum->more_final_states |= r->more_final_states;
    if (r->max_depth > sum->max_depth)
        sum->max_depth = r->max_depth;
}

// How a unit ended decides how the search ends.
static void ended(struct pool *p, const struct explore_result *r)
{
    switch (r->stopped_by) {
    case STOP_DONE:
    case STOP_ASKED: // by us, or its process is tainted: the rest is back
        return;
    case STOP_STEPS:
    case STOP_DELAYS:
        p->why = p->why == STOP_DONE ? r->stopped_by : p->why;
        return;
    case STOP_BUG:
    case STOP_TIME:
    case STOP_SCHEDULES:
    case STOP_MEMORY:
    case STOP_SAMPLED:
    case STOP_REFUSED:
    case STOPS_N:
        p->why = r->stopped_by;
        p->ending = true;
    }
}

static void done(struct pool *p, struct member *m, const struct worker_done *d)
{
    struct explore_result *sum = &p->out->result;
    add_result(sum, &d->result);
    if (d->result.refused) // static text: forked from us, valid here too
        sum->refused = d->result.refused;
    if (m->whole && d->result.estimate > 0)
        sum->estimate = d->result.estimate;
    sum->progress = m->whole && !m->rest.list.n ? d->result.progress : -1;
    m->counts = d->counts;
    if (d->peak_bytes > p->out->peak_bytes)
        p->out->peak_bytes = d->peak_bytes;
    move_units(&p->queue, &m->rest);
    work_list_free(&m->holds);
    m->busy = false;
    memset(&m->now, 0, sizeof m->now);
    ended(p, &d->result);
    if (d->tainted) {
        uint32_t i = (uint32_t)(m - p->members);
        p->out->replaced++;
        dismiss(p, m);
        hire(p, i);
    }
}

static void make_known(struct pool *p, uint64_t key)
{
    uint32_t n = atomic_load_explicit(&p->board->n_known, memory_order_relaxed);
    if (n == KNOWN_BUGS)
        return;
    p->board->known[n] = key;
    // Partner: told() in worker.c.
    atomic_store_explicit(&p->board->n_known, n + 1, memory_order_release);
}

static void take(struct pool *p, struct member *m, const struct frame *f)
{
    struct worker_done d;
    uint64_t key;
    m->heard = now();
    switch ((enum frame_kind)f->kind) {
    case FRAME_BUG:
        memcpy(&key, f->bytes, sizeof key);
        if (hashset_add(&p->bugs, key)) {
            struct text t = {0};
            make_known(p, key);
            text_bytes(&t, (const char *)f->bytes + sizeof key,
                       f->size - sizeof key);
            p->sink->bug(p->sink->self, key, text_get(&t));
            text_free(&t);
        }
        break;
    case FRAME_PROGRESS:
        memcpy(&m->now, f->bytes, sizeof m->now);
        break;
    case FRAME_REST:
        work_list_add(&m->rest, f->bytes, f->size);
        break;
    case FRAME_DONE:
        memcpy(&d, f->bytes, sizeof d);
        done(p, m, &d);
        break;
    case FRAME_UNIT:
    case FRAME_GO:
        break;
    }
}

static void hear(struct pool *p, struct member *m)
{
    struct frame f;
    if (!frames_fill(&m->frames, m->out)) {
        lose(p, m);
        return;
    }
    pid_t pid = m->pid;
    while (m->pid == pid && frames_next(&m->frames, &f))
        take(p, m, &f);
}

// ---- the loop ------------------------------------------------------------

static uint32_t busy(const struct pool *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        n += p->members[i].busy;
    return n;
}

static void ask_to_yield(struct pool *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->members[i].busy)
            // Partner: on_stop() in worker.c.
            atomic_store_explicit(&p->board->yield[i], 1, memory_order_relaxed);
    p->yielded = now();
}

static bool work_left(const struct pool *p)
{
    return p->whole || p->queue.list.n;
}

// Few at a time, so that nobody is left with a large share when the others
// are done; a long queue in larger portions.
static uint32_t portion(const struct pool *p)
{
    uint32_t n = p->queue.list.n;
    return n ? 1 + n / (32 * p->n) : 0;
}

// Somebody has nothing to do, and there is nothing but what others hold.
static bool wants_work(const struct pool *p)
{
    uint32_t n = busy(p);
    return p->po->divisible && !work_left(p) && n && n < p->n;
}

static void hand_out(struct pool *p)
{
    for (uint32_t i = 0; i < p->n && work_left(p); i++) {
        struct member *m = &p->members[i];
        if (m->busy)
            continue;
        if (!m->pid)
            hire(p, i);
        give(p, m, portion(p));
        if (busy(p) > p->out->workers)
            p->out->workers = busy(p);
    }
}

// Small searches end before a second process would pay, and cutting what is
// left into units costs about as much as a thousand executions.
static bool want_split(const struct pool *p, double at)
{
    if (!wants_work(p))
        return false;
    return at - p->began > 0.1 && at - p->yielded > 0.05;
}

static bool want_checkpoint(const struct pool *p, double at)
{
    double every =
        p->po->checkpoint_seconds > 0 ? p->po->checkpoint_seconds : 10;
    return p->po->divisible && p->sink->checkpoint &&
           at - p->checkpointed > every;
}

static void checkpoint(struct pool *p)
{
    uint64_t n = shared_set_sum(p->board->finals).n;
    uint64_t *finals = need((n + 1) * sizeof *finals);
    struct crew_rest rest = {.units = p->queue.list.at,
                             .n_units = p->queue.list.n,
                             .finals = finals};
    rest.n_finals = shared_set_list(p->board->finals, finals, n);
    p->sink->checkpoint(p->sink->self, p->out, &rest);
    free(finals);
    p->checkpointed = now();
}

static void refresh(struct pool *p)
{
    struct crew_figures *o = p->out;
    o->result.bugs = p->bugs.n;
    o->result.seconds = now() - p->began;
    o->handler_runs = p->runs_gone;
    o->memo_hits = p->hits_gone;
    for (uint32_t i = 0; i < p->n; i++) {
        o->handler_runs += p->members[i].counts.runs;
        o->memo_hits += p->members[i].counts.hits;
    }
}

static void tell_progress(struct pool *p)
{
    if (!p->sink->progress || now() - p->told < 0.2)
        return;
    p->told = now();
    refresh(p);
    struct crew_figures f = *p->out;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct explore_result *r = &p->members[i].now;
        add_result(&f.result, r);
        if (!p->members[i].busy || !p->members[i].whole)
            continue; // a unit knows nothing of the whole
        if (r->estimate > 0)
            f.result.estimate = r->estimate;
        f.result.progress = r->progress;
    }
    p->sink->progress(p->sink->self, &f);
}

// Once the search is to end, workers get less time to answer.
enum { LAST_WORDS_SECONDS = 15, HUNG_SECONDS = 60 };

static void drop_hung(struct pool *p, double at)
{
    double limit = p->po->hung_seconds > 0 ? p->po->hung_seconds : HUNG_SECONDS;
    if (p->ending && limit > LAST_WORDS_SECONDS)
        limit = LAST_WORDS_SECONDS;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->members[i].busy && at - p->members[i].heard > limit)
            lose(p, &p->members[i]);
}

enum { LOOK_MS = 50, SOON_MS = 10 };

static void wait_for_words(struct pool *p)
{
    struct pollfd fds[MOST_WORKERS];
    uint32_t who[MOST_WORKERS], n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->members[i].pid) {
            fds[n] = (struct pollfd){p->members[i].out, POLLIN, 0};
            who[n++] = i;
        }
    if (poll(fds, n, wants_work(p) ? SOON_MS : LOOK_MS) <= 0)
        return;
    for (uint32_t i = 0; i < n; i++)
        if (fds[i].revents)
            hear(p, &p->members[who[i]]);
}

static void supervise(struct pool *p)
{
    bool collecting = false; // for a checkpoint
    while (busy(p) || (!p->ending && work_left(p))) {
        double at = now();
        if (!p->ending && p->sink->stop && p->sink->stop(p->sink->self)) {
            p->ending = true;
            p->why = STOP_ASKED;
        }
        if (!p->ending && p->options->seconds > 0 &&
            at - p->began > p->options->seconds + 1) { // a worker is late
            p->ending = true;
            p->why = STOP_TIME;
        }
        if (p->ending) {
            ask_to_yield(p);
        } else if (collecting && !busy(p)) {
            checkpoint(p);
            collecting = false;
        } else if (!collecting && want_checkpoint(p, at)) {
            ask_to_yield(p);
            collecting = true;
        } else if (!collecting && want_split(p, at)) {
            ask_to_yield(p);
        }
        if (!p->ending && !collecting)
            hand_out(p);
        wait_for_words(p);
        tell_progress(p);
        drop_hung(p, now());
    }
}

static void begin(struct pool *p)
{
    struct crew_figures *o = p->out;
    memset(o, 0, sizeof *o);
    if (p->po->before)
        *o = *p->po->before;
    p->why = o->result.cut ? STOP_STEPS : STOP_DONE;
    p->runs_gone = o->handler_runs;
    p->hits_gone = o->memo_hits;
    o->result.estimate = o->result.progress = -1;
    const struct crew_rest *rest = &p->po->rest;
    p->whole = !rest->n_units && !p->po->before;
    for (uint32_t i = 0; i < rest->n_units; i++)
        work_list_add(&p->queue, rest->units[i].bytes, rest->units[i].size);
    p->n = p->po->workers ? p->po->workers : 1;
    if (p->n > MOST_WORKERS)
        p->n = MOST_WORKERS;
    p->board = mmap(NULL, sizeof *p->board, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p->board == MAP_FAILED)
        die("no shared memory: %s", strerror(errno));
    p->board->divisible = p->po->divisible;
    p->board->finals = shared_set_new();
    for (uint64_t i = 0; i < rest->n_finals; i++)
        shared_set_add(p->board->finals, rest->finals[i]);
    p->began = p->checkpointed = now();
    signal(SIGPIPE, SIG_IGN);
}

static void count_finals(struct pool *p)
{
    struct shared_sum sum = shared_set_sum(p->board->finals);
    p->out->result.final_states = sum.n;
    p->out->result.finals_hash = sum.sum;
    p->out->result.more_final_states |= sum.more;
}

void crew_explore(const struct crew_job *job, const struct explore_options *o,
                  const struct crew_options *po, const struct crew_sink *sink,
                  struct crew_figures *out)
{
    struct pool *p = need_zero(sizeof *p);
    p->job = job;
    p->options = o;
    p->po = po;
    p->sink = sink;
    p->out = out;
    begin(p);
    supervise(p);
    refresh(p);
    out->result.stopped_by = p->why;
    out->result.complete = p->why == STOP_DONE;
    count_finals(p);
    if (po->divisible && sink->checkpoint)
        checkpoint(p);
    for (uint32_t i = 0; i < p->n; i++)
        dismiss(p, &p->members[i]);
    shared_set_free(p->board->finals);
    munmap(p->board, sizeof *p->board);
    work_list_free(&p->queue);
    hashset_free(&p->bugs);
    free(p);
}
