// The supervisor's loop: hear workers, replace those that end or hang, hand
// units to idle ones, ask busy ones to yield or to write down what is left.
//
// Invariant: every unit of the search is in exactly one place: in a queue, held
// by one worker, or done and counted.  What a worker holds is what it was given
// or, once it has written something down, what was left then.
#include "crew/supervisor.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/hashset.h"
#include "base/wire.h"
#include "crew/shared_set.h"
#include "crew/words.h"
#include "explore/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct member {
    bool here;
    bool isolated; // its handlers run in a process apart
    bool busy;
    bool yielding;             // was asked to
    bool whole;                // was given the whole search
    bool aside;                // searches states beside the others
    bool discard;              // what it has left is not wanted any more
    bool written;              // `last` is valid
    struct work_list holds;    // was given
    struct crew_return last;   // written down last; of its rest it holds all
    struct explore_result now; // told last; includes what was written down
    struct play_counts counts;
    double began, heard;
};

// Work that nobody holds.
struct queue {
    struct work_list units;
    bool whole; // all of the search, before there are units
};

struct crew {
    const struct crew_transport *transport;
    const struct explore_options *options;
    const struct crew_options *co;
    const struct crew_sink *sink;
    struct crew_figures *out;
    struct shared_set *finals;
    struct member members[CREW_MOST];
    uint32_t n;
    struct queue queue;
    struct queue suspect; // a worker was lost with it: for isolated ones
    uint32_t losses;      // since work was last returned
    struct hashset bugs;
    struct text message; // scratch
    bool aside;          // a worker is still to search states
    bool decided;        // it has seen them all
    bool undivided;      // the search turned out not to be divisible
    uint32_t orders;     // given so far
    bool ending;
    enum stop why;
    double began, yielded, asked, checkpointed, told;
    uint64_t runs_gone, once_gone, hits_gone; // of members that ended
};

static void end(struct crew *c, enum stop why)
{
    if (c->ending)
        return;
    c->ending = true;
    c->why = why;
}

static bool has_work(const struct queue *q)
{
    return q->whole || q->units.list.n;
}

static void move_units(struct work_list *to, struct work_list *from)
{
    for (uint32_t i = 0; i < from->list.n; i++)
        vec_push(&to->list, from->list.at[i]);
    vec_free(&from->list);
}

static uint32_t busy(const struct crew *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        n += c->members[i].busy;
    return n;
}

// ---- figures ---------------------------------------------------------------

static void add_result(struct explore_result *sum,
                       const struct explore_result *r)
{
    sum->executions += r->executions;
    sum->broken_off += r->broken_off;
    sum->warm_up += r->warm_up;
    for (uint32_t i = 0; i < STRATEGIES_N; i++)
        sum->share[i] += r->share[i];
    sum->blocked += r->blocked;
    sum->cut += r->cut;
    sum->receives += r->receives;
    sum->states += r->states;
    sum->warnings += r->warnings;
    sum->ruled_out += r->ruled_out;
    sum->rested |= r->rested;
    sum->more_final_states |= r->more_final_states;
    if (r->max_depth > sum->max_depth)
        sum->max_depth = r->max_depth;
}

// What was done beside the search that is counted.
static void add_beside(struct explore_result *sum,
                       const struct explore_result *r)
{
    struct explore_result beside = {.warm_up = explore_made(r),
                                    .receives = r->receives,
                                    .ruled_out = r->ruled_out,
                                    .rested = r->rested,
                                    .warnings = r->warnings,
                                    .max_depth = r->max_depth};
    memcpy(beside.share, r->share, sizeof beside.share);
    add_result(sum, &beside);
}

// What a worker returned, or had written down before it was lost.
static void count(struct crew *c, const struct crew_return *r)
{
    add_result(&c->out->result, &r->result);
    if (r->peak_bytes > c->out->peak_bytes)
        c->out->peak_bytes = r->peak_bytes;
    if (r->result.executions)
        c->losses = 0;
}

static void refresh(struct crew *c)
{
    struct crew_figures *o = c->out;
    o->result.bugs = c->bugs.n;
    o->result.seconds = clock_now() - c->began;
    o->handler_runs = c->runs_gone;
    o->runs_once = c->once_gone;
    o->memo_hits = c->hits_gone;
    for (uint32_t i = 0; i < c->n; i++) {
        o->handler_runs += c->members[i].counts.runs;
        o->runs_once += c->members[i].counts.once;
        o->memo_hits += c->members[i].counts.hits;
    }
}

// Is what it does not part of the search that is counted?
static bool is_beside(const struct crew *c, const struct member *m)
{
    return m->aside || m->discard || c->decided;
}

static void tell_progress(struct crew *c)
{
    if (!c->sink->progress || clock_now() - c->told < 0.2)
        return;
    c->told = clock_now();
    refresh(c);
    struct crew_figures f = *c->out;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct member *m = &c->members[i];
        (is_beside(c, m) ? add_beside : add_result)(&f.result, &m->now);
        if (!m->busy || !m->whole)
            continue; // a unit knows nothing of the whole
        if (m->now.estimate > 0)
            f.result.estimate = m->now.estimate;
        f.result.progress = m->now.progress;
    }
    c->sink->progress(c->sink->self, &f);
}

// ---- members ---------------------------------------------------------------

static uint32_t number_of(const struct crew *c, const struct member *m)
{
    return (uint32_t)(m - c->members);
}

static void idle(struct member *m)
{
    m->busy = m->whole = m->yielding = m->written = false;
    m->aside = m->discard = false;
    work_list_free(&m->holds);
    work_list_free(&m->last.rest);
    memset(&m->now, 0, sizeof m->now);
}

static void dismiss(struct crew *c, struct member *m)
{
    if (!m->here)
        return;
    c->runs_gone += m->counts.runs;
    c->once_gone += m->counts.once;
    c->hits_gone += m->counts.hits;
    c->transport->dismiss(c->transport->self, number_of(c, m));
    idle(m);
    memset(m, 0, sizeof *m);
}

static bool hire(struct crew *c, struct member *m, bool isolated)
{
    const struct crew_transport *t = c->transport;
    memset(m, 0, sizeof *m);
    if (!t->hire(t->self, number_of(c, m), isolated)) {
        if (!busy(c))
            die("no process for a worker: %s", strerror(errno));
        return false;
    }
    m->here = true;
    m->isolated = isolated;
    return true;
}

enum { MOST_LOSSES = 20, HUNG_COUNTS = 5 };

// A worker is gone, and what it holds has to be done again.
static void lose(struct crew *c, struct member *m, uint32_t counts)
{
    if (m->busy && is_beside(c, m)) {
        add_beside(&c->out->result, &m->now); // nobody does it again
    } else if (m->busy && m->written) {
        count(c, &m->last);
        move_units(&c->suspect.units, &m->last.rest);
    } else if (m->busy && m->whole && c->ending) {
        add_result(&c->out->result, &m->now); // nobody does it again: it counts
    } else if (m->busy && m->whole) {
        c->suspect.whole = true;
    } else if (m->busy) {
        move_units(&c->suspect.units, &m->holds);
    }
    c->out->lost += m->busy;
    c->losses += counts;
    dismiss(c, m);
    if (c->losses >= MOST_LOSSES)
        end(c, STOP_LOST);
}

// Send the message in c->message.
static bool give(struct crew *c, struct member *m)
{
    const struct crew_transport *t = c->transport;
    if (t->give(t->self, number_of(c, m), &c->message))
        return true;
    lose(c, m, 1);
    return false;
}

static void ask(struct crew *c, struct member *m, enum crew_word word)
{
    wire_begin(&c->message, word);
    give(c, m);
}

static void ask_all_to_yield(struct crew *c);

// ---- what members say ------------------------------------------------------

// A search of states that came to nothing says nothing of the others.
static bool gave_up(const struct explore_result *r)
{
    return r->stopped_by == STOP_MEMORY || r->stopped_by == STOP_REFUSED ||
           r->stopped_by == STOP_STEPS || r->stopped_by == STOP_CLOCK;
}

// How a unit ended decides how the search ends.
static void ended(struct crew *c, const struct explore_result *r)
{
    switch (r->stopped_by) {
    case STOP_DONE:
        c->out->result.decided = r->decided;
        return;
    case STOP_ASKED: // by us, or its process is tainted: the rest is back
        return;
    case STOP_STEPS:
    case STOP_DELAYS:
    case STOP_CLOCK:
        c->why = c->why == STOP_DONE ? r->stopped_by : c->why;
        return;
    case STOP_REFUSED:
        c->out->result.refused = r->refused;
        break;
    case STOP_BUG:
    case STOP_LIMIT:
    case STOP_TIME:
    case STOP_SCHEDULES:
    case STOP_MEMORY:
    case STOP_SAMPLED:
    case STOP_LOST:
    case STOPS_N:
        break;
    }
    c->ending = true;
    c->why = r->stopped_by;
    c->out->result.decided = r->decided;
}

// The states have all been seen: the verdict is there, and what others did is
// beside it.
static void decide(struct crew *c, const struct explore_result *r)
{
    struct explore_result *sum = &c->out->result, before = *sum;
    *sum = *r;
    add_beside(sum, &before);
    c->decided = c->ending = true;
    c->why = STOP_DONE;
}

// What is left cannot be written as units: one worker does it all again.
static void undivide(struct crew *c)
{
    struct explore_result before = c->out->result;
    c->undivided = true;
    c->aside = false;
    c->out->result = (struct explore_result){.estimate = -1, .progress = -1};
    add_beside(&c->out->result, &before);
    work_list_free(&c->queue.units);
    work_list_free(&c->suspect.units);
    c->queue.whole = true;
    for (uint32_t i = 0; i < c->n; i++)
        c->members[i].discard = c->members[i].busy;
    ask_all_to_yield(c);
}

static void take_figures(struct crew *c, const struct member *m,
                         const struct crew_return *r)
{
    struct explore_result *sum = &c->out->result;
    count(c, r);
    if (m->whole && r->result.estimate > 0)
        sum->estimate = r->result.estimate;
    sum->progress = m->whole && !r->rest.list.n ? r->result.progress : -1;
    if (r->result.refused)
        sum->refused = r->result.refused;
}

// A part of `auto` refused what it was given, or cannot hand over the rest.
static bool is_undivided(const struct crew *c, const struct crew_return *r)
{
    enum stop why = r->result.stopped_by;
    return c->options->strategy == STRATEGY_AUTO && !c->ending &&
           r->undivided && (why == STOP_ASKED || why == STOP_REFUSED);
}

static void take_return(struct crew *c, struct member *m, struct crew_return *r)
{
    bool beside = is_beside(c, m), undivided = !beside && is_undivided(c, r);
    m->counts = r->counts;
    c->losses = 0;
    if (m->aside && r->result.complete && !c->decided) {
        decide(c, &r->result);
    } else if (beside || undivided) {
        add_beside(&c->out->result, &r->result);
        work_list_free(&r->rest);
        r->rest = (struct work_list){0};
    } else {
        take_figures(c, m, r);
    }
    if (!undivided && !(m->aside && gave_up(&r->result)))
        ended(c, &r->result);
    move_units(&c->queue.units, &r->rest);
    idle(m);
    if (undivided)
        undivide(c);
    if (r->tainted) {
        c->out->replaced++;
        dismiss(c, m);
    }
}

static void take_written(struct member *m, struct crew_return *r)
{
    work_list_free(&m->last.rest);
    m->last = *r;
    m->written = true;
}

static void make_known(struct crew *c, uint64_t key)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].here) {
            wire_begin(&c->message, WORD_KNOWN);
            wire_put64(&c->message, key);
            give(c, &c->members[i]);
        }
}

// Schedules made so far by all but one.
static uint64_t made_by_others(const struct crew *c, const struct member *m)
{
    uint64_t n = explore_made(&c->out->result);
    for (uint32_t i = 0; i < c->n; i++)
        if (&c->members[i] != m && c->members[i].busy)
            n += explore_made(&c->members[i].now);
    return n;
}

// False: it is not a bug.
static bool take_bug(struct crew *c, const struct member *m,
                     struct wire_reader *in)
{
    uint64_t key = wire_get64(in), nth = wire_get64(in);
    const char *text = wire_get_string(in);
    if (!text || !wire_done(in))
        return false;
    if (!hashset_add(&c->bugs, key))
        return true;
    c->sink->bug(c->sink->self, key, text, made_by_others(c, m) + nth);
    make_known(c, key);
    return true;
}

// False if that cannot have been said.
static bool take(struct crew *c, struct member *m, struct wire_message *w)
{
    struct crew_return r;
    m->heard = clock_now();
    switch ((enum crew_word)w->kind) {
    case WORD_BUG:
        return m->busy && take_bug(c, m, &w->body);
    case WORD_PROGRESS:
        explore_result_get(&w->body, &m->now);
        return m->busy && wire_done(&w->body);
    case WORD_WRITTEN:
        if (!m->busy || !c->co->divisible || !crew_return_get(&w->body, &r))
            return false;
        take_written(m, &r);
        return true;
    case WORD_DONE:
        if (!m->busy || !crew_return_get(&w->body, &r))
            return false;
        take_return(c, m, &r);
        return true;
    case WORD_FAILED:
        c->out->result.refused = REFUSAL_NOT_OPENED;
        end(c, STOP_REFUSED);
        return false;
    case WORD_GO:
    case WORD_YIELD:
    case WORD_WRITE:
    case WORD_KNOWN:
        break;
    }
    return false;
}

static bool wants_work(const struct crew *c);

enum { LOOK_MS = 50, SOON_MS = 10 };

static void hear(struct crew *c)
{
    const struct crew_transport *t = c->transport;
    uint32_t i, ms = wants_work(c) ? SOON_MS : LOOK_MS;
    struct wire_message w;
    for (enum crew_news n; (n = t->hear(t->self, ms, &i, &w)); ms = 0) {
        struct member *m = &c->members[i];
        if (n == NEWS_LOST || !take(c, m, &w))
            lose(c, m, 1);
        tell_progress(c);
    }
}

// ---- handing out -----------------------------------------------------------

// Few at a time, so that nobody is left with a large share when the others
// are done; a long queue in larger portions.
static uint32_t portion(const struct crew *c, const struct queue *q)
{
    uint32_t n = q->units.list.n;
    return n ? 1 + n / (32 * c->n) : 0;
}

// The front of the queue holds what was split off first: the largest.
static void take_units(struct queue *q, struct work_list *out, uint32_t n)
{
    struct work *all = q->units.list.at;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&out->list, all[k]);
    q->units.list.n -= n;
    if (n)
        memmove(all, all + n, q->units.list.n * sizeof *all);
}

// The options less what was used up.
static struct crew_order next_order(struct crew *c, enum part part)
{
    struct crew_order order = {.options = *c->options,
                               .divisible = c->co->divisible && !c->undivided};
    struct explore_options *o = &order.options;
    double used = clock_now() - c->began;
    uint64_t made = explore_made(&c->out->result);
    if (o->seconds > 0)
        o->seconds = o->seconds > used ? o->seconds - used : 0.001;
    if (o->schedules)
        o->schedules = o->schedules > made ? o->schedules - made : 1;
    o->part = part;
    o->turn = c->orders++;
    return order;
}

static void begin_work(struct crew *c, struct member *m,
                       const struct crew_order *order)
{
    m->busy = true;
    m->began = m->heard = clock_now();
    crew_order_put(&c->message, order);
    give(c, m);
}

static void start(struct crew *c, struct member *m, struct queue *q)
{
    struct crew_order order = next_order(c, q->whole ? PART_ALL : PART_UNITS);
    idle(m);
    m->whole = q->whole;
    q->whole = false;
    take_units(q, &m->holds, m->whole ? 0 : portion(c, q));
    order.units = m->holds;
    begin_work(c, m, &order);
}

static void start_aside(struct crew *c, struct member *m)
{
    struct crew_order order = next_order(c, PART_STATES);
    idle(m);
    c->aside = false;
    m->aside = true;
    order.divisible = false;
    begin_work(c, m, &order);
}

static void hand_out(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct member *m = &c->members[i];
        bool isolated = has_work(&c->suspect);
        struct queue *q = isolated ? &c->suspect : &c->queue;
        if (m->busy || !has_work(q))
            continue;
        if (m->isolated != isolated)
            dismiss(c, m);
        if (!m->here && !hire(c, m, isolated))
            continue;
        if (c->aside && !isolated && !q->whole)
            start_aside(c, m);
        else
            start(c, m, q);
        if (busy(c) > c->out->workers)
            c->out->workers = busy(c);
    }
}

// ---- asking ----------------------------------------------------------------

static void ask_to_yield(struct crew *c, struct member *m)
{
    if (!m->busy || m->yielding)
        return;
    m->yielding = true;
    ask(c, m, WORD_YIELD);
}

static void ask_all_to_yield(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        ask_to_yield(c, &c->members[i]);
    c->yielded = clock_now();
}

// Somebody has nothing to do, and there is nothing but what others hold.
static bool wants_work(const struct crew *c)
{
    uint32_t n = busy(c);
    return c->co->divisible && !c->undivided && !has_work(&c->queue) &&
           !has_work(&c->suspect) && n && n < c->n;
}

// Small searches end before a second process would pay, and cutting what is
// left into units costs about as much as a thousand executions.
static bool want_split(const struct crew *c, double at)
{
    return wants_work(c) && at - c->began > 0.1 && at - c->yielded > 0.05;
}

enum { CHECKPOINT_SECONDS = 10, WRITE_SECONDS = 1, ISOLATED_SECONDS = 10 };

static double checkpoint_seconds(const struct crew *c)
{
    double own = c->co->checkpoint_seconds;
    return own > 0 ? own : CHECKPOINT_SECONDS;
}

static void ask_to_write(struct crew *c, double at)
{
    double every = checkpoint_seconds(c);
    if (every > WRITE_SECONDS)
        every = WRITE_SECONDS;
    if (!c->co->divisible || at - c->asked < every)
        return;
    c->asked = at;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].busy && !c->members[i].yielding)
            ask(c, &c->members[i], WORD_WRITE);
}

// What killed a worker is soon met again, or was not in the program: back to
// workers that are faster.
static void end_isolation(struct crew *c, double at)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->co->divisible && c->members[i].isolated &&
            at - c->members[i].began > ISOLATED_SECONDS)
            ask_to_yield(c, &c->members[i]);
}

// Once the search is to end, workers get less time to answer.
enum { LAST_WORDS_SECONDS = 3, HUNG_SECONDS = 60 };

static void drop_hung(struct crew *c, double at)
{
    double limit = c->co->hung_seconds > 0 ? c->co->hung_seconds : HUNG_SECONDS;
    if (c->ending && limit > LAST_WORDS_SECONDS)
        limit = LAST_WORDS_SECONDS;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].busy && at - c->members[i].heard > limit)
            lose(c, &c->members[i], HUNG_COUNTS);
}

// ---- checkpoints -----------------------------------------------------------

// The units of a checkpoint, borrowed; false if what a worker holds cannot be
// written as units yet.
static bool collect(const struct crew *c, struct crew_figures *f,
                    struct work_list *out)
{
    const struct work_list *from[CREW_MOST + 2] = {&c->queue.units,
                                                   &c->suspect.units};
    uint32_t n = 2;
    bool all = !c->queue.whole && !c->suspect.whole;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct member *m = &c->members[i];
        if (m->busy && (m->aside || m->discard))
            continue;
        if (m->busy && m->written)
            add_result(&f->result, &m->last.result);
        all &= !m->busy || m->written || !m->whole;
        if (m->busy)
            from[n++] = m->written ? &m->last.rest : &m->holds;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < from[i]->list.n; k++)
            vec_push(&out->list, from[i]->list.at[k]);
    return all;
}

static void checkpoint(struct crew *c)
{
    struct crew_figures f = *c->out;
    struct work_list units = {0};
    f.result.executions -= f.result.broken_off;
    f.result.broken_off = 0;
    if (collect(c, &f, &units)) {
        uint64_t n = shared_set_sum(c->finals).n;
        uint64_t *finals = need((n + 1) * sizeof *finals);
        struct crew_rest rest = {
            .units = units.list.at, .n_units = units.list.n, .finals = finals};
        rest.n_finals = shared_set_list(c->finals, finals, n);
        c->sink->checkpoint(c->sink->self, &f, &rest);
        free(finals);
    }
    vec_free(&units.list);
    c->checkpointed = clock_now();
}

static bool want_checkpoint(const struct crew *c, double at)
{
    return c->co->divisible && c->sink->checkpoint &&
           at - c->checkpointed > checkpoint_seconds(c);
}

// ---- the loop --------------------------------------------------------------

#define LATE_SECONDS 0.2 // after which a worker is told that time is up

static void look_at_clock(struct crew *c, double at)
{
    double limit = c->options->seconds;
    if (c->sink->stop && c->sink->stop(c->sink->self))
        end(c, STOP_ASKED);
    if (limit > 0 && at - c->began > limit + LATE_SECONDS)
        end(c, STOP_TIME);
    if (c->ending || want_split(c, at))
        ask_all_to_yield(c);
    if (c->ending)
        return;
    ask_to_write(c, at);
    end_isolation(c, at);
    if (want_checkpoint(c, at))
        checkpoint(c);
}

// All units are done: who searches states is not needed any more.
static void end_aside(struct crew *c)
{
    if (c->ending || c->why != STOP_DONE || has_work(&c->queue) ||
        has_work(&c->suspect))
        return;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].busy && !c->members[i].aside)
            return;
    end(c, STOP_DONE);
}

static bool goes_on(const struct crew *c)
{
    return busy(c) ||
           (!c->ending && (has_work(&c->queue) || has_work(&c->suspect)));
}

static void supervise(struct crew *c)
{
    while (goes_on(c)) {
        look_at_clock(c, clock_now());
        if (!c->ending)
            hand_out(c);
        hear(c);
        end_aside(c);
        tell_progress(c);
        drop_hung(c, clock_now());
    }
}

static void begin(struct crew *c)
{
    struct crew_figures *o = c->out;
    memset(o, 0, sizeof *o);
    if (c->co->before)
        *o = *c->co->before;
    c->why = o->result.cut ? STOP_STEPS : STOP_DONE;
    c->runs_gone = o->handler_runs;
    c->once_gone = o->runs_once;
    c->hits_gone = o->memo_hits;
    o->result.estimate = o->result.progress = -1;
    const struct crew_rest *rest = &c->co->rest;
    c->queue.whole = !rest->n_units && !c->co->before;
    for (uint32_t i = 0; i < rest->n_units; i++)
        work_list_add(&c->queue.units, rest->units[i].bytes,
                      rest->units[i].size);
    c->n = c->co->workers ? c->co->workers : 1;
    if (c->n > CREW_MOST)
        c->n = CREW_MOST;
    c->aside = c->co->aside && c->n > 1;
    for (uint64_t i = 0; i < rest->n_finals; i++)
        shared_set_add(c->finals, rest->finals[i]);
    c->began = c->checkpointed = c->asked = clock_now();
}

static void finish(struct crew *c)
{
    struct shared_sum sum = shared_set_sum(c->finals);
    struct explore_result *r = &c->out->result;
    refresh(c);
    if (c->why == STOP_DONE && r->cut)
        c->why = STOP_STEPS;
    r->stopped_by = c->why;
    r->complete = c->why == STOP_DONE;
    r->final_states = sum.n;
    r->finals_hash = sum.sum;
    r->more_final_states |= sum.more;
    if (c->co->divisible && c->sink->checkpoint)
        checkpoint(c);
}

void crew_supervise(const struct crew_transport *t, struct shared_set *finals,
                    const struct explore_options *o,
                    const struct crew_options *co, const struct crew_sink *sink,
                    struct crew_figures *out)
{
    struct crew *c = need_zero(sizeof *c);
    c->transport = t;
    c->finals = finals;
    c->options = o;
    c->co = co;
    c->sink = sink;
    c->out = out;
    begin(c);
    supervise(c);
    finish(c);
    for (uint32_t i = 0; i < c->n; i++)
        dismiss(c, &c->members[i]);
    work_list_free(&c->queue.units);
    work_list_free(&c->suspect.units);
    hashset_free(&c->bugs);
    text_free(&c->message);
    free(c);
}
