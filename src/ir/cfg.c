// Predecessors, dominators, post-dominators and loops.
//
// Post-dominators are dominators of the reversed graph with one more node, the
// common exit.  Blocks that never end (endless loops) have no post-dominator.
// Loops are natural loops: a back edge goes to a block that dominates its
// source.
#include "ir/dominators.h"
#include "ir/read.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

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
    struct dominators g = {.n = f->blocks.n};
    for (uint32_t b = 0; b < g.n; b++)
        for (uint32_t i = 0; i < f->blocks.at[b].n_succs; i++)
            dominators_edge(&g, b, ir_succs(f, &f->blocks.at[b])[i]);
    dominators_find(&g, 0);
    for (uint32_t b = 0; b < g.n; b++) {
        f->blocks.at[b].reachable = g.number[b] != IR_NOTHING;
        f->blocks.at[b].idom = b ? g.idom[b] : IR_NOTHING;
    }
    dominators_free(&g);
}

static void find_postdominators(struct ir_fn *f)
{
    uint32_t exit = f->blocks.n;
    struct dominators g = {.n = exit + 1};
    for (uint32_t b = 0; b < exit; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        if (!k->n_succs)
            dominators_edge(&g, exit, b);
        for (uint32_t i = 0; i < k->n_succs; i++)
            dominators_edge(&g, ir_succs(f, k)[i], b);
    }
    dominators_find(&g, exit);
    for (uint32_t b = 0; b < exit; b++)
        f->blocks.at[b].ipdom = g.idom[b] == exit ? IR_NOTHING : g.idom[b];
    dominators_free(&g);
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
