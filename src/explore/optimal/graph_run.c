// Runs and their clocks: what is known of a run whether or not it is in the
// graph.
//
// Clocks of all runs lie in one block, `stride` entries each, which grows with
// the actors that exist.  A clock is made when its run is, from the run before
// and the run that sent the message; neither changes while the run lives.
#include "explore/optimal/graph.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_STRIDE = 16, FIRST_ROOM = 64 };

void graph_init(struct graph *g, struct play *p, enum delivery d)
{
    *g = (struct graph){.play = p, .delivery = d, .open = NO_RUN};
    g->body = NO_RUN;
    g->stride = FIRST_STRIDE;
    g->room = FIRST_ROOM;
    g->clocks = need_zero((size_t)g->room * g->stride * sizeof *g->clocks);
    if (d == DELIVERY_CAUSAL)
        g->knows = need_zero((size_t)g->room * g->stride * sizeof *g->knows);
}

void graph_release(struct graph *g)
{
    for (uint32_t i = 0; i < g->actors.n; i++) {
        vec_free(&g->actors.at[i].runs);
        vec_free(&g->actors.at[i].entries);
        vec_free(&g->actors.at[i].early);
    }
    vec_free(&g->actors);
    vec_free(&g->runs);
    vec_free(&g->unused);
    vec_free(&g->order);
    vec_free(&g->ready);
    vec_free(&g->picks);
    free(g->clocks);
    free(g->knows);
}
// ---- actors ---------------------------------------------------------------

static void *resized(void *old, size_t size, const struct graph *g,
                     uint32_t stride, uint32_t room)
{
    char *new = need_zero((size_t)room * stride * size);
    for (uint32_t i = 0; i < g->runs.n; i++)
        memcpy(new + (size_t)i *stride *size,
               (char *)old + (size_t)i * g->stride * size, g->stride * size);
    free(old);
    return new;
}

static void resize_clocks(struct graph *g, uint32_t stride, uint32_t room)
{
    g->clocks = resized(g->clocks, sizeof *g->clocks, g, stride, room);
    if (g->knows)
        g->knows = resized(g->knows, sizeof *g->knows, g, stride, room);
    g->stride = stride;
    g->room = room;
}

struct inbox *graph_actor(struct graph *g, uint32_t actor)
{
    while (g->actors.n <= actor) {
        if (g->actors.n == g->stride)
            resize_clocks(g, g->stride * 2, g->room);
        if (g->actors.n % 64 == 0)
            vec_push(&g->ready, 0);
        vec_push(&g->actors,
                 ((struct inbox){.first = PLAY_NONE, .creator = NO_RUN}));
    }
    return &g->actors.at[actor];
}

// ---- runs -----------------------------------------------------------------

static uint32_t run_get(struct graph *g)
{
    if (g->unused.n)
        return vec_pop(&g->unused);
    if (g->runs.n == g->room)
        resize_clocks(g, g->stride, g->room * 2);
    vec_room(&g->runs, 1);
    return g->runs.n++;
}

void run_free(struct graph *g, uint32_t run)
{
    run_at(g, run)->actor = PLAY_NONE;
    vec_push(&g->unused, run);
}

typedef uint16_t lanes __attribute__((vector_size(16)));

enum { LANES = sizeof(lanes) / sizeof(uint16_t) };

static inline lanes load(const uint16_t *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

// The larger entries of two clocks; n is a multiple of LANES.
static void join(uint16_t *to, const uint16_t *a, const uint16_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += LANES) {
        lanes x = load(a + i), y = load(b + i);
        lanes larger = (lanes)(x > y);
        lanes v = (x & larger) | (y & ~larger);
        memcpy(to + i, &v, sizeof v);
    }
}

// A segment of the test body comes after everything.
static void clock_of_all(const struct graph *g, uint16_t *clock)
{
    for (uint32_t a = 0; a < g->actors.n; a++)
        clock[a] = (uint16_t)g->actors.at[a].runs.n;
}

static void set_clock(struct graph *g, uint32_t run)
{
    const struct run *r = run_at(g, run);
    const struct inbox *a = &g->actors.at[r->actor];
    uint16_t *clock = run_clock(g, run);
    uint32_t last = r->k ? a->runs.at[r->k - 1] : a->creator;
    if (is_body(r)) {
        memset(clock, 0, g->stride * sizeof *clock);
        clock_of_all(g, clock);
    } else {
        const uint16_t *before = run_clock(g, last);
        join(clock, before, r->from == NO_RUN ? before : run_clock(g, r->from),
             g->stride);
    }
    clock[r->actor] = (uint16_t)(r->k + 1);
}

static void learn(struct graph *g, uint32_t run, uint32_t from, uint32_t sends)
{
    uint32_t *knows = run_knows(g, run);
    const uint32_t *other = run_knows(g, from);
    uint32_t actor = run_at(g, from)->actor;
    for (uint32_t i = 0; i < g->stride; i++)
        knows[i] = knows[i] > other[i] ? knows[i] : other[i];
    if (knows[actor] < run_at(g, from)->sent + sends)
        knows[actor] = run_at(g, from)->sent + sends;
}

// causal: a segment of the test body knows of everything.
static void set_knows(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    const struct inbox *a = &g->actors.at[r->actor];
    memset(run_knows(g, run), 0, g->stride * sizeof *g->knows);
    if (r->k) {
        const struct run *last = run_at(g, a->runs.at[r->k - 1]);
        r->sent = last->sent + last->effect->n_sends;
        learn(g, run, a->runs.at[r->k - 1], last->effect->n_sends);
    } else if (a->creator != NO_RUN) {
        learn(g, run, a->creator, a->sends);
    }
    if (r->from != NO_RUN)
        learn(g, run, r->from, r->nth + 1);
    for (uint32_t i = 0; is_body(r) && i < g->actors.n; i++)
        if (g->actors.at[i].runs.n) {
            uint32_t q = vec_last(&g->actors.at[i].runs);
            learn(g, run, q, run_at(g, q)->effect->n_sends);
        }
}

uint32_t run_new(struct graph *g, uint32_t actor, uint32_t from, uint32_t nth,
                 uint32_t msg)
{
    uint32_t id = run_get(g);
    struct inbox *a = graph_actor(g, actor);
    uint32_t sender =
        from == NO_RUN ? actor : run_at(g, from)->effect->sends[nth].sender;
    *run_at(g, id) = (struct run){.actor = actor,
                                  .k = a->runs.n,
                                  .from = from,
                                  .nth = nth,
                                  .msg = msg,
                                  .sender = sender,
                                  .before = graph_state(g, actor),
                                  .at = NO_RUN,
                                  .r_at = NO_RUN,
                                  .b_at = NO_RUN,
                                  .picks = g->picks.n};
    set_clock(g, id);
    if (g->knows)
        set_knows(g, id);
    return id;
}

// The first k runs of the environment.
static uint32_t shared_after(const struct graph *g, uint32_t k)
{
    const struct inbox *env = &g->actors.at[PLAY_ENV];
    while (k-- > 0) {
        const struct run *q = run_at(g, env->runs.at[k]);
        if (is_body(q) && q->effect->flags & EFFECT_SHARED)
            return q->effect->shared;
    }
    return PLAY_NONE;
}

uint32_t graph_shared(const struct graph *g)
{
    return shared_after(g, g->actors.at[PLAY_ENV].runs.n);
}

static const struct effect *ask_body(struct graph *g, const struct run *r,
                                     const uint16_t *picks)
{
    if (r->before == PLAY_NONE)
        return play_body(g->play, PLAY_NONE, NULL, 0, NULL, 0, picks,
                         r->n_picks);
    const uint16_t *clock = run_clock(g, (uint32_t)(r - g->runs.at));
    uint32_t *states = need((g->actors.n + 1) * sizeof *states);
    for (uint32_t i = 0; i < g->actors.n; i++) {
        const struct inbox *a = &g->actors.at[i];
        uint32_t n = clock[i] - (i == PLAY_ENV ? 1u : 0u);
        states[i] = n ? run_at(g, a->runs.at[n - 1])->effect->state : a->first;
        if (a->creator != NO_RUN && !in_prefix(g, a->creator, clock))
            states[i] = PLAY_NONE;
    }
    uint32_t n = g->actors.n;
    while (n && states[n - 1] == PLAY_NONE)
        n--;
    const struct effect *e =
        play_body(g->play, r->before, states, n, NULL, 0, picks, r->n_picks);
    free(states);
    return e;
}

void run_ask(struct graph *g, uint32_t run)
{
    struct run *r = run_at(g, run);
    const uint16_t *picks = r->n_picks ? g->picks.at + r->picks : NULL;
    if (is_body(r)) {
        play_share(g->play, shared_after(g, r->k));
        r->effect = ask_body(g, r, picks);
    } else {
        r->effect =
            play_run(g->play, r->before, r->msg, r->sender, picks, r->n_picks);
    }
}
// ---- forgetting -----------------------------------------------------------

typedef VEC(uint32_t) ids;

static void keep_run(const struct run *r, ids *states, ids *msgs)
{
    if (r->before != PLAY_NONE)
        vec_push(states, r->before);
    if (r->from != NO_RUN)
        vec_push(msgs, r->msg);
    if (!r->settled)
        return;
    vec_push(states, r->effect->state);
    if (r->effect->flags & EFFECT_SHARED)
        vec_push(states, r->effect->shared);
    for (uint32_t i = 0; i < r->effect->n_births; i++)
        vec_push(states, r->effect->births[i].state);
    for (uint32_t i = 0; i < r->effect->n_sends; i++)
        vec_push(msgs, r->effect->sends[i].msg);
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void each_once(ids *v)
{
    uint32_t n = 0;
    if (v->n)
        qsort(v->at, v->n, sizeof *v->at, by_id);
    for (uint32_t i = 0; i < v->n; i++)
        if (!n || v->at[n - 1] != v->at[i])
            v->at[n++] = v->at[i];
    v->n = n;
}

// A body's effect is asked for again from the states of the runs before it, so
// in order of addition; runs out of the graph are never bodies.
void graph_forget(struct graph *g)
{
    ids states = {0}, msgs = {0};
    for (uint32_t i = 0; i < g->runs.n; i++)
        if (run_at(g, i)->actor != PLAY_NONE)
            keep_run(run_at(g, i), &states, &msgs);
    each_once(&states);
    each_once(&msgs);
    play_forget(g->play, states.at, states.n, msgs.at, msgs.n);
    for (uint32_t i = 0; i < g->runs.n; i++)
        if (run_at(g, i)->actor != PLAY_NONE && !is_body(run_at(g, i)))
            run_ask(g, i);
    for (uint32_t i = 0; i < g->order.n; i++)
        if (!(g->order.at[i] & 1) && is_body(run_at(g, g->order.at[i] / 2)))
            run_ask(g, g->order.at[i] / 2);
    vec_free(&states);
    vec_free(&msgs);
}
