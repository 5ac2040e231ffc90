// Linking events into the order and taking them out.
//
// Everything here is last in, first out: the state of inboxes, births, hashes
// and the ready set is a function of the order, and graph_pop() undoes exactly
// what the matching push did.  Indices into inboxes move when a revisit drops
// entries, so a receive looks its entry up again when it is put back, starting
// at its old index.  A receive may come before the send it reads; until that
// is added it waits in `early`.
#include "explore/optimal/graph.h"

#include "explore/world.h"

#include <assert.h>

// ---- actors ---------------------------------------------------------------

uint32_t graph_state(const struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    return a->runs.n ? run_at(g, vec_last(&a->runs))->effect->state : a->first;
}

static uint64_t graph_part(const struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    return a->runs.n ? run_at(g, vec_last(&a->runs))->part : a->part;
}

uint64_t graph_final_hash(const struct graph *g)
{
    uint64_t hash = g->hash;
    for (uint32_t a = 0; a < g->actors.n; a++)
        if (graph_flags(g, a) & STATE_TIMED)
            hash += world_part(play_final_hash(g->play, graph_state(g, a), 0),
                               g->actors.at[a].name)
                        .low -
                    graph_part(g, a);
    return hash;
}

static inline void set_ready(struct graph *g, uint32_t actor, bool ready)
{
    uint64_t bit = 1ull << (actor & 63);
    uint64_t *word = &g->ready.at[actor >> 6];
    *word = ready ? *word | bit : *word & ~bit;
}

void graph_update_ready(struct graph *g, uint32_t actor)
{
    const struct inbox *a = &g->actors.at[actor];
    set_ready(g, actor, a->unread || a->timer);
}

// ---- receives -------------------------------------------------------------

static bool is_entry(const struct inbox *a, uint32_t i, const struct run *r)
{
    return a->entries.at[i].run == r->from && a->entries.at[i].nth == r->nth;
}

// Mostly it is where it was, or a little before or after.
static uint32_t find_entry(const struct inbox *a, const struct run *r)
{
    uint32_t start = r->at < a->entries.n ? r->at + 1 : a->entries.n;
    for (uint32_t i = start; i-- > 0;)
        if (is_entry(a, i, r))
            return i;
    for (uint32_t i = start; i < a->entries.n; i++)
        if (is_entry(a, i, r))
            return i;
    return NO_RUN;
}

static void read_entry(struct inbox *a, uint32_t i, uint32_t run)
{
    a->entries.at[i].reader = run;
    a->unread--;
    while (a->head < a->entries.n && a->entries.at[a->head].reader != NO_RUN)
        a->head++;
}

static void unread_entry(struct inbox *a, uint32_t i)
{
    a->entries.at[i].reader = NO_RUN;
    a->unread++;
    if (i < a->head)
        a->head = i;
}

// Default: the first message unread, or the first timer that may fire if there
// is none.  What was not in the order yet may still be in the prefix of a
// revisiting send.
static enum maximal default_of(const struct graph *g, const struct inbox *a,
                               const struct run *r)
{
    if (is_body(r) || (play_is_timer(r->msg) && play_timer_index(r->msg)))
        return MAXIMAL_NO;
    if (g->delivery == DELIVERY_MAILBOX && r->from != NO_RUN)
        return run_at(g, r->from)->b_at != NO_RUN ? MAXIMAL_YES : MAXIMAL_ASK;
    if (r->at == NO_RUN)
        return g->delivery != DELIVERY_MAILBOX && a->unread ? MAXIMAL_NO
                                                            : MAXIMAL_ASK;
    return r->at == a->head ? MAXIMAL_YES : MAXIMAL_NO;
}

static void take_message(struct graph *g, struct inbox *a, uint32_t run,
                         uint32_t at)
{
    struct run *r = run_at(g, run);
    if (g->delivery == DELIVERY_MAILBOX)
        at = a->head;
    assert(at == NO_RUN || is_entry(a, at, r));
    r->at = at != NO_RUN ? at : find_entry(a, r);
    r->maximal = default_of(g, a, r);
    if (r->at != NO_RUN)
        read_entry(a, r->at, run);
    else
        vec_push(&a->early, run);
}

void graph_link(struct graph *g, uint32_t run, uint32_t at)
{
    struct run *r = run_at(g, run);
    struct inbox *a = &g->actors.at[r->actor];
    assert(a->runs.n == r->k);
    r->r_at = g->order.n;
    vec_push(&g->order, run * 2);
    if (r->from != NO_RUN)
        take_message(g, a, run, at);
    else
        r->maximal = default_of(g, a, r);
    if (!is_body(r))
        g->receives++;
    vec_push(&a->runs, run);
}

static void remove_early(struct inbox *a, uint32_t run)
{
    uint32_t i = 0;
    while (a->early.at[i] != run)
        i++;
    a->early.at[i] = vec_last(&a->early);
    a->early.n--;
}

static void unlink_receive(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    struct inbox *a = &g->actors.at[r->actor];
    debug_assert(vec_last(&g->order) == run * 2);
    a->runs.n--;
    if (r->from != NO_RUN && r->at != NO_RUN)
        unread_entry(a, r->at);
    else if (r->from != NO_RUN)
        remove_early(a, run);
    if (!is_body(r))
        g->receives--;
    g->order.n--;
    r->r_at = NO_RUN;
    a->timer = graph_flags(g, r->actor) & STATE_TIMER;
    graph_update_ready(g, r->actor);
}

// ---- effects --------------------------------------------------------------

static void bear(struct graph *g, uint32_t run, uint32_t nth)
{
    const struct birth *b = &run_at(g, run)->effect->births[nth];
    struct inbox *a = graph_actor(g, b->actor);
    const struct play_state *s = play_state(g->play, b->state);
    a->first = b->state;
    a->creator = run;
    a->sends = b->sends;
    a->born = (uint64_t)run_at(g, run)->r_at << 32 | (nth + 1);
    a->flags = s->flags;
    a->timer = s->flags & STATE_TIMER;
    a->name = play_actor_hash(g->play, b->actor);
    a->part = world_part(s->hash, a->name).low;
    g->hash += a->part;
    graph_update_ready(g, b->actor);
}

static void unbear(struct graph *g, const struct birth *b)
{
    struct inbox *a = &g->actors.at[b->actor];
    g->hash -= a->part;
    a->first = PLAY_NONE;
    a->creator = NO_RUN;
    a->flags = 0;
    a->timer = false;
    set_ready(g, b->actor, false);
}

// The test body itself is never born: its part counts from its first segment.
static uint64_t part_before(const struct graph *g, const struct inbox *a,
                            const struct run *r)
{
    if (r->k)
        return run_at(g, a->runs.at[r->k - 1])->part;
    return is_body(r) ? 0 : a->part;
}

static void begin_segment(struct graph *g, uint32_t run)
{
    if (!run_at(g, run)->k)
        g->actors.at[PLAY_ENV].first = run_at(g, run)->effect->state;
    g->body = run;
    g->floor = g->order.n;
}

static void end_segment(struct graph *g, uint32_t run)
{
    const struct inbox *env = &g->actors.at[PLAY_ENV];
    uint32_t k = run_at(g, run)->k;
    g->body = NO_RUN;
    g->floor = 0;
    if (!k)
        g->actors.at[PLAY_ENV].first = PLAY_NONE;
    while (k-- > 0) {
        if (!is_body(run_at(g, env->runs.at[k])))
            continue;
        g->body = env->runs.at[k];
        g->floor = run_at(g, g->body)->r_at + 1;
        return;
    }
}

// What settling needs, once for a run.
static void look_at_state(struct graph *g, struct run *r)
{
    const struct play_state *s = play_state(g->play, r->effect->state);
    struct inbox *a = &g->actors.at[r->actor];
    if (is_body(r) && !r->k)
        a->name = play_actor_hash(g->play, r->actor);
    r->flags = s->flags;
    r->part = world_part(s->hash, a->name).low;
    r->delta = r->part - part_before(g, a, r);
    r->settled = true;
}

void graph_settle(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    const struct effect *e = r->effect;
    if (!r->settled)
        look_at_state(g, r);
    g->hash += r->delta;
    g->actors.at[r->actor].timer = r->flags & STATE_TIMER;
    graph_update_ready(g, r->actor);
    for (uint32_t i = 0; i < e->n_births; i++)
        bear(g, run, i);
    if (is_body(r))
        begin_segment(g, run);
}

void graph_unsettle(struct graph *g, uint32_t run)
{
    const struct run *r = run_at(g, run);
    const struct effect *e = r->effect;
    for (uint32_t i = e->n_births; i-- > 0;)
        unbear(g, &e->births[i]);
    g->hash -= r->delta;
    if (is_body(r))
        end_segment(g, run);
}

// ---- sends ----------------------------------------------------------------

static uint32_t take_early(const struct graph *g, struct inbox *a, uint32_t run,
                           uint32_t nth)
{
    for (uint32_t i = 0; i < a->early.n; i++) {
        uint32_t q = a->early.at[i];
        if (run_at(g, q)->from != run || run_at(g, q)->nth != nth)
            continue;
        a->early.at[i] = vec_last(&a->early);
        a->early.n--;
        return q;
    }
    return NO_RUN;
}

static void add_entry(struct graph *g, const struct send *s, uint32_t run,
                      uint32_t nth)
{
    struct inbox *a = &g->actors.at[s->to];
    uint32_t reader = a->early.n ? take_early(g, a, run, nth) : NO_RUN;
    uint32_t i = a->entries.n;
    vec_push(&a->entries, ((struct entry){run, nth, s->sender, NO_RUN}));
    a->unread++;
    if (reader != NO_RUN) {
        run_at(g, reader)->at = i;
        run_at(g, run)->early = true;
        read_entry(a, i, reader);
    }
    graph_update_ready(g, s->to);
}

static void drop_entry(struct graph *g, uint32_t to)
{
    struct inbox *a = &g->actors.at[to];
    struct entry e = vec_pop(&a->entries);
    if (e.reader == NO_RUN) {
        a->unread--;
    } else {
        run_at(g, e.reader)->at = NO_RUN;
        vec_push(&a->early, e.reader);
    }
    if (a->head > a->entries.n)
        a->head = a->entries.n;
    graph_update_ready(g, to);
}

void graph_link_sends(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    const struct effect *e = r->effect;
    r->b_at = g->order.n;
    r->early = false;
    vec_push(&g->order, run * 2 + 1);
    if (g->delivery == DELIVERY_MAILBOX)
        return;
    for (uint32_t i = 0; i < e->n_sends; i++)
        if (is_born(g, e->sends[i].to))
            add_entry(g, &e->sends[i], run, i);
}

void graph_unlink_sends(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    const struct effect *e = r->effect;
    debug_assert(vec_last(&g->order) == run * 2 + 1);
    r->b_at = NO_RUN;
    g->order.n--;
    if (g->delivery == DELIVERY_MAILBOX)
        return;
    for (uint32_t i = e->n_sends; i-- > 0;)
        if (is_born(g, e->sends[i].to))
            drop_entry(g, e->sends[i].to);
}

uint32_t graph_pop(struct graph *g)
{
    assert(g->order.n);
    uint32_t event = vec_last(&g->order);
    if (event & 1) {
        graph_unlink_sends(g, event / 2);
    } else {
        if (run_at(g, event / 2)->settled)
            graph_unsettle(g, event / 2);
        unlink_receive(g, event / 2);
    }
    return event;
}

void graph_push(struct graph *g, uint32_t event)
{
    if (event & 1) {
        graph_link_sends(g, event / 2);
    } else {
        graph_link(g, event / 2, NO_RUN);
        graph_settle(g, event / 2);
    }
}
