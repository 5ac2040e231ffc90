// Predecessors, dominators, post-dominators and loops.
//
// Dominators by Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001), on a graph given as arrays; post-dominators are those of
// the reversed graph with one more node, the common exit.  Blocks that never
// end (endless loops) have no post-dominator.  Loops are natural loops: a back
// edge goes to a block that dominates its source.
#include "ir/read.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

// ---- a graph ------------------------------------------------------------

struct graph {
    uint32_t n;
    VEC(uint32_t) from, to; // edges
    uint32_t *out, *out_at; // successors of v: out[out_at[v]..out_at[v+1])
    uint32_t *in, *in_at;
    uint32_t *number; // in reverse postorder; IR_NOTHING: not reached
    uint32_t *order;  // node of each number
    uint32_t reached;
    uint32_t *idom;
};

static uint32_t *sort_edges(const struct graph *g, const uint32_t *key,
                            const uint32_t *value, uint32_t **at)
{
    uint32_t *list = need_zero((g->from.n + 1) * sizeof *list);
    uint32_t *start = need_zero((g->n + 2) * sizeof *start);
    for (uint32_t i = 0; i < g->from.n; i++)
        start[key[i] + 1]++;
    for (uint32_t i = 0; i < g->n; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < g->from.n; i++)
        list[start[key[i]]++] = value[i];
    memmove(start + 1, start, g->n * sizeof *start);
    start[0] = 0;
    *at = start;
    return list;
}

static void number_nodes(struct graph *g, uint32_t root)
{
    VEC(uint32_t) stack = {0};
    uint32_t *next = need_zero((g->n + 1) * sizeof *next), at = 0;
    g->number = need((g->n + 1) * sizeof *g->number);
    g->order = need((g->n + 1) * sizeof *g->order);
    memset(g->number, 0xff, (g->n + 1) * sizeof *g->number);
    vec_push(&stack, root);
    g->number[root] = 0;
    while (stack.n) {
        uint32_t v = vec_last(&stack);
        if (g->out_at[v] + next[v] == g->out_at[v + 1]) {
            g->order[at++] = v; // postorder
            stack.n--;
            continue;
        }
        uint32_t w = g->out[g->out_at[v] + next[v]++];
        if (g->number[w] == IR_NOTHING) {
            g->number[w] = 0;
            vec_push(&stack, w);
        }
    }
    for (uint32_t i = 0; i < at / 2; i++) {
        uint32_t v = g->order[i];
        g->order[i] = g->order[at - 1 - i];
        g->order[at - 1 - i] = v;
    }
    for (uint32_t i = 0; i < at; i++)
        g->number[g->order[i]] = i;
    g->reached = at;
    free(next);
    vec_free(&stack);
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b)
        if (g->number[a] > g->number[b])
            a = g->idom[a];
        else
            b = g->idom[b];
    return a;
}

static bool improve(struct graph *g, uint32_t v)
{
    uint32_t best = IR_NOTHING;
    for (uint32_t i = g->in_at[v]; i < g->in_at[v + 1]; i++) {
        uint32_t p = g->in[i];
        if (g->number[p] == IR_NOTHING || g->idom[p] == IR_NOTHING)
            continue;
        best = best == IR_NOTHING ? p : meet(g, p, best);
    }
    bool changed = g->idom[v] != best;
    g->idom[v] = best;
    return changed;
}

static void graph_dominators(struct graph *g, uint32_t root)
{
    g->out = sort_edges(g, g->from.at, g->to.at, &g->out_at);
    g->in = sort_edges(g, g->to.at, g->from.at, &g->in_at);
    number_nodes(g, root);
    g->idom = need((g->n + 1) * sizeof *g->idom);
    memset(g->idom, 0xff, (g->n + 1) * sizeof *g->idom);
    g->idom[root] = root;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 1; i < g->reached; i++)
            if (improve(g, g->order[i]))
                again = true;
    }
}

static void graph_free(struct graph *g)
{
    vec_free(&g->from);
    vec_free(&g->to);
    free(g->out);
    free(g->out_at);
    free(g->in);
    free(g->in_at);
    free(g->number);
    free(g->order);
    free(g->idom);
}

static void edge(struct graph *g, uint32_t from, uint32_t to)
{
    vec_push(&g->from, from);
    vec_push(&g->to, to);
}

// ---- our blocks ---------------------------------------------------------

static void find_predecessors(struct ir_fn *f)
{
    uint32_t n = f->blocks.n;
    VEC(uint32_t) from = {0}, to = {0};
    uint32_t *count = need_zero((n + 1) * sizeof *count);
    for (uint32_t b = 0; b < n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t i = 0; i < k->n_succs; i++) {
            bool again = false;
            for (uint32_t j = 0; j < i; j++)
                again |= ir_succs(f, k)[j] == ir_succs(f, k)[i];
            if (again)
                continue;
            vec_push(&from, b);
            vec_push(&to, ir_succs(f, k)[i]);
            count[ir_succs(f, k)[i]]++;
        }
    }
    for (uint32_t b = 0; b < n; b++) {
        f->blocks.at[b].preds = f->edges.n;
        for (uint32_t i = 0; i < count[b]; i++)
            vec_push(&f->edges, 0);
    }
    for (uint32_t i = 0; i < from.n; i++) {
        struct ir_block *k = &f->blocks.at[to.at[i]];
        f->edges.at[k->preds + k->n_preds++] = from.at[i];
    }
    free(count);
    vec_free(&from);
    vec_free(&to);
}

static void find_dominators(struct ir_fn *f)
{
    struct graph g = {.n = f->blocks.n};
    for (uint32_t b = 0; b < g.n; b++)
        for (uint32_t i = 0; i < f->blocks.at[b].n_succs; i++)
            edge(&g, b, ir_succs(f, &f->blocks.at[b])[i]);
    graph_dominators(&g, 0);
    for (uint32_t b = 0; b < g.n; b++) {
        f->blocks.at[b].reachable = g.number[b] != IR_NOTHING;
        f->blocks.at[b].idom = b ? g.idom[b] : IR_NOTHING;
    }
    graph_free(&g);
}

static void find_postdominators(struct ir_fn *f)
{
    uint32_t exit = f->blocks.n;
    struct graph g = {.n = exit + 1};
    for (uint32_t b = 0; b < exit; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        if (!k->n_succs)
            edge(&g, exit, b);
        for (uint32_t i = 0; i < k->n_succs; i++)
            edge(&g, ir_succs(f, k)[i], b);
    }
    graph_dominators(&g, exit);
    for (uint32_t b = 0; b < exit; b++)
        f->blocks.at[b].ipdom = g.idom[b] == exit ? IR_NOTHING : g.idom[b];
    graph_free(&g);
}

// Everything that reaches the back edge without passing the header.
static void mark_loop(struct ir_fn *f, uint32_t header, uint32_t latch,
                      uint32_t *mark, uint32_t *depth_of, uint32_t stamp)
{
    VEC(uint32_t) stack = {0};
    if (mark[header] != stamp) {
        mark[header] = stamp;
        depth_of[header]++;
    }
    vec_push(&stack, latch);
    while (stack.n) {
        uint32_t b = vec_pop(&stack);
        if (mark[b] == stamp)
            continue;
        mark[b] = stamp;
        depth_of[b]++;
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t i = 0; i < k->n_preds; i++)
            vec_push(&stack, ir_preds(f, k)[i]);
    }
    vec_free(&stack);
}

// Headers in order of dominance: inner ones come later and overwrite.
static void find_loops(struct ir_fn *f)
{
    uint32_t n = f->blocks.n;
    uint32_t *mark = need_zero((n + 1) * sizeof *mark);
    uint32_t *depth = need_zero((n + 1) * sizeof *depth);
    for (uint32_t b = 0; b < n; b++)
        f->blocks.at[b].loop = IR_NOTHING;
    for (uint32_t h = 0; h < n; h++) {
        bool is_header = false;
        const struct ir_block *k = &f->blocks.at[h];
        for (uint32_t i = 0; i < k->n_preds; i++) {
            uint32_t p = ir_preds(f, k)[i];
            if (f->blocks.at[p].reachable && ir_dominates(f, h, p)) {
                mark_loop(f, h, p, mark, depth, h + 1);
                is_header = true;
            }
        }
        for (uint32_t b = 0; is_header && b < n; b++)
            if (mark[b] == h + 1) {
                uint32_t old = f->blocks.at[b].loop;
                if (old == IR_NOTHING || ir_dominates(f, old, h))
                    f->blocks.at[b].loop = h;
            }
    }
    for (uint32_t b = 0; b < n; b++)
        f->blocks.at[b].depth = depth[b];
    free(mark);
    free(depth);
}

void ir_cfg(struct ir_fn *f)
{
    if (!f->blocks.n)
        return;
    find_predecessors(f);
    find_dominators(f);
    find_postdominators(f);
    find_loops(f);
}

bool ir_dominates(const struct ir_fn *f, uint32_t a, uint32_t b)
{
    while (b != IR_NOTHING && b != a)
        b = f->blocks.at[b].idom;
    return b == a;
}

bool ir_postdominates(const struct ir_fn *f, uint32_t a, uint32_t b)
{
    while (b != IR_NOTHING && b != a)
        b = f->blocks.at[b].ipdom;
    return b == a;
}

uint32_t ir_block_of(const struct ir_fn *f, uint32_t inst)
{
    uint32_t low = 0, high = f->blocks.n;
    while (high - low > 1) {
        uint32_t mid = (low + high) / 2;
        if (f->blocks.at[mid].first <= inst)
            low = mid;
        else
            high = mid;
    }
    return low;
}
