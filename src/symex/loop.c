// Loops: which edges go back, and how many turns a path may take.
//
// A loop is a head with the edges that a depth-first walk finds leading back to
// it; a `switch` into the middle of one makes no natural loop, so dominators
// would not find it.  Its body is what comes to such an edge without passing
// the head.
//
// A turn counts when leaving the loop depended on inputs in it: a loop over a
// constant count is simply run.  Where the condition is a constant that stems
// from decisions of this turn (of a callee, of the parts of `a || b`), it
// depended on them.
#include "symex/engine.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct loop {
    uint32_t head;
    bool *body; // one per block
};

struct fn_info {
    VEC(struct loop) loops;
};

// ---- finding ------------------------------------------------------------

static void add_body(const struct ir_fn *f, struct loop *l, uint32_t from)
{
    VEC(uint32_t) todo = {0};
    vec_push(&todo, from);
    while (todo.n) {
        uint32_t b = vec_pop(&todo);
        if (l->body[b])
            continue;
        l->body[b] = true;
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t i = 0; i < k->n_preds; i++)
            vec_push(&todo, ir_preds(f, k)[i]);
    }
    vec_free(&todo);
}

static void back_edge(struct fn_info *info, const struct ir_fn *f,
                      uint32_t from, uint32_t to)
{
    struct loop *l = NULL;
    for (uint32_t i = 0; i < info->loops.n; i++)
        if (info->loops.at[i].head == to)
            l = &info->loops.at[i];
    if (!l) {
        struct loop new = {to, need_zero(f->blocks.n * sizeof(bool))};
        new.body[to] = true;
        vec_push(&info->loops, new);
        l = &vec_last(&info->loops);
    }
    add_body(f, l, from);
}

struct walk {
    uint32_t block, next;
};

static void find_loops(struct fn_info *info, const struct ir_fn *f)
{
    enum { NEW, OPEN, DONE };
    uint8_t *mark = need_zero(f->blocks.n);
    VEC(struct walk) stack = {0};
    vec_push(&stack, ((struct walk){0, 0}));
    mark[0] = OPEN;
    while (stack.n) {
        struct walk *w = &vec_last(&stack);
        const struct ir_block *b = &f->blocks.at[w->block];
        if (w->next == b->n_succs) {
            mark[w->block] = DONE;
            stack.n--;
            continue;
        }
        uint32_t to = ir_succs(f, b)[w->next++];
        if (mark[to] == OPEN) {
            back_edge(info, f, w->block, to);
        } else if (mark[to] == NEW) {
            mark[to] = OPEN;
            vec_push(&stack, ((struct walk){to, 0}));
        }
    }
    vec_free(&stack);
    free(mark);
}

static struct fn_info *info_of(struct sx_run *r, const struct ir_fn *f)
{
    if (!r->fns[f->id]) {
        r->fns[f->id] = need_zero(sizeof(struct fn_info));
        if (f->defined)
            find_loops(r->fns[f->id], f);
    }
    return r->fns[f->id];
}

uint32_t loops_of(struct sx_run *r, const struct ir_fn *f)
{
    return info_of(r, f)->loops.n;
}

void loop_free(struct sx_run *r)
{
    for (uint32_t i = 0; i < r->ir->fns.n; i++) {
        struct fn_info *info = r->fns[i];
        for (uint32_t k = 0; info && k < info->loops.n; k++)
            free(info->loops.at[k].body);
        if (info)
            vec_free(&info->loops);
        free(info);
    }
    free(r->fns);
}

// ---- counting -----------------------------------------------------------

bool is_trap_block(const struct ir_fn *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    return f->insts.at[b->first + b->n - 1].op == IR_TRAP;
}

static bool leaves_loop(const struct ir_fn *f, const struct loop *l,
                        uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    for (uint32_t i = 0; i < b->n_succs; i++) {
        uint32_t to = ir_succs(f, b)[i];
        if (!l->body[to] && !is_trap_block(f, to))
            return true;
    }
    return false;
}

// May a constant stem from a decision?  It may if it is the value of a phi of
// conditions, or is made from the result of a call.
static bool may_stem(const struct ir_fn *f, ir_id v, unsigned deep)
{
    if (v == IR_NOTHING || ir_is_const(v))
        return false;
    const struct ir_inst *i = &f->insts.at[v];
    if (i->op == IR_CALL)
        return true;
    if (i->op == IR_PHI)
        return i->type.kind == IR_INT && i->type.bits == 1;
    for (uint32_t k = 0; deep && k < i->n; k++)
        if (may_stem(f, ir_args(f, i)[k], deep - 1))
            return true;
    return false;
}

void loop_branch(struct sx_run *r, struct sx_state *s, ir_id condition,
                 bool symbolic)
{
    const struct ir_fn *f = s->top->f;
    const struct fn_info *info = info_of(r, f);
    uint32_t block = s->top->block;
    for (uint32_t i = 0; i < info->loops.n; i++) {
        const struct loop *l = &info->loops.at[i];
        if (!l->body[block] || s->top->turns[i].symbolic)
            continue;
        bool grew = s->n_symbolic > s->top->turns[i].decisions &&
                    may_stem(f, condition, 3);
        if ((symbolic || grew) && leaves_loop(f, l, block))
            state_frame(r, s)->turns[i].symbolic = true;
    }
}

// A loop that only waits for a condition: after the second wait all is as it
// was after the first.
static bool waited_twice(struct sx_run *r, const struct sx_state *s,
                         const struct loop *l, const struct turns *t)
{
    const struct ir_fn *f = s->top->f;
    const struct ir_block *head = &f->blocks.at[l->head];
    return r->start.skip && !r->making && s->n_segments >= t->segments + 2 &&
           f->insts.at[head->first].op != IR_PHI && only_waits(r, f, l->body);
}

bool loop_edge(struct sx_run *r, struct sx_state *s, uint32_t from, uint32_t to)
{
    const struct ir_fn *f = s->top->f;
    const struct fn_info *info = info_of(r, f);
    for (uint32_t i = 0; i < info->loops.n; i++) {
        const struct loop *l = &info->loops.at[i];
        if (l->head != to)
            continue;
        struct turns t = s->top->turns[i];
        if (l->body[from] && (t.wide || waited_twice(r, s, l, &t)))
            return r->start.stops ? drop(r, s) : finish_turned(r, s);
        if (!l->body[from]) {
            t.n = 0, t.paused = t.wide = false;
            t.segments = s->n_segments;
        } else if (t.symbolic && ++t.n > r->o.loop && !r->start.follow) {
            if (!r->making)
                return cut(r, s, f->id, to);
            s->over = true; // the summary ends behind the edge
        }
        t.symbolic = false;
        t.decisions = s->n_symbolic;
        state_frame(r, s)->turns[i] = t;
    }
    return true;
}

void loop_entered(struct sx_run *r, struct sx_state *s, uint32_t from,
                  uint32_t to)
{
    const struct fn_info *info = info_of(r, s->top->f);
    for (uint32_t i = 0; r->start.wide && i < info->loops.n; i++) {
        const struct loop *l = &info->loops.at[i];
        if (l->head == to && !l->body[from] && wide_enter(r, s, l->body, to))
            state_frame(r, s)->turns[i].wide = true;
    }
}

// The innermost loop around a block: the one with the smallest body.
static uint32_t innermost(const struct fn_info *info, const struct ir_fn *f,
                          uint32_t block)
{
    uint32_t best = IR_NOTHING, least = UINT32_MAX;
    for (uint32_t i = 0; i < info->loops.n; i++) {
        uint32_t n = 0;
        for (uint32_t b = 0; b < f->blocks.n; b++)
            n += info->loops.at[i].body[b];
        if (info->loops.at[i].body[block] && n < least) {
            least = n;
            best = i;
        }
    }
    return best;
}

bool loop_pause(struct sx_run *r, struct sx_state *s)
{
    const struct ir_fn *f = s->top->f;
    uint32_t i = innermost(info_of(r, f), f, s->top->block);
    if (i == IR_NOTHING)
        return true;
    struct turns *t = &state_frame(r, s)->turns[i];
    bool first = !t->paused;
    t->paused = true;
    t->symbolic = false;
    t->decisions = s->n_symbolic;
    return first;
}
