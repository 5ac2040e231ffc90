// Dominators by Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001).
#include "ir/dominators.h"

#include "base/die.h"
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *sort_edges(const struct dominators *g, const uint32_t *key,
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

static void number_nodes(struct dominators *g, uint32_t root)
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

static uint32_t meet(const struct dominators *g, uint32_t a, uint32_t b)
{
    while (a != b)
        if (g->number[a] > g->number[b])
            a = g->idom[a];
        else
            b = g->idom[b];
    return a;
}

static bool improve(struct dominators *g, uint32_t v)
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

void dominators_find(struct dominators *g, uint32_t root)
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

void dominators_free(struct dominators *g)
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

void dominators_edge(struct dominators *g, uint32_t from, uint32_t to)
{
    vec_push(&g->from, from);
    vec_push(&g->to, to);
}
