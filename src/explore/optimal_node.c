// Children of a graph, and the way there and back.
//
// A revisit by the sends of run e: take every event from the order down to the
// receive r, put r back with its new message as a new run, put those back that
// are in the porf-prefix of e, then the sends of e.  The handler results and
// clocks of what is kept stay valid.  The events taken out wait on a stack, and
// their runs in the pool, until the revisit is undone.
//
// Candidates for r are found by one scan of the order from its end: what is to
// be dropped only grows on the way, and whether an event was maximally added
// does not depend on r.  So the scan skips the prefix of e, ends at the first
// event that was not maximally added, and every receive on the way that can
// take one of the sends is a child.
#include "explore/optimal_node.h"

#include <assert.h>

void path_init(struct path *p, struct play *play, enum delivery d)
{
    *p = (struct path){0};
    graph_init(&p->graph, play, d);
}

void path_release(struct path *p)
{
    graph_release(&p->graph);
    vec_free(&p->nodes);
    vec_free(&p->saved);
    vec_free(&p->mails);
    vec_free(&p->places);
}

static bool by_mailbox(const struct path *p)
{
    return p->graph.delivery == DELIVERY_MAILBOX;
}

// ---- nodes ---------------------------------------------------------------

static bool body_goes_on(const struct graph *g)
{
    return g->body == NO_RUN ||
           run_at(g, g->body)->effect->flags & EFFECT_BODY_DRAIN;
}

// What kind of choice comes next; false: none.
static bool next_choice(const struct path *p, struct node *f)
{
    const struct graph *g = &p->graph;
    f->of = g->open;
    if (g->open != NO_RUN) {
        const struct effect *e = run_at(g, g->open)->effect;
        f->kind = e->flags & EFFECT_PICK ? NODE_PICK : NODE_SENDS;
        f->n = e->flags & EFFECT_PICK ? e->pick : 0;
        return true;
    }
    f->kind = NODE_RECEIVE;
    f->of = graph_pick(g);
    if (f->of != PLAY_NONE)
        return true;
    f->kind = NODE_BODY;
    return body_goes_on(g);
}

bool path_push(struct path *p)
{
    struct node f = {.saved = p->saved.n,
                     .mails = p->mails.n,
                     .places = p->places.n,
                     .pos = NO_RUN,
                     .made = NO_RUN,
                     .sender = NO_RUN};
    if (!next_choice(p, &f))
        return false;
    if (f.kind == NODE_SENDS && by_mailbox(p)) {
        mail_targets(&p->graph, f.of, &p->places);
        f.n = p->places.n - f.places;
    }
    vec_push(&p->nodes, f);
    return true;
}

void path_pop(struct path *p)
{
    p->places.n = vec_last(&p->nodes).places;
    p->nodes.n--;
}

// ---- the next child -------------------------------------------------------

static bool next_receive(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    if (f->begun && f->pos == PLAY_TIMER)
        return false;
    uint32_t i = f->begun ? f->pos + 1 : 0;
    if (by_mailbox(p) && f->begun)
        i = NO_RUN;
    else
        i = graph_deliverable(g, f->of, i);
    if (i == NO_RUN && !(graph_flags(g, f->of) & STATE_TIMER))
        return false;
    f->pos = i == NO_RUN ? PLAY_TIMER : i;
    return true;
}

static bool next_pick(struct node *f)
{
    f->pos = f->begun ? f->pos + 1 : 0;
    return f->pos < f->n;
}

static struct place *places_of(struct path *p, const struct node *f)
{
    return p->places.at + f->places;
}

static bool first_place(struct path *p, struct node *f)
{
    f->pos = NO_RUN;
    return !by_mailbox(p) ||
           mail_first(&p->graph, f->of, NO_RUN, places_of(p, f), f->n);
}

// The place in the order of the earliest receive that may still be revisited.
static uint32_t scan_end(const struct graph *g, uint32_t e)
{
    const struct effect *f = run_at(g, e)->effect;
    const uint16_t *clock = run_clock(g, e);
    uint32_t end = g->order.n;
    for (uint32_t i = 0; i < f->n_sends; i++) {
        uint32_t to = f->sends[i].to;
        if (!is_born(g, to) || g->actors.at[to].runs.n <= clock[to])
            continue;
        uint32_t at = run_at(g, g->actors.at[to].runs.at[clock[to]])->r_at;
        end = at < end ? at : end;
    }
    return end < g->floor ? g->floor : end;
}

// The next send of e, from nth on, that run r could receive.
static uint32_t send_for(const struct graph *g, uint32_t e, uint32_t r,
                         uint32_t nth)
{
    const struct effect *f = run_at(g, e)->effect;
    const struct run *q = run_at(g, r);
    for (; nth < f->n_sends; nth++)
        if (f->sends[nth].to == q->actor && is_born(g, q->actor) &&
            graph_earliest(g, e, nth) <= q->k)
            return nth;
    return NO_RUN;
}

// `mailbox`: r takes the first of the sends to its actor.
static bool place_for(struct path *p, struct node *f, uint32_t r)
{
    const struct effect *e = run_at(&p->graph, f->of)->effect;
    f->nth = 0;
    while (e->sends[f->nth].to != run_at(&p->graph, r)->actor)
        f->nth++;
    return mail_first(&p->graph, f->of, r, places_of(p, f), f->n);
}

static bool can_revisit(struct path *p, struct node *f, uint32_t r)
{
    f->nth = send_for(&p->graph, f->of, r, 0);
    return f->nth != NO_RUN && (!by_mailbox(p) || place_for(p, f, r));
}

// Scan for receives to revisit, from below place `at` in the order.
static bool next_revisit(struct path *p, struct node *f, uint32_t at)
{
    struct graph *g = &p->graph;
    const uint16_t *clock = run_clock(g, f->of);
    uint32_t end = scan_end(g, f->of);
    while (at > end) {
        uint32_t event = g->order.at[--at];
        if (in_prefix(g, event / 2, clock))
            continue;
        if (!graph_maximal(g, event, f->of))
            break;
        f->pos = at;
        if (!(event & 1) && can_revisit(p, f, event / 2))
            return true;
    }
    return false;
}

static bool next_sends(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    if (!f->begun)
        return first_place(p, f);
    uint32_t r = f->pos == NO_RUN ? NO_RUN : g->order.at[f->pos] / 2;
    if (by_mailbox(p)) {
        if (mail_next(g, f->of, r, places_of(p, f), f->n))
            return true;
    } else if (r != NO_RUN) {
        f->nth = send_for(g, f->of, r, f->nth + 1);
        if (f->nth != NO_RUN)
            return true;
    }
    return next_revisit(p, f, r == NO_RUN ? g->order.n : f->pos);
}

bool node_next(struct path *p, struct node *f)
{
    bool more = false;
    assert(!f->applied);
    if (f->closed)
        return false;
    switch (f->kind) {
    case NODE_RECEIVE:
        more = next_receive(p, f);
        break;
    case NODE_SENDS:
        more = next_sends(p, f);
        break;
    case NODE_PICK:
        more = next_pick(f);
        break;
    case NODE_BODY:
        more = !f->begun;
        break;
    }
    f->begun = true;
    f->closed = !more;
    return more;
}

// A copy to look ahead with; its places are on top of the stack.
static struct node look(struct path *p, const struct node *f)
{
    struct node c = *f;
    if (c.kind != NODE_SENDS)
        return c;
    c.places = p->places.n;
    vec_room(&p->places, c.n);
    for (uint32_t i = 0; i < c.n; i++)
        p->places.at[p->places.n++] = p->places.at[f->places + i];
    return c;
}

static bool same_child(const struct path *p, const struct node *a,
                       const struct node *b, const struct place *at)
{
    if (a->pos != b->pos || a->nth != b->nth)
        return false;
    for (uint32_t i = 0; a->kind == NODE_SENDS && i < a->n; i++)
        if (p->places.at[a->places + i].at != at[i].at)
            return false;
    return true;
}

uint32_t node_count(struct path *p, const struct node *f, uint32_t *before)
{
    uint32_t n = 0, at = 0, height = p->places.n;
    struct node c = look(p, f);
    c.begun = c.applied = c.closed = false;
    for (; node_next(p, &c); n++)
        if (same_child(p, &c, f, places_of(p, f)))
            at = n;
    p->places.n = height;
    if (before)
        *before = at;
    return n;
}

bool node_find(struct path *p, struct node *fresh, const struct node *f,
               const struct place *at)
{
    if (fresh->kind != f->kind || fresh->n != f->n)
        return false;
    while (node_next(p, fresh))
        if (same_child(p, fresh, f, at))
            return true;
    return false;
}

bool node_has_more(struct path *p, const struct node *f)
{
    uint32_t height = p->places.n;
    struct node c = look(p, f);
    bool more = node_next(p, &c);
    p->places.n = height;
    return more;
}

// ---- there and back -------------------------------------------------------

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
    } else if (f->pos == PLAY_TIMER) {
        f->made = run_new(g, f->of, NO_RUN, 0, PLAY_TIMER);
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
    if (e->flags & EFFECT_PICK || scan_end(g, g->open) < g->order.n)
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
}

void node_undo(struct path *p, struct node *f)
{
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
