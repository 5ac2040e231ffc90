// Children of a graph.
//
// Candidates for a revisit by the sends of run e are found by one scan of the
// order from its end: what is to be dropped only grows on the way, and whether
// an event was maximally added does not depend on the receive revisited.  So
// the scan skips the prefix of e, ends at the first event that was not
// maximally added, and every receive on the way that can take one of the sends
// is a child.
#include "explore/optimal/node.h"

#include <assert.h>

void path_begin(struct path *p, struct play *play, enum delivery d)
{
    *p = (struct path){0};
    graph_init(&p->graph, play, d);
}

void path_end(struct path *p)
{
    graph_release(&p->graph);
    vec_free(&p->nodes);
    vec_free(&p->saved);
    vec_free(&p->mails);
    vec_free(&p->places);
}

// ---- nodes ---------------------------------------------------------------

// Would the body wait for a timer that the bound on ticks holds up, or for what
// it would bring?
static bool owes(const struct graph *g)
{
    uint32_t flags = 0;
    for (uint32_t a = 0; a < g->actors.n; a++)
        flags |= graph_flags(g, a);
    return flags & STATE_OWES ||
           (flags & STATE_BODY_WAITS && flags & STATE_RESTS);
}

static bool body_goes_on(const struct graph *g)
{
    return g->body == NO_RUN ||
           (run_at(g, g->body)->effect->flags & EFFECT_BODY_DRAIN && !owes(g));
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
    assert(p->nodes.n && !vec_last(&p->nodes).applied);
    p->places.n = vec_last(&p->nodes).places;
    p->nodes.n--;
}

// ---- the next child -------------------------------------------------------

static bool next_receive(struct path *p, struct node *f)
{
    struct graph *g = &p->graph;
    uint32_t i = f->begun ? f->pos + 1 : 0, k = 0;
    if (f->begun && play_is_timer(f->pos)) {
        i = NO_RUN;
        k = play_timer_index(f->pos) + 1;
    } else if (by_mailbox(p) && f->begun) {
        i = NO_RUN;
    } else {
        i = graph_deliverable(g, f->of, i);
    }
    f->pos = i == NO_RUN ? play_timer(k) : i;
    return i != NO_RUN || k < state_timers(graph_flags(g, f->of));
}

static bool next_pick(struct node *f)
{
    f->pos = f->begun ? f->pos + 1 : 0;
    return f->pos < f->n;
}

static bool first_place(struct path *p, struct node *f)
{
    f->pos = NO_RUN;
    return !by_mailbox(p) ||
           mail_first(&p->graph, f->of, NO_RUN, places_of(p, f), f->n);
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
    uint32_t end = graph_reach(g, f->of);
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
                       const struct node *b, const struct mail_place *at)
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
               const struct mail_place *at)
{
    if (fresh->kind != f->kind || fresh->n != f->n)
        return false;
    while (node_next(p, fresh))
        if (same_child(p, fresh, f, at))
            return true;
    return false;
}

uint32_t node_cost(const struct path *p, const struct node *f)
{
    const struct graph *g = &p->graph;
    if (f->kind == NODE_RECEIVE) {
        const struct inbox *a = &g->actors.at[f->of];
        return 1 + a->entries.n - a->head;
    }
    return f->kind == NODE_SENDS ? 1 + g->order.n - graph_reach(g, f->of) : 1;
}

bool node_has_more(struct path *p, const struct node *f)
{
    uint32_t height = p->places.n;
    struct node c = look(p, f);
    bool more = node_next(p, &c);
    p->places.n = height;
    return more;
}
