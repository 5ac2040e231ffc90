// A graph as a schedule.
//
// Runs come out in order of addition as far as that is possible; a run whose
// past is not out yet waits for a later pass.  In `mailbox` its past includes
// what is queued before its sends.  A porf-closed part of a graph can be
// scheduled alone: what was queued before a received message was received too.
#include "explore/optimal/graph.h"

#include "base/die.h"
#include "explore/world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct linear {
    const struct graph *g;
    const uint16_t *within; // clock of the part, NULL: all
    uint32_t *done;         // runs that are out, per actor
    uint32_t *step;         // per run of the pool
    struct schedule *out;
};

static bool is_out(const struct linear *l, uint32_t q)
{
    return run_at(l->g, q)->k < l->done[run_at(l->g, q)->actor];
}

static bool is_part(const struct linear *l, uint32_t q)
{
    return !l->within || in_prefix(l->g, q, l->within);
}

static bool all_out(const struct linear *l, const struct run *body)
{
    const uint16_t *clock = run_clock(l->g, (uint32_t)(body - l->g->runs.at));
    for (uint32_t a = 0; a < l->g->actors.n; a++)
        if (l->done[a] + (a == PLAY_ENV) < clock[a])
            return false;
    return true;
}

// Is everything out that is queued before the sends of q?
static bool queue_is_out(const struct linear *l, uint32_t q)
{
    const struct effect *f = run_at(l->g, q)->effect;
    for (uint32_t i = 0; i < f->n_sends; i++) {
        if (!is_born(l->g, f->sends[i].to))
            continue;
        const struct entry *t = l->g->actors.at[f->sends[i].to].entries.at;
        for (; t->run != q; t++)
            if (is_part(l, t->run) && !is_out(l, t->run))
                return false;
    }
    return true;
}

static bool can_go(const struct linear *l, uint32_t q)
{
    const struct run *r = run_at(l->g, q);
    const struct inbox *a = &l->g->actors.at[r->actor];
    if (l->done[r->actor] != r->k)
        return false;
    if (is_body(r) && !all_out(l, r))
        return false;
    if (r->from != NO_RUN && !is_out(l, r->from))
        return false;
    if (!r->k && a->creator != NO_RUN && !is_out(l, a->creator))
        return false;
    return l->g->delivery != DELIVERY_MAILBOX || r->b_at == NO_RUN ||
           queue_is_out(l, q);
}

static void put(struct linear *l, uint32_t q)
{
    const struct run *r = run_at(l->g, q);
    struct step s = {.actor = r->actor,
                     .msg = r->msg,
                     .sender = r->sender,
                     .source = PLAY_NONE,
                     .n_picks = r->n_picks};
    if (r->from != NO_RUN) {
        s.source = l->step[r->from];
        s.nth = r->nth;
    } else if (play_is_timer(r->msg)) {
        s.nth = timer_number(l->g->play, r->before, r->msg);
    }
    l->step[q] = l->out->steps.n;
    l->done[r->actor]++;
    schedule_add(l->out, s, r->n_picks ? l->g->picks.at + r->picks : NULL);
}

// One pass over the order; false when nothing is left to put out.
static bool pass(struct linear *l)
{
    bool left = false, moved = false;
    for (uint32_t i = 0; i < l->g->order.n; i++) {
        uint32_t event = l->g->order.at[i], q = event / 2;
        if (event & 1 || !is_part(l, q) || is_out(l, q))
            continue;
        if (can_go(l, q)) {
            put(l, q);
            moved = true;
        } else {
            left = true;
        }
    }
    assert(moved || !left);
    return left;
}

static void schedule(const struct graph *g, const uint16_t *within,
                     uint32_t last, struct schedule *out)
{
    struct linear l = {.g = g, .within = within, .out = out};
    l.done = need_zero((g->actors.n + 1) * sizeof *l.done);
    l.step = need((g->runs.n + 1) * sizeof *l.step);
    schedule_clear(out);
    while (pass(&l))
        ;
    if (last != NO_RUN)
        put(&l, last);
    free(l.done);
    free(l.step);
}

void graph_schedule(const struct graph *g, uint32_t run, struct schedule *out)
{
    schedule(g, run == NO_RUN ? NULL : run_clock(g, run), NO_RUN, out);
}

void graph_schedule_part(const struct graph *g, const uint16_t *within,
                         uint32_t last, struct schedule *out)
{
    schedule(g, within, last, out);
}

uint32_t graph_states(const struct graph *g, uint32_t *states, uint32_t room)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < g->actors.n && a < room; a++) {
        states[a] = is_born(g, a) ? graph_state(g, a) : PLAY_NONE;
        if (states[a] != PLAY_NONE)
            n = a + 1;
    }
    return n;
}
