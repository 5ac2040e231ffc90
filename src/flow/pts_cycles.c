// The strongly connected components of nodes, by copies and by steps and
// indices (Tarjan 1972, without recursion).  Nodes on a cycle of copies hold
// the same and are merged; a step on a cycle is a walk through an array.
#include "flow/pts_inner.h"

#include "base/die.h"

#include <stdlib.h>

struct tarjan {
    struct pts *p;
    bool steps; // count steps and indices too
    uint32_t next;
    uint32_t *index, *low; // by node; index 0: not seen yet
    bool *on_stack;
    VEC(uint32_t) stack;
    VEC(uint32_t) path;  // of the search
    VEC(uint32_t) edges; // the next edge of each on the path
};

static uint32_t edge_at(const struct tarjan *t, uint32_t node, uint32_t k)
{
    const struct pts_node *n = &t->p->nodes.at[node];
    if (k < n->copies.n)
        return pts_rep(t->p, n->copies.at[k]);
    k -= n->copies.n;
    if (!t->steps || k >= n->on.n)
        return IR_NOTHING;
    const struct pts_constraint *c = &n->on.at[k];
    bool moves =
        c->kind == ON_FIELD || c->kind == ON_INDEX || c->kind == ON_BLUR;
    return moves ? pts_rep(t->p, c->other) : node;
}

static void enter(struct tarjan *t, uint32_t node)
{
    t->index[node] = t->low[node] = ++t->next;
    t->on_stack[node] = true;
    vec_push(&t->stack, node);
    vec_push(&t->path, node);
    vec_push(&t->edges, 0);
}

// The component whose first node this is: its nodes get its number, or are
// merged.
static void close_component(struct tarjan *t, uint32_t first)
{
    for (uint32_t x = IR_NOTHING; x != first;) {
        x = vec_pop(&t->stack);
        t->on_stack[x] = false;
        if (t->steps)
            t->p->nodes.at[x].component = first;
        else
            pts_merge(t->p, first, x);
    }
}

static void leave(struct tarjan *t, uint32_t node)
{
    (void)vec_pop(&t->path);
    (void)vec_pop(&t->edges);
    if (t->low[node] == t->index[node])
        close_component(t, node);
    if (t->path.n) {
        uint32_t above = t->path.at[t->path.n - 1];
        if (t->low[node] < t->low[above])
            t->low[above] = t->low[node];
    }
}

static void search(struct tarjan *t, uint32_t from)
{
    enter(t, from);
    while (t->path.n) {
        uint32_t node = t->path.at[t->path.n - 1];
        uint32_t to = edge_at(t, node, t->edges.at[t->path.n - 1]++);
        if (to == IR_NOTHING)
            leave(t, node);
        else if (!t->index[to])
            enter(t, to);
        else if (t->on_stack[to] && t->index[to] < t->low[node])
            t->low[node] = t->index[to];
    }
}

static void find_components(struct pts *p, bool steps)
{
    uint32_t n = p->nodes.n;
    struct tarjan t = {.p = p, .steps = steps};
    t.index = need_zero(n * sizeof *t.index);
    t.low = need_zero(n * sizeof *t.low);
    t.on_stack = need_zero(n);
    for (uint32_t i = 0; i < n; i++)
        if (p->nodes.at[i].merged == i && !t.index[i])
            search(&t, i);
    free(t.index);
    free(t.low);
    free(t.on_stack);
    vec_free(&t.stack);
    vec_free(&t.path);
    vec_free(&t.edges);
}

bool pts_on_a_cycle(struct pts *p, uint32_t a, uint32_t b)
{
    if (p->asked_cycles++ >= p->ask_again) {
        find_components(p, true);
        p->asked_cycles = 0;
        p->ask_again = p->nodes.n / 8;
    }
    uint32_t x = p->nodes.at[pts_rep(p, a)].component;
    return x != IR_NOTHING && x == p->nodes.at[pts_rep(p, b)].component;
}

void pts_merge_cycles(struct pts *p)
{
    if (p->edges.n < p->merged_at / 2 * 3 + 1024)
        return;
    find_components(p, false);
    p->merged_at = p->edges.n;
}
