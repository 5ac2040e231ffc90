// The way to a child and back.
//
// A revisit by the sends of run e: take every event from the order down to the
// receive r, put r back with its new message as a new run, put those back that
// are in the porf-prefix of e, then the sends of e.  The handler results and
// clocks of what is kept stay valid.  The events taken out wait on a stack, and
// their runs in the pool, until the revisit is undone.
#include "explore/optimal/node.h"

#include <assert.h>

#define check_some(p)                                                          \
    debug_check_some((p)->nodes.n, (p)->graph.order.n + (p)->graph.actors.n,   \
                     graph_check(&(p)->graph))

// The effect of a run is known: it stays open for its sends, or for picks.
static void answer(struct path *p, uint32_t run)
{
    struct graph *g = &p->graph;
    run_ask(g, run);
    const struct effect *e = run_at(g, run)->effect;
    bool pick = e->flags & EFFECT_PICK;
    g->open = pick || e->n_sends ? run : NO_RUN;
    if (!pick)
        graph_settle(g, run);
}

static void apply_receive(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    if (f->kind == NODE_BODY) {
        f->made = run_new(g, PLAY_ENV, NO_RUN, 0, PLAY_NONE);
        graph_link(g, f->made, NO_RUN);
    } else if (play_is_timer(f->pos)) {
        f->made = run_new(g, f->of, NO_RUN, 0, f->pos);
        graph_link(g, f->made, NO_RUN);
    } else {
        struct entry t = g->actors.at[f->of].entries.at[f->pos];
        f->made = run_new(g, f->of, t.run, t.nth,
                          run_at(g, t.run)->effect->sends[t.nth].msg);
        graph_link(g, f->made, f->pos);
    }
    answer(p, f->made);
}

static void undo_receive(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    graph_pop(g);
    run_free(g, f->made);
    f->made = NO_RUN;
    g->open = NO_RUN;
}

static void apply_pick(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    struct run *r = run_at(g, f->of);
    vec_push(&g->picks, (uint16_t)f->pos);
    if (!r->n_picks)
        r->picks = g->picks.n - 1;
    r->n_picks++;
    r->picked |= f->pos != 0;
    answer(p, f->of);
}

static void undo_pick(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    struct run *r = run_at(g, f->of);
    if (r->settled)
        graph_unsettle(g, f->of);
    r->settled = false;
    r->flags = 0;
    g->picks.n--;
    r->n_picks--;
    r->picked = false;
    for (uint32_t i = 0; i < r->n_picks; i++)
        r->picked |= g->picks.at[r->picks + i] != 0;
    g->open = f->of;
}

static void apply_forward(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    if (by_mailbox(p))
        mail_insert(g, f->of, places_of(p, f), f->n);
    graph_link_sends(g, f->of);
    g->open = NO_RUN;
}

static void undo_forward(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    graph_unlink_sends(g, f->of);
    if (by_mailbox(p))
        mail_remove(g, f->of, places_of(p, f), f->n);
    g->open = f->of;
}

// Events from the end of the order down to place `at`, last one first.
static void take_out(struct path *p, uint32_t at)
{
    while (p->graph.order.n > at)
        vec_push(&p->saved, graph_pop(&p->graph));
}

static void put_kept(struct path *p, uint32_t e, uint32_t base)
{
    struct graph *g = &p->graph;
    const uint16_t *clock = run_clock(g, e);
    for (uint32_t i = p->saved.n; i-- > base;)
        if (in_prefix(g, p->saved.at[i] / 2, clock))
            graph_push(g, p->saved.at[i]);
    graph_link_sends(g, e);
}

static void apply_revisit(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    uint32_t actor = run_at(g, g->order.at[f->pos] / 2)->actor;
    p->revisits++;
    take_out(p, f->pos);
    if (by_mailbox(p))
        mail_cut(g, f->of, places_of(p, f), f->n, &p->mails);
    f->made = run_new(g, actor, f->of, f->nth,
                      run_at(g, f->of)->effect->sends[f->nth].msg);
    graph_link(g, f->made, NO_RUN);
    // Births of the run come at its place in the order, before what is kept.
    answer(p, f->made);
    put_kept(p, f->of, f->saved);
}

static void undo_revisit(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    while (g->order.n > f->pos)
        graph_pop(g);
    run_free(g, f->made);
    f->made = NO_RUN;
    if (by_mailbox(p))
        mail_restore(g, &p->mails, f->mails);
    while (p->saved.n > f->saved)
        graph_push(g, vec_pop(&p->saved));
    g->open = f->of;
}

// The sends of the open run have only one place and no receive to revisit.
static bool is_plain(const struct path *p)
{
    const struct graph *g = &p->graph;
    const struct effect *e = run_at(g, g->open)->effect;
    if (e->flags & EFFECT_PICK || graph_reach(g, g->open) < g->order.n)
        return false;
    for (uint32_t i = 0; by_mailbox(p) && i < e->n_sends; i++)
        if (is_born(g, e->sends[i].to) && g->actors.at[e->sends[i].to].unread)
            return false;
    return true;
}

// Plain sends need no node of their own.  On the way back to where the path was
// their places are still on the stack.
static void send_plainly(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    f->sender = g->open;
    if (by_mailbox(p) && !f->again) {
        f->plain = p->places.n;
        mail_targets(g, g->open, &p->places);
        f->n_plain = p->places.n - f->plain;
        for (uint32_t i = f->plain; i < p->places.n; i++)
            p->places.at[i].at = g->actors.at[p->places.at[i].to].entries.n;
    }
    if (by_mailbox(p))
        mail_insert(g, g->open, p->places.at + f->plain, f->n_plain);
    graph_link_sends(g, g->open);
    g->open = NO_RUN;
}

static void undo_plainly(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    graph_unlink_sends(g, f->sender);
    if (by_mailbox(p)) {
        mail_remove(g, f->sender, p->places.at + f->plain, f->n_plain);
        p->places.n = f->plain;
    }
    g->open = f->sender;
    f->sender = NO_RUN;
}

void node_apply(struct path *p, struct node *f)
{
    assert(!f->applied);
    f->applied = true;
    switch (f->kind) {
    case NODE_RECEIVE:
    case NODE_BODY:
        apply_receive(p, f);
        break;
    case NODE_PICK:
        apply_pick(p, f);
        break;
    case NODE_SENDS:
        if (f->pos == NO_RUN)
            apply_forward(p, f);
        else
            apply_revisit(p, f);
        break;
    }
    if (p->graph.open != NO_RUN && is_plain(p))
        send_plainly(p, f);
    check_some(p);
}

void node_undo(struct path *p, struct node *f)
{
    assert(f->applied);
    f->applied = false;
    if (f->sender != NO_RUN)
        undo_plainly(p, f);
    switch (f->kind) {
    case NODE_RECEIVE:
    case NODE_BODY:
        undo_receive(p, f);
        break;
    case NODE_PICK:
        undo_pick(p, f);
        break;
    case NODE_SENDS:
        if (f->pos == NO_RUN)
            undo_forward(p, f);
        else
            undo_revisit(p, f);
        break;
    }
    check_some(p);
}

void path_back(struct path *p, uint32_t i)
{
    uint32_t height = p->places.n;
    for (uint32_t j = p->nodes.n; j-- > i;) {
        struct node *f = &p->nodes.at[j];
        f->again = f->applied;
        if (f->applied)
            node_undo(p, f);
    }
    p->places.n = height; // they are still needed
}

void path_step_again(struct path *p, uint32_t i)
{
    struct node *f = &p->nodes.at[i];
    if (f->again)
        node_apply(p, f);
    f->again = false;
    // Nodes name runs, and the run made may have another id now.
    if (i + 1 < p->nodes.n && p->graph.open != NO_RUN)
        p->nodes.at[i + 1].of = p->graph.open;
}

void path_again(struct path *p, uint32_t i)
{
    for (; i < p->nodes.n; i++)
        path_step_again(p, i);
}
