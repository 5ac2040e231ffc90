// Searches as units of work, and back.
//
// A unit is the remaining children of one node.  To give one away the path is
// taken back to the root and followed again; this is rare.
//
// To build the graph of a unit its runs are first made in an order in which
// they can happen, as under `any`, so that effects, clocks and births come out;
// then all events are taken out and put in again in the order of addition.
#include "explore/optimal_search.h"
#include "explore/unit.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };
enum { BY_BODY, BY_TIMER, BY_MESSAGE };

// ---- writing --------------------------------------------------------------

struct writer {
    struct unit *u;
    const struct graph *g;
    uint32_t *number; // of each run of the pool, by receives in the order
};

static void put_run(const struct writer *w, uint32_t run)
{
    const struct graph *g = w->g;
    const struct run *r = run_at(g, run);
    unit_put(w->u, is_body(r)          ? BY_BODY
                   : r->from == NO_RUN ? BY_TIMER
                                       : BY_MESSAGE);
    unit_put_hash(w->u, g->actors.at[r->actor].name);
    if (r->from != NO_RUN) {
        unit_put(w->u, w->number[r->from]);
        unit_put(w->u, r->nth);
    }
    unit_put(w->u, r->n_picks);
    for (uint32_t i = 0; i < r->n_picks; i++)
        unit_put(w->u, g->picks.at[r->picks + i]);
    unit_put(w->u, r->settled);
    if (r->settled)
        unit_put_hash(w->u, r->part);
}

static void put_inbox(const struct writer *w, const struct inbox *a)
{
    unit_put_hash(w->u, a->name);
    unit_put(w->u, a->entries.n);
    for (uint32_t i = 0; i < a->entries.n; i++) {
        unit_put(w->u, w->number[a->entries.at[i].run]);
        unit_put(w->u, a->entries.at[i].nth);
    }
}

static void put_inboxes(const struct writer *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->g->actors.n; i++)
        n += w->g->actors.at[i].entries.n != 0;
    unit_put(w->u, n);
    for (uint32_t i = 0; i < w->g->actors.n; i++)
        if (w->g->actors.at[i].entries.n)
            put_inbox(w, &w->g->actors.at[i]);
}

static void put_node(const struct writer *w, const struct path *p,
                     const struct node *f)
{
    unit_put(w->u, f->kind);
    unit_put(w->u, f->begun);
    if (f->kind == NODE_RECEIVE)
        unit_put_hash(w->u, w->g->actors.at[f->of].name);
    unit_put(w->u, (uint32_t)(f->pos + 2)); // small for NO_RUN and PLAY_TIMER
    unit_put(w->u, f->nth);
    unit_put(w->u, f->n);
    for (uint32_t i = 0; f->kind == NODE_SENDS && i < f->n; i++)
        unit_put(w->u, p->places.at[f->places + i].at);
}

// The present graph, which is the node's, and the node.
static void put_unit(const struct path *p, const struct node *f, struct unit *u)
{
    const struct graph *g = &p->graph;
    struct writer w = {.u = u, .g = g};
    w.number = need_zero((g->runs.n + 1) * sizeof *w.number);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->order.n; i++)
        if (!(g->order.at[i] & 1))
            w.number[g->order.at[i] / 2] = n++;
    unit_put(u, VERSION);
    unit_put(u, g->delivery);
    unit_put(u, n);
    for (uint32_t i = 0; i < g->order.n; i++)
        if (!(g->order.at[i] & 1))
            put_run(&w, g->order.at[i] / 2);
    unit_put(u, g->order.n);
    for (uint32_t i = 0; i < g->order.n; i++)
        unit_put(u, w.number[g->order.at[i] / 2] * 2 + (g->order.at[i] & 1));
    if (g->delivery == DELIVERY_MAILBOX)
        put_inboxes(&w);
    put_node(&w, p, f);
    free(w.number);
}

bool optimal_split(struct optimal *o, struct unit *out)
{
    struct path *p = &o->path;
    bool found = false;
    path_back(p, 0);
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        struct node *f = &p->nodes.at[i];
        if (!found && !f->closed && node_has_more(p, f)) {
            put_unit(p, f, out);
            found = f->closed = true;
        }
        path_step_again(p, i);
    }
    return found;
}

// ---- reading --------------------------------------------------------------

// A run as the unit has it.
struct made {
    uint32_t kind, from, nth, picks, n_picks;
    uint64_t actor, part;
    bool settled, sends; // its B is in the order
    uint32_t run;        // in the pool, NO_RUN: not made yet
};

struct queued {
    uint32_t actor;
    struct entry entry;
};

struct reader {
    struct unit_reader in;
    struct graph *g;
    VEC(struct made) runs;
    VEC(uint16_t) picks;
    VEC(uint32_t) order;
    VEC(struct queued) queued;
};

static void get_run(struct reader *r, uint32_t n)
{
    struct made m = {.run = NO_RUN, .picks = r->picks.n};
    m.kind = unit_get_below(&r->in, BY_MESSAGE + 1);
    m.actor = unit_get_hash(&r->in);
    if (m.kind == BY_MESSAGE) {
        m.from = unit_get_below(&r->in, n);
        m.nth = unit_get_below(&r->in, UINT16_MAX);
    }
    m.n_picks = unit_get_below(&r->in, UINT16_MAX);
    for (uint32_t i = 0; i < m.n_picks && !r->in.bad; i++)
        vec_push(&r->picks, (uint16_t)unit_get_below(&r->in, UINT16_MAX));
    m.settled = unit_get_below(&r->in, 2);
    if (m.settled)
        m.part = unit_get_hash(&r->in);
    vec_push(&r->runs, m);
}

static void get_graph(struct reader *r)
{
    uint32_t n = unit_get_below(&r->in, 1u << 24);
    for (uint32_t i = 0; i < n && !r->in.bad; i++)
        get_run(r, n);
    uint32_t events = unit_get_below(&r->in, 1u << 25);
    for (uint32_t i = 0; i < events && !r->in.bad; i++) {
        uint32_t event = unit_get_below(&r->in, 2ull * n);
        vec_push(&r->order, event);
        if (!r->in.bad && event & 1)
            r->runs.at[event / 2].sends = true;
    }
}

static uint32_t actor_named(const struct graph *g, uint64_t name)
{
    for (uint32_t a = 0; a < g->actors.n; a++)
        if (g->actors.at[a].name == name && is_born(g, a))
            return a;
    return PLAY_NONE;
}

// The message of a run: true if it fits the actor.
static bool message_of(const struct reader *r, const struct made *m,
                       uint32_t actor, uint32_t *from, uint32_t *msg)
{
    if (m->kind != BY_MESSAGE) {
        *from = NO_RUN;
        *msg = m->kind == BY_BODY ? PLAY_NONE : PLAY_TIMER;
        return m->kind != BY_TIMER || graph_flags(r->g, actor) & STATE_TIMER;
    }
    *from = r->runs.at[m->from].run;
    const struct effect *e = run_at(r->g, *from)->effect;
    if (m->nth >= e->n_sends || e->sends[m->nth].to != actor)
        return false;
    *msg = e->sends[m->nth].msg;
    return true;
}

static void give_picks(struct reader *r, const struct made *m)
{
    struct graph *g = r->g;
    struct run *q = run_at(g, m->run);
    q->picks = g->picks.n;
    q->n_picks = m->n_picks;
    for (uint32_t i = 0; i < m->n_picks; i++) {
        vec_push(&g->picks, r->picks.at[m->picks + i]);
        q->picked |= r->picks.at[m->picks + i] != 0;
    }
}

// Make a run whose past is there.
static bool make_run(struct reader *r, struct made *m)
{
    struct graph *g = r->g;
    uint32_t from, msg, actor = PLAY_ENV;
    if (m->kind != BY_BODY)
        actor = actor_named(g, m->actor);
    if (actor == PLAY_NONE || !message_of(r, m, actor, &from, &msg))
        return false;
    m->run = run_new(g, actor, from, m->nth, msg);
    graph_link(g, m->run, NO_RUN);
    give_picks(r, m);
    run_ask(g, m->run);
    const struct effect *e = run_at(g, m->run)->effect;
    if (m->settled == !!(e->flags & EFFECT_PICK))
        return false;
    if (m->settled) {
        graph_settle(g, m->run);
        if (run_at(g, m->run)->part != m->part)
            return false;
    }
    if (m->sends)
        graph_link_sends(g, m->run);
    return true;
}

// Is the past of run i there?  A body needs all before it in the order, others
// the run that sent the message and the earlier runs of their actor.
static bool can_make(const struct reader *r, uint32_t i)
{
    const struct made *m = &r->runs.at[i];
    if (m->kind == BY_MESSAGE && r->runs.at[m->from].run == NO_RUN)
        return false;
    for (uint32_t j = 0; j < i; j++)
        if (r->runs.at[j].run == NO_RUN &&
            (m->kind == BY_BODY || r->runs.at[j].actor == m->actor))
            return false;
    return m->kind == BY_BODY || actor_named(r->g, m->actor) != PLAY_NONE;
}

static bool make_runs(struct reader *r)
{
    for (uint32_t left = r->runs.n; left;) {
        uint32_t before = left;
        for (uint32_t i = 0; i < r->runs.n; i++) {
            struct made *m = &r->runs.at[i];
            if (m->run != NO_RUN || !can_make(r, i))
                continue;
            if (!make_run(r, m))
                return false;
            left--;
        }
        if (left == before)
            return false;
    }
    return true;
}

static bool get_inbox(struct reader *r)
{
    uint32_t actor = actor_named(r->g, unit_get_hash(&r->in));
    uint32_t n = unit_get_below(&r->in, 1u << 24);
    if (actor == PLAY_NONE)
        return false;
    for (uint32_t i = 0; i < n && !r->in.bad; i++) {
        uint32_t from = unit_get_below(&r->in, r->runs.n);
        uint32_t nth = unit_get_below(&r->in, UINT16_MAX);
        if (r->in.bad)
            return false;
        struct entry t = {r->runs.at[from].run, nth, NO_RUN};
        vec_push(&r->queued, ((struct queued){actor, t}));
    }
    return !r->in.bad;
}

static bool get_inboxes(struct reader *r)
{
    uint32_t n = unit_get_below(&r->in, r->g->actors.n + 1u);
    while (n-- > 0)
        if (!get_inbox(r))
            return false;
    return !r->in.bad;
}

// `mailbox`: inboxes are as they are, whatever is in the order.
static void fill_inboxes(struct reader *r)
{
    for (uint32_t i = 0; i < r->queued.n; i++) {
        struct inbox *a = &r->g->actors.at[r->queued.at[i].actor];
        vec_push(&a->entries, r->queued.at[i].entry);
        a->unread++;
    }
}

static void put_event(struct reader *r, const struct made *m, bool sends)
{
    struct graph *g = r->g;
    if (sends) {
        graph_link_sends(g, m->run);
        return;
    }
    graph_link(g, m->run, NO_RUN);
    if (m->settled)
        graph_settle(g, m->run);
    const struct effect *e = run_at(g, m->run)->effect;
    if (!m->settled || (e->n_sends && !m->sends))
        g->open = m->run;
}

// Take all events out and put them in again in their order.
static bool arrange(struct reader *r, enum delivery d)
{
    if (d == DELIVERY_MAILBOX && !get_inboxes(r))
        return false;
    while (r->g->order.n)
        graph_pop(r->g);
    r->g->delivery = d;
    fill_inboxes(r);
    for (uint32_t i = 0; i < r->order.n; i++) {
        uint32_t event = r->order.at[i];
        put_event(r, &r->runs.at[event / 2], event & 1);
    }
    return true;
}

static bool get_node(struct reader *r, struct path *p)
{
    struct node f = {.made = NO_RUN, .sender = NO_RUN, .of = p->graph.open};
    f.kind = unit_get_below(&r->in, NODE_BODY + 1);
    f.begun = unit_get_below(&r->in, 2);
    if (f.kind == NODE_RECEIVE)
        f.of = actor_named(&p->graph, unit_get_hash(&r->in));
    f.pos = (uint32_t)unit_get(&r->in) - 2;
    f.nth = unit_get_below(&r->in, UINT16_MAX);
    f.n = unit_get_below(&r->in, UINT16_MAX);
    if (r->in.bad || (f.of == PLAY_NONE && f.kind != NODE_BODY))
        return false;
    if (f.kind == NODE_SENDS && p->graph.delivery == DELIVERY_MAILBOX) {
        mail_targets(&p->graph, f.of, &p->places);
        if (p->places.n != f.n)
            return false;
        for (uint32_t i = 0; i < f.n; i++)
            p->places.at[i].at = unit_get_below(&r->in, 1u << 24);
    }
    vec_push(&p->nodes, f);
    return !r->in.bad && r->in.at == r->in.end;
}

static bool load(struct reader *r, struct path *p, enum delivery d)
{
    if (unit_get(&r->in) != VERSION || unit_get(&r->in) != d)
        return false;
    get_graph(r);
    if (r->in.bad)
        return false;
    r->g->delivery = DELIVERY_ANY;
    return make_runs(r) && arrange(r, d) && get_node(r, p);
}

struct optimal *optimal_of_unit(struct search *s, const struct unit *u)
{
    struct optimal *o = optimal_empty(s);
    struct reader r = {.in = unit_read(u), .g = &o->path.graph};
    bool fits = load(&r, &o->path, s->options->delivery);
    vec_free(&r.runs);
    vec_free(&r.picks);
    vec_free(&r.order);
    vec_free(&r.queued);
    if (fits)
        return o;
    optimal_free(o);
    return NULL;
}
