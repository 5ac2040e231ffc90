// Both sides of a branch at once, where they only compute values.
//
// A run that follows one input would learn at each branch which side that input
// takes.  Of `crc & 1 ? crc >> 1 ^ POLY : crc >> 1` eight times a byte such
// conditions leave nothing of the byte to choose.  So where both sides come to
// one block without touching memory, the run goes on there with an ITE for each
// value, and learns nothing.  That the other side was not taken is still a
// choice.
#include "symex/engine.h"

enum { INSTS_MOST = 24 };

// What a side may do: arithmetic on numbers.
static bool is_plain(const struct sx_run *r, const struct ir_fn *f,
                     const struct ir_inst *i)
{
    if (ir_op_group((enum ir_op)i->op) != IR_G_VALUE || i->op == IR_PHI ||
        i->op == IR_PARAM ||
        (i->type.kind != IR_INT && i->type.kind != IR_FLOAT))
        return false;
    for (uint32_t k = 0; k < i->n; k++) {
        struct ir_type t = ir_type_of(r->ir, f, ir_args(f, i)[k]);
        if (t.kind != IR_INT && t.kind != IR_FLOAT)
            return false;
    }
    return true;
}

// The block behind a side that is nothing but arithmetic; IR_NOTHING: it is
// more.
static uint32_t behind(const struct sx_run *r, const struct ir_fn *f,
                       uint32_t block)
{
    const struct ir_block *b = &f->blocks.at[block];
    if (b->n_preds != 1 || b->n_succs != 1 || b->n > INSTS_MOST ||
        f->insts.at[b->first + b->n - 1].op != IR_JUMP)
        return IR_NOTHING;
    for (uint32_t k = 0; k + 1 < b->n; k++)
        if (!is_plain(r, f, &f->insts.at[b->first + k]))
            return IR_NOTHING;
    return ir_succs(f, b)[0];
}

// Where the sides meet; IR_NOTHING: they do more than compute, or the block is
// the head of a loop.  from[k] is the block that side k comes from.
static uint32_t meeting(const struct sx_run *r, const struct ir_fn *f,
                        uint32_t block, uint32_t *from)
{
    const uint32_t *to = ir_succs(f, &f->blocks.at[block]);
    uint32_t after[2] = {behind(r, f, to[0]), behind(r, f, to[1])}, at;
    if (to[0] == to[1])
        return IR_NOTHING;
    if (after[0] != IR_NOTHING && after[0] == after[1])
        at = after[0];
    else if (after[0] == to[1])
        at = to[1];
    else if (after[1] == to[0])
        at = to[0];
    else
        return IR_NOTHING;
    for (int k = 0; k < 2; k++)
        from[k] = to[k] == at ? block : to[k];
    return f->blocks.at[at].loop == at ? IR_NOTHING : at;
}

static term value_from(struct sx_run *r, const struct sx_state *s,
                       uint32_t block, const struct ir_inst *phi, uint32_t from)
{
    const struct ir_fn *f = s->top->f;
    const uint32_t *preds = ir_preds(f, &f->blocks.at[block]);
    uint32_t k = 0;
    while (k + 1 < f->blocks.at[block].n_preds && preds[k] != from)
        k++;
    return operand(r, s, ir_args(f, phi)[k]);
}

// Compute a side.  False: some value cannot be said as a term.
static bool compute_side(struct sx_run *r, struct sx_state *s, uint32_t block)
{
    struct frame *f = state_frame(r, s);
    const struct ir_block *b = &f->f->blocks.at[block];
    for (uint32_t k = 0; k + 1 < b->n; k++) {
        const struct ir_inst *i = &f->f->insts.at[b->first + k];
        struct ir_type types[4] = {{0}};
        term a[4] = {TERM_NONE};
        for (uint32_t n = 0; n < i->n && n < 4; n++) {
            a[n] = operand(r, s, ir_args(f->f, i)[n]);
            types[n] = ir_type_of(r->ir, f->f, ir_args(f->f, i)[n]);
            if (!a[n])
                return false;
        }
        term t = i->n > 4             ? TERM_NONE
                 : i->op == IR_SELECT ? term_ite(r->ts, a[0], a[1], a[2])
                                      : term_apply(r->ts, i, types, a);
        if (!t)
            return false;
        f->values[b->first + k] = t;
    }
    return true;
}

// One value for each phi of the block where they meet.
static bool join(struct sx_run *r, struct sx_state *s, uint32_t at, term c,
                 const uint32_t *from, uint32_t *n)
{
    struct frame *f = state_frame(r, s);
    const struct ir_block *b = &f->f->blocks.at[at];
    VEC(term) values = {0};
    bool ok = true;
    for (*n = 0; f->f->insts.at[b->first + *n].op == IR_PHI; ++*n) {
        const struct ir_inst *phi = &f->f->insts.at[b->first + *n];
        term yes = value_from(r, s, at, phi, from[0]);
        term no = value_from(r, s, at, phi, from[1]);
        ok &= yes && no &&
              (yes == no || phi->type.kind == IR_INT ||
               phi->type.kind == IR_FLOAT);
        vec_push(&values, ok ? term_ite(r->ts, c, yes, no) : TERM_NONE);
    }
    for (uint32_t k = 0; ok && k < *n; k++)
        f->values[b->first + k] = values.at[k];
    vec_free(&values);
    return ok;
}

bool take_both(struct sx_run *r, struct sx_state *s, term c)
{
    const struct ir_fn *fn = s->top->f;
    uint32_t from[2], block = s->top->block, n;
    uint32_t at = r->x->apart ? IR_NOTHING : meeting(r, fn, block, from);
    if (at == IR_NOTHING || path_decides(r->ts, &s->path, c) >= 0)
        return false;
    for (int k = 0; k < 2; k++)
        if (from[k] != block && !compute_side(r, s, from[k]))
            return false;
    if (!join(r, s, at, c, from, &n))
        return false;
    bool yes = state_eval(r, s, c) != 0;
    uint32_t before = live_count(r);
    live_choice(r, s, yes ? term_not(r->ts, c) : c);
    live_side(r, before, yes);
    if (from[!yes] != block)
        live_entered(r, fn->id, from[!yes]);
    live_entered(r, fn->id, at);
    struct frame *f = state_frame(r, s);
    r->x->both++;
    f->block = at;
    f->at = fn->blocks.at[at].first + n;
    return true;
}
