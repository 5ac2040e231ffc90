// The supervisor's loop: hear workers, replace those that end or hang, hand
// units to idle ones, ask busy ones to yield or to write down what is left.
#include "crew/inner.h"

#include "base/clock.h"
#include "base/debug.h"
#include "base/die.h"
#include "base/hash.h"
#include "crew/shared_set.h"

#include <stdlib.h>
#include <string.h>

void crew_end(struct crew *c, enum stop why)
{
    if (c->ending)
        return;
    c->ending = true;
    c->why = why;
    c->ended = clock_now();
}

bool queue_has_work(const struct queue *q)
{
    return q->whole || q->units.list.n;
}

void work_list_move(struct work_list *to, struct work_list *from)
{
    for (uint32_t i = 0; i < from->list.n; i++)
        vec_push(&to->list, from->list.at[i]);
    vec_free(&from->list);
}

static int by_size(const void *a, const void *b)
{
    const struct work *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

// Merge two sorted lists in place, from the end.
static void merge(struct work_list *to, const struct work_list *from)
{
    struct work none = {0};
    uint32_t i = to->list.n, k = from->list.n;
    for (uint32_t n = 0; n < from->list.n; n++)
        vec_push(&to->list, none);
    for (uint32_t at = to->list.n; k;) {
        bool old = i && to->list.at[i - 1].size > from->list.at[k - 1].size;
        to->list.at[--at] = old ? to->list.at[--i] : from->list.at[--k];
    }
}

void queue_add(struct queue *q, struct work_list *from)
{
    if (!q->sorted) {
        work_list_move(&q->units, from);
        return;
    }
    if (from->list.n)
        qsort(from->list.at, from->list.n, sizeof *from->list.at, by_size);
    merge(&q->units, from);
    vec_free(&from->list);
}

uint64_t work_content(const struct work *w)
{
    return hash_bytes(w->bytes, w->size);
}

#define LATE_SECONDS 0.2 // after which a worker is told that time is up

static void look_at_clock(struct crew *c, double at)
{
    double limit = c->options->seconds;
    if (c->sink->stop && c->sink->stop(c->sink->self))
        crew_end(c, STOP_ASKED);
    if (limit > 0 && at - c->began > limit + LATE_SECONDS)
        crew_end(c, STOP_TIME);
    crew_ask(c, at);
    if (!c->ending)
        crew_keep(c, at);
}

// End the search if the bound on schedules is used up and no worker is busy.
static void end_used_up(struct crew *c)
{
    uint64_t most = c->options->schedules;
    if (c->places.far && most && !c->busy &&
        explore_made(&c->out->result) >= most)
        crew_end(c, STOP_SCHEDULES);
}

// If all units are done, the worker that searches states is not needed any
// more.
static void end_aside(struct crew *c)
{
    if (c->ending || c->why != STOP_DONE || queue_has_work(&c->queue) ||
        queue_has_work(&c->suspect))
        return;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->members[i].busy && !c->members[i].aside)
            return;
    crew_end(c, STOP_DONE);
}

static bool goes_on(const struct crew *c)
{
    return c->busy || (!c->ending && (queue_has_work(&c->queue) ||
                                      queue_has_work(&c->suspect)));
}

enum { LOOK_MS = 50, SOON_MS = 10 };

static void look_at_places(struct crew *c)
{
    const struct crew_transport *t = c->transport;
    c->places = t->look(t->self, c->queue.units.list.n);
}

enum { COMING_SECONDS = 900 };

// The time of the search begins when the first worker is there.
static void wait_for_first(struct crew *c, double at)
{
    bool nobody = c->places.far && !c->places.near && !c->places.cores;
    if (nobody && !c->out->far.most && !c->places.gone &&
        at - c->waited < COMING_SECONDS)
        c->began = at;
}

static void supervise(struct crew *c)
{
    while (goes_on(c)) {
        look_at_places(c);
        wait_for_first(c, clock_now());
        look_at_clock(c, clock_now());
        end_used_up(c);
        if (!c->ending)
            crew_hand_out(c);
        debug_check_some(c->orders, c->queue.units.list.n + c->n,
                         crew_check(c));
        crew_hear(c, crew_wants_work(c) ? SOON_MS : LOOK_MS);
        end_aside(c);
        figures_tell(c);
        crew_drop_hung(c, clock_now());
    }
    debug_check(crew_check(c));
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
    struct work_list units = {0};
    for (uint32_t i = 0; i < rest->n_units; i++)
        work_list_add(&units, rest->units[i].bytes, rest->units[i].size);
    look_at_places(c);
    c->queue.sorted = c->places.far > 0;
    c->out->far.most = 0; // of this search
    queue_add(&c->queue, &units);
    for (uint64_t i = 0; i < rest->n_finals; i++)
        shared_set_add(c->finals, rest->finals[i]);
    c->members = need_zero(CREW_PLACES * sizeof *c->members);
    c->n = c->places.near;
    c->aside = c->co->aside && c->n && c->n + c->places.far > 1;
    c->began = c->waited = c->checkpointed = c->asked = clock_now();
}

static void finish(struct crew *c)
{
    struct shared_sum sum = shared_set_sum(c->finals);
    struct explore_result *r = &c->out->result;
    figures_refresh(c);
    if (c->why == STOP_DONE && c->set_aside.list.n)
        c->why = STOP_ASIDE;
    if (c->why == STOP_DONE && r->cut)
        c->why = STOP_STEPS;
    if (c->why == STOP_DONE && c->co->samples)
        c->why = STOP_SCHEDULES;
    r->stopped_by = c->why;
    r->complete = c->why == STOP_DONE;
    r->final_states = sum.n;
    r->finals_hash = sum.sum;
    r->more_final_states |= sum.more;
    if (r->more_final_states)
        c->out->finals_about = shared_set_about(c->finals);
    crew_keep_all(c);
}

static void release(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        member_dismiss(c, &c->members[i]);
    free(c->members);
    work_list_free(&c->queue.units);
    work_list_free(&c->suspect.units);
    work_list_free(&c->set_aside);
    work_list_free(&c->changes.came);
    vec_free(&c->changes.gone);
    vec_free(&c->changes.finals);
    map_free(&c->deaths);
    hashset_free(&c->bugs);
    text_free(&c->message);
    free(c);
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
    release(c);
}
