#include "reach/toward.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

static void make_room(struct toward *t, const struct reach *r)
{
    const struct ir *ir = r->ir;
    t->first = need((ir->fns.n + 1) * sizeof *t->first);
    for (uint32_t i = 0; i < ir->fns.n; i++) {
        t->first[i] = t->n;
        t->n += ir->fns.at[i]->blocks.n;
    }
    t->far = need((t->n + 1) * sizeof *t->far);
    t->wanted = need_zero(r->pool->n_hits + 1);
    t->sites = need((r->pool->n_compares + 1) * sizeof *t->sites);
    ir_calls(ir, &t->calls);
}

static bool nearer(uint32_t *far, uint32_t by)
{
    if (by == TOWARD_NEVER || *far <= by + 1)
        return false;
    *far = by + 1;
    return true;
}

static bool relax_edges(struct toward *t, const struct ir_fn *f)
{
    uint32_t *far = &t->far[t->first[f->id]];
    bool any = false;
    for (uint32_t b = f->blocks.n; b-- > 0;)
        for (uint32_t k = 0; k < f->blocks.at[b].n_succs; k++)
            any |= nearer(&far[b], far[ir_succs(f, &f->blocks.at[b])[k]]);
    return any;
}

static bool relax_calls(struct toward *t, const struct ir *ir)
{
    bool any = false;
    for (uint32_t i = 0; i < t->calls.at.n; i++) {
        const struct ir_call *c = &t->calls.at.at[i];
        const struct ir_fn *to = ir->fns.at[c->callee];
        if (!to->blocks.n)
            continue;
        uint32_t b = ir_block_of(ir->fns.at[c->caller], c->inst);
        any |= nearer(&t->far[t->first[c->caller] + b],
                      t->far[t->first[c->callee]]);
    }
    return any;
}

// All blocks of an origin have the distance of its head.
static void mark(struct toward *t, const struct reach *r,
                 const struct ir_target *at)
{
    const struct ir_fn *f = r->ir->fns.at[at->fn];
    uint32_t *far = &t->far[t->first[at->fn]];
    t->wanted[at->hit] = 1;
    far[at->block] = 0;
    for (uint32_t b = 0; at->trap == IR_TRAPS_N && b < f->blocks.n; b++)
        if (ir_block_hit(f, &f->blocks.at[b]) == at->hit)
            far[b] = 0;
}

static bool compares(const struct ir_inst *i)
{
    return (i->op >= IR_EQ && i->op <= IR_SLE) || i->op == IR_FCMP ||
           i->op == IR_CALL;
}

static void measure_sites(struct toward *t, const struct reach *r)
{
    memset(t->sites, 0xff, r->pool->n_compares * sizeof *t->sites);
    for (uint32_t n = 0; n < r->ir->fns.n; n++) {
        const struct ir_fn *f = r->ir->fns.at[n];
        for (uint32_t b = 0; b < f->blocks.n; b++)
            for (uint32_t k = 0; k < f->blocks.at[b].n; k++) {
                const struct ir_inst *i =
                    &f->insts.at[f->blocks.at[b].first + k];
                uint32_t far = toward_block(t, n, b);
                if (compares(i) && i->site < r->pool->n_compares)
                    t->sites[i->site] = far;
                for (uint32_t c = 0; i->op == IR_SWITCH && c + 1 < i->n; c++)
                    if (i->count + c < r->pool->n_compares)
                        t->sites[i->count + c] = far;
            }
    }
}

void toward_update(struct toward *t, const struct reach *r)
{
    if (t->known && t->news == r->pool->news)
        return;
    if (!t->first)
        make_room(t, r);
    t->known = true;
    t->news = r->pool->news;
    memset(t->far, 0xff, t->n * sizeof *t->far);
    memset(t->wanted, 0, r->pool->n_hits);
    for (uint32_t i = 0; i < r->targets.n; i++)
        if (reach_is_open(r, &r->targets.at[i]))
            mark(t, r, &r->targets.at[i].at);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < r->ir->fns.n; i++)
            again |= relax_edges(t, r->ir->fns.at[i]);
        again |= relax_calls(t, r->ir);
    }
    measure_sites(t, r);
}

void toward_free(struct toward *t)
{
    free(t->first);
    free(t->far);
    free(t->wanted);
    free(t->sites);
    ir_calls_free(&t->calls);
    *t = (struct toward){0};
}
