// All ways of a branch at once, where they only compute values.
//
// A run that follows one input would learn at each branch which side that input
// takes.  Of `crc & 1 ? crc >> 1 ^ POLY : crc >> 1` eight times a byte such
// conditions leave nothing of the byte to choose, nor do those of a function
// that tells what a digit of base 64 is worth.  So where all ways from a branch
// come to one block without a loop and without touching memory, the run goes on
// there with an ITE for each value, and learns nothing.  That the other sides
// were not taken are still choices.
#include "symex/engine.h"

enum { INSTS_MOST = 24, BLOCKS_MOST = 32 };

// The blocks between a branch and where all its ways meet.
struct region {
    uint32_t head, at;            // the branch's block, the meeting
    uint32_t n;                   // blocks between,
    uint32_t blocks[BLOCKS_MOST]; // each behind all that lead to it
    term when[BLOCKS_MOST];       // under which condition a way goes through it
};

// What a block between may do: arithmetic on numbers.
static bool is_plain(const struct sx_run *r, const struct ir_fn *f,
                     const struct ir_inst *i)
{
    if (ir_op_group((enum ir_op)i->op) != IR_G_VALUE || i->op == IR_PARAM ||
        (i->type.kind != IR_INT && i->type.kind != IR_FLOAT))
        return false;
    for (uint32_t k = 0; k < i->n; k++) {
        struct ir_type t = ir_type_of(r->ir, f, ir_args(f, i)[k]);
        if (t.kind != IR_INT && t.kind != IR_FLOAT)
            return false;
    }
    return true;
}

static const struct ir_inst *last_of(const struct ir_fn *f, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    return &f->insts.at[b->first + b->n - 1];
}

static bool may_lie_between(const struct sx_run *r, const struct ir_fn *f,
                            uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    uint8_t end = last_of(f, block)->op;
    if (b->n > INSTS_MOST || (end != IR_JUMP && end != IR_BRANCH))
        return false;
    for (uint32_t k = 0; k + 1 < b->n; k++)
        if (!is_plain(r, f, &f->insts.at[b->first + k]))
            return false;
    return true;
}

// Place of a block among the first n between; n: it is none of them.
static uint32_t place_of(const struct region *g, uint32_t n, uint32_t block)
{
    uint32_t k = 0;
    while (k < n && g->blocks[k] != block)
        k++;
    return k;
}

static bool add_successors(const struct sx_run *r, const struct ir_fn *f,
                           struct region *g, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    for (uint32_t k = 0; k < b->n_succs; k++) {
        uint32_t to = ir_succs(f, b)[k];
        if (to == g->at || place_of(g, g->n, to) < g->n)
            continue;
        if (to == g->head || g->n == BLOCKS_MOST || !may_lie_between(r, f, to))
            return false;
        g->blocks[g->n++] = to;
    }
    return true;
}

// Do all edges into the block come from the head or from the first n between?
static bool all_before(const struct ir_fn *f, const struct region *g,
                       uint32_t n, uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    for (uint32_t k = 0; k < b->n_preds; k++) {
        uint32_t from = ir_preds(f, b)[k];
        if (from != g->head && place_of(g, n, from) == n)
            return false;
    }
    return true;
}

// False: there is a loop, or another way in.
static bool put_in_order(const struct ir_fn *f, struct region *g)
{
    for (uint32_t n = 0; n < g->n; n++) {
        uint32_t k = n;
        while (k < g->n && !all_before(f, g, n, g->blocks[k]))
            k++;
        if (k == g->n)
            return false;
        uint32_t block = g->blocks[k];
        g->blocks[k] = g->blocks[n];
        g->blocks[n] = block;
    }
    return true;
}

// False: the ways do more than compute, or they meet at the head of a loop.
static bool find_region(const struct sx_run *r, const struct ir_fn *f,
                        uint32_t head, struct region *g)
{
    const uint32_t *to = ir_succs(f, &f->blocks.at[head]);
    *g = (struct region){.head = head, .at = f->blocks.at[head].ipdom};
    if (g->at == IR_NOTHING || to[0] == to[1] ||
        f->blocks.at[g->at].loop == g->at || !add_successors(r, f, g, head))
        return false;
    for (uint32_t k = 0; k < g->n; k++)
        if (!add_successors(r, f, g, g->blocks[k]))
            return false;
    return put_in_order(f, g);
}

// ---- values -----------------------------------------------------------------

// Under which condition a way goes through the block; TERM_NONE: unknown.
static term through(struct sx_run *r, const struct region *g, uint32_t block)
{
    return block == g->head ? term_bool(r->ts, true)
                            : g->when[place_of(g, g->n, block)];
}

// The condition of a branch's side; of a jump: true.
static term side_of(struct sx_run *r, const struct sx_state *s, uint32_t block,
                    uint32_t side)
{
    const struct ir_fn *f = s->top->f;
    const struct ir_inst *end = last_of(f, block);
    if (end->op == IR_JUMP)
        return term_bool(r->ts, true);
    term c = operand(r, s, ir_args(f, end)[0]);
    return c && side ? term_not(r->ts, c) : c;
}

// The condition of going from one block to the next, over any of its sides.
static term edge(struct sx_run *r, const struct sx_state *s,
                 const struct region *g, uint32_t from, uint32_t to)
{
    const struct ir_block *b = &s->top->f->blocks.at[from];
    term any = term_bool(r->ts, false);
    for (uint32_t k = 0; k < b->n_succs; k++) {
        term c = side_of(r, s, from, k);
        if (!c)
            return TERM_NONE;
        if (ir_succs(s->top->f, b)[k] == to)
            any = term_or(r->ts, any, c);
    }
    return term_and(r->ts, through(r, g, from), any);
}

static bool is_inside(const struct region *g, uint32_t block)
{
    return block == g->head || place_of(g, g->n, block) < g->n;
}

static bool find_when(struct sx_run *r, const struct sx_state *s,
                      struct region *g, uint32_t k)
{
    const struct ir_block *b = &s->top->f->blocks.at[g->blocks[k]];
    g->when[k] = term_bool(r->ts, false);
    for (uint32_t i = 0; i < b->n_preds; i++) {
        term c = edge(r, s, g, ir_preds(s->top->f, b)[i], g->blocks[k]);
        if (!c)
            return false;
        g->when[k] = term_or(r->ts, g->when[k], c);
    }
    return true;
}

// The value of a phi, over all ways to its block; TERM_NONE: it is no number.
static term join(struct sx_run *r, const struct sx_state *s,
                 const struct region *g, uint32_t block,
                 const struct ir_inst *phi)
{
    const struct ir_fn *f = s->top->f;
    const struct ir_block *b = &f->blocks.at[block];
    term value = TERM_NONE;
    for (uint32_t k = b->n_preds; k-- > 0;) {
        uint32_t from = ir_preds(f, b)[k];
        if (!is_inside(g, from))
            continue;
        term v = operand(r, s, ir_args(f, phi)[k]);
        term c = edge(r, s, g, from, block);
        if (!v || !c)
            return TERM_NONE;
        if (value && value != v && phi->type.kind != IR_INT &&
            phi->type.kind != IR_FLOAT)
            return TERM_NONE;
        value = value ? term_ite(r->ts, c, v, value) : v;
    }
    return value;
}

// Those of the first phis of a block.  *n: how many there are.
static bool join_all(struct sx_run *r, struct sx_state *s,
                     const struct region *g, uint32_t block, uint32_t *n)
{
    struct frame *f = state_frame(r, s);
    const struct ir_block *b = &f->f->blocks.at[block];
    VEC(term) values = {0};
    bool ok = true;
    for (*n = 0; ok && f->f->insts.at[b->first + *n].op == IR_PHI; ++*n) {
        vec_push(&values, join(r, s, g, block, &f->f->insts.at[b->first + *n]));
        ok = values.at[*n] != TERM_NONE;
    }
    for (uint32_t k = 0; ok && k < *n; k++)
        f->values[b->first + k] = values.at[k];
    vec_free(&values);
    return ok;
}

static term compute(struct sx_run *r, const struct sx_state *s,
                    const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    struct ir_type types[4] = {{0}};
    term a[4] = {TERM_NONE};
    if (i->n > 4)
        return TERM_NONE;
    for (uint32_t k = 0; k < i->n; k++) {
        a[k] = operand(r, s, ir_args(f, i)[k]);
        types[k] = ir_type_of(r->ir, f, ir_args(f, i)[k]);
        if (!a[k])
            return TERM_NONE;
    }
    return i->op == IR_SELECT ? term_ite(r->ts, a[0], a[1], a[2])
                              : term_apply(r->ts, i, types, a);
}

// False: some value cannot be said as a term.
static bool compute_block(struct sx_run *r, struct sx_state *s,
                          struct region *g, uint32_t k)
{
    struct frame *f = state_frame(r, s);
    const struct ir_block *b = &f->f->blocks.at[g->blocks[k]];
    uint32_t n;
    if (!find_when(r, s, g, k) || !join_all(r, s, g, g->blocks[k], &n))
        return false;
    for (; n + 1 < b->n; n++) {
        term t = compute(r, s, &f->f->insts.at[b->first + n]);
        if (!t)
            return false;
        f->values[b->first + n] = t;
    }
    return true;
}

// ---- the run's own way ------------------------------------------------------

// At each branch of the way that the run takes, the other side is a choice.
static void pass(struct sx_run *r, struct sx_state *s, const struct region *g)
{
    struct frame *f = state_frame(r, s);
    uint32_t block = g->head;
    while (block != g->at) {
        const struct ir_block *b = &f->f->blocks.at[block];
        uint32_t side = 0, before = live_count(r);
        if (b->n_succs == 2) {
            side = state_eval(r, s, side_of(r, s, block, 0)) == 0;
            f->block = block;
            f->at = b->first + b->n - 1;
            live_choice(r, s,
                        term_and(r->ts, through(r, g, block),
                                 side_of(r, s, block, !side)));
            live_side(r, before, !side);
        }
        block = ir_succs(f->f, b)[side];
        live_entered(r, f->f->id, block);
    }
}

bool take_both(struct sx_run *r, struct sx_state *s, term c)
{
    struct region g;
    uint32_t n;
    if (r->x->apart || !find_region(r, s->top->f, s->top->block, &g) ||
        path_decides(r->ts, &s->path, c) >= 0)
        return false;
    for (uint32_t k = 0; k < g.n; k++)
        if (!compute_block(r, s, &g, k))
            return false;
    if (!join_all(r, s, &g, g.at, &n))
        return false;
    pass(r, s, &g);
    struct frame *f = state_frame(r, s);
    r->x->both++;
    f->block = g.at;
    f->at = f->f->blocks.at[g.at].first + n;
    return true;
}
