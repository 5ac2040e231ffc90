// A walk over the blocks, depth first, with the turns of each loop since it was
// entered.
#include "unit/guide.h"

#include "base/arena.h"
#include "base/die.h"

#include <stdlib.h>
#include <string.h>

enum { TRACES_MOST = 10000, LONGEST = 4096 };

struct walk {
    const struct ir *ir;
    const struct ir_fn *f;
    uint32_t loop, line;
    bool *back;      // by edge: it closes a loop
    uint32_t *turns; // by block: of the loop whose head it is
    VEC(struct sx_side) sides;
    uint32_t depth;
    struct arena *a;
    struct guide *out;
};

static const struct ir_inst *end_of(const struct ir_fn *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    return &f->insts.at[b->first + b->n - 1];
}

// Does the block end in a check of ours, which is not in the source?
static bool is_check(const struct ir_fn *f, uint32_t block)
{
    const struct ir_inst *i = end_of(f, block);
    return i->op == IR_TRAP && i->sub < IR_TRAP_ASSERT;
}

// ---- loops ----------------------------------------------------------------

static void mark_back(struct walk *w, uint8_t *state, uint32_t block)
{
    enum { NEW, OPEN, DONE };
    const struct ir_block *b = &w->f->blocks.at[block];
    state[block] = OPEN;
    for (uint32_t i = 0; i < b->n_succs; i++) {
        uint32_t to = ir_succs(w->f, b)[i];
        if (state[to] == OPEN)
            w->back[b->succs + i] = true;
        else if (state[to] == NEW)
            mark_back(w, state, to);
    }
    state[block] = DONE;
}

// ---- traces ---------------------------------------------------------------

static bool has_line(const struct walk *w, uint32_t block)
{
    const struct ir_block *b = &w->f->blocks.at[block];
    for (uint32_t i = b->first; i < b->first + b->n; i++)
        if (w->f->insts.at[i].line == w->line && w->f->insts.at[i].op != IR_PHI)
            return true;
    return false;
}

static void keep(struct walk *w)
{
    if (w->out->traces.n == TRACES_MOST) {
        w->out->cut = true;
        return;
    }
    struct guide_trace t = {
        .sides = arena_copy(w->a, w->sides.at,
                            (w->sides.n + 1ul) * sizeof *w->sides.at),
        .n = w->sides.n,
        .line = w->line};
    vec_push(&w->out->traces, t);
}

static void visit(struct walk *w, uint32_t block);

static void follow(struct walk *w, uint32_t block, uint32_t k, bool decided)
{
    const struct ir_block *b = &w->f->blocks.at[block];
    uint32_t to = ir_succs(w->f, b)[k], was = w->turns[to];
    bool back = w->back[b->succs + k];
    if (is_check(w->f, to))
        return;
    w->turns[to] = back ? was + 1 : 0;
    if (w->turns[to] <= w->loop) {
        if (decided)
            vec_push(&w->sides, ((struct sx_side){block, k}));
        visit(w, to);
        if (decided)
            w->sides.n--;
    } else {
        w->out->cut = true;
    }
    w->turns[to] = was;
}

// Does the source decide at the end of this block?
static bool decides(const struct walk *w, uint32_t block)
{
    const struct ir_block *b = &w->f->blocks.at[block];
    const struct ir_inst *i = end_of(w->f, block);
    uint32_t ways = 0;
    for (uint32_t k = 0; k < b->n_succs; k++)
        ways += !is_check(w->f, ir_succs(w->f, b)[k]);
    return (i->op == IR_BRANCH || i->op == IR_SWITCH) && ways > 1 &&
           !ir_is_const(ir_args(w->f, i)[0]);
}

static void visit(struct walk *w, uint32_t block)
{
    const struct ir_block *b = &w->f->blocks.at[block];
    const struct ir_inst *end = end_of(w->f, block);
    if (w->out->cut && w->out->traces.n >= TRACES_MOST)
        return;
    if (w->line ? has_line(w, block)
                : end->op == IR_RETURN || end->op == IR_TRAP) {
        keep(w);
        return;
    }
    if (++w->depth > LONGEST) {
        w->out->cut = true;
    } else {
        bool decided = decides(w, block);
        for (uint32_t k = 0; k < b->n_succs; k++)
            follow(w, block, k, decided);
    }
    w->depth--;
}

static int by_length(const void *x, const void *y)
{
    const struct guide_trace *a = x, *b = y;
    return a->n < b->n ? -1 : a->n > b->n;
}

static void generate(const struct ir *ir, const struct ir_fn *f, uint32_t line,
                     uint32_t loop, struct arena *a, struct guide *out)
{
    struct walk w = {
        .ir = ir, .f = f, .loop = loop, .line = line, .a = a, .out = out};
    uint32_t first = out->traces.n;
    uint8_t *state = need_zero(f->blocks.n + 1);
    w.back = need_zero((f->edges.n + 1) * sizeof *w.back);
    w.turns = need_zero((f->blocks.n + 1) * sizeof *w.turns);
    vec_push(&w.sides, ((struct sx_side){0, 0})); // never empty
    w.sides.n = 0;
    mark_back(&w, state, 0);
    visit(&w, 0);
    qsort(out->traces.at + first, out->traces.n - first, sizeof *out->traces.at,
          by_length);
    vec_free(&w.sides);
    free(state);
    free(w.back);
    free(w.turns);
}

void guide_local(const struct ir *ir, const struct ir_fn *f, uint32_t loop,
                 struct arena *a, struct guide *out)
{
    generate(ir, f, 0, loop, a, out);
}

bool guide_point(const struct ir *ir, const struct ir_fn *f, uint32_t line,
                 uint32_t loop, struct arena *a, struct guide *out)
{
    struct walk w = {.f = f, .line = line};
    bool any = false;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        any |= f->blocks.at[b].reachable && has_line(&w, b);
    if (any)
        generate(ir, f, line, loop, a, out);
    return any;
}

void guide_free(struct guide *g)
{
    vec_free(&g->traces);
}
