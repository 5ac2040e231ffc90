// What is true of a graph between two nodes of the search, written as asserts:
// inboxes, clocks and the hash are compared with the order they follow from.
#include "explore/optimal/graph.h"

#include "explore/world.h"

#include <assert.h>

// A run whose receive is in the order but whose picks are not all made.
static bool is_asking(const struct run *r)
{
    return !r->settled;
}

// ---- runs -----------------------------------------------------------------

static bool holds(const uint16_t *larger, const uint16_t *smaller, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (larger[i] < smaller[i])
            return false;
    return true;
}

// A run knows itself, the run before it and the run that sent its message.
static void check_clock(const struct graph *g, uint32_t run)
{
    const struct run *r = run_at(g, run);
    const struct inbox *a = &g->actors.at[r->actor];
    const uint16_t *clock = run_clock(g, run);
    uint32_t before = r->k ? a->runs.at[r->k - 1] : a->creator;
    assert(clock[r->actor] == r->k + 1);
    if (before != NO_RUN)
        assert(holds(clock, run_clock(g, before), g->actors.n));
    if (r->from != NO_RUN)
        assert(holds(clock, run_clock(g, r->from), g->actors.n));
}

// The message of a run is an entry of its actor's inbox, which names the run.
static void check_message(const struct graph *g, uint32_t run)
{
    const struct run *r = run_at(g, run);
    const struct inbox *a = &g->actors.at[r->actor];
    if (r->from == NO_RUN) {
        assert(is_body(r) || play_is_timer(r->msg));
        return;
    }
    assert(r->at < a->entries.n);
    assert(a->entries.at[r->at].reader == run);
    assert(a->entries.at[r->at].run == r->from);
    assert(a->entries.at[r->at].nth == r->nth);
    assert(run_at(g, r->from)->effect->sends[r->nth].msg == r->msg);
}

static void check_event(const struct graph *g, uint32_t at)
{
    uint32_t event = g->order.at[at], run = event / 2;
    const struct run *r = run_at(g, run);
    assert(run < g->runs.n && r->actor < g->actors.n);
    if (event & 1) {
        assert(r->b_at == at && r->r_at < at && r->effect->n_sends);
        return;
    }
    assert(r->r_at == at && g->actors.at[r->actor].runs.at[r->k] == run);
    assert(is_asking(r) ? g->open == run : r->effect != NULL);
    assert(r->b_at != NO_RUN || !r->effect->n_sends || g->open == run);
    check_message(g, run);
    check_clock(g, run);
}

// ---- actors ---------------------------------------------------------------

static void check_entry(const struct graph *g, const struct inbox *a,
                        uint32_t i)
{
    const struct entry *e = &a->entries.at[i];
    const struct run *r = run_at(g, e->run);
    assert(r->b_at != NO_RUN && e->nth < r->effect->n_sends);
    assert(e->sender == r->effect->sends[e->nth].sender);
    assert(i >= a->head || e->reader != NO_RUN);
    assert(e->reader == NO_RUN || run_at(g, e->reader)->at == i);
}

static void check_inbox(const struct graph *g, const struct inbox *a)
{
    uint32_t unread = 0;
    for (uint32_t i = 0; i < a->entries.n; i++) {
        check_entry(g, a, i);
        unread += a->entries.at[i].reader == NO_RUN;
    }
    assert(a->unread == unread && !a->early.n);
    assert(a->head == a->entries.n ||
           (a->head < a->entries.n && a->entries.at[a->head].reader == NO_RUN));
}

static void check_actor(const struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    bool ready = g->ready.at[actor / 64] >> actor % 64 & 1;
    check_inbox(g, a);
    for (uint32_t k = 0; k < a->runs.n; k++) {
        const struct run *r = run_at(g, a->runs.at[k]);
        assert(r->actor == actor && r->k == k && r->r_at != NO_RUN);
        assert(!k || run_at(g, a->runs.at[k - 1])->r_at < r->r_at);
    }
    if (a->runs.n && is_asking(run_at(g, vec_last(&a->runs))))
        return;
    assert(a->timer == ((graph_flags(g, actor) & STATE_TIMER) != 0));
    assert(ready == (a->unread || a->timer));
}

// What an actor's state adds to the hash: of its last run that is settled.
static uint64_t part_of(const struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    uint32_t n = a->runs.n;
    if (n && is_asking(run_at(g, a->runs.at[n - 1])))
        n--;
    if (n)
        return run_at(g, a->runs.at[n - 1])->part;
    return actor != PLAY_ENV && is_born(g, actor) ? a->part : 0;
}

void graph_check(const struct graph *g)
{
    uint32_t receives = 0;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < g->order.n; i++) {
        check_event(g, i);
        receives +=
            !(g->order.at[i] & 1) && !is_body(run_at(g, g->order.at[i] / 2));
    }
    for (uint32_t a = 0; a < g->actors.n; a++) {
        check_actor(g, a);
        hash += part_of(g, a);
    }
    assert(g->receives == receives && g->hash == hash);
    assert(g->open == NO_RUN || run_at(g, g->open)->b_at == NO_RUN);
}
