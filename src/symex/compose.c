// Using summaries: a call goes through the callee's tree instead of its code.
//
// The frames of the callee stand in for those of the summary: they know where
// they are, so that decisions, turns of loops, traps and the distance to what
// is wanted come out as they do in place, but their values are those of the
// node at hand only.
#include "symex/summary.h"

#include <assert.h>

enum { PARTS_DEEP = 12, JOIN_MAX = 12 };

// ---- variables ----------------------------------------------------------

// Object and offset of an address, also of an ITE of addresses whose offsets
// are one.  False: it has no such form.
static bool parts_of(struct terms *ts, term address, struct sx_pointer *out,
                     unsigned deep)
{
    struct sx_pointer a, b;
    if (sx_pointer(ts, address, out))
        return true;
    if (term_op(ts, address) != IR_SELECT || !deep ||
        !parts_of(ts, term_arg(ts, address, 1), &a, deep - 1) ||
        !parts_of(ts, term_arg(ts, address, 2), &b, deep - 1) ||
        a.offset != b.offset)
        return false;
    out->offset = a.offset;
    out->object = term_ite(ts, term_arg(ts, address, 0), a.object, b.object);
    return true;
}

static void bind_one(struct sx_run *r, struct sx_state *s, term var, term by)
{
    struct sum_bind *new = arena_get(&r->arena, sizeof *new);
    *new = (struct sum_bind){s->binds, var, by};
    s->binds = new;
}

// Is a number an address?
static bool is_address(struct terms *ts, term t, unsigned deep)
{
    struct sx_pointer p;
    if (term_bits(ts, t) != 64 || term_is_const(ts, t))
        return false;
    if (sx_pointer(ts, t, &p))
        return !term_is(ts, p.object, 0);
    return term_op(ts, t) == IR_SELECT &&
           (!deep || is_address(ts, term_arg(ts, t, 1), deep - 1) ||
            is_address(ts, term_arg(ts, t, 2), deep - 1));
}

// A value of the summary is this one here.  False: the terms of the summary
// cannot carry it, because its form says more than its bits.
static bool bind(struct sx_run *r, struct sx_state *s, term of, term by)
{
    struct terms *ts = r->ts;
    struct sx_pointer to, from;
    if (term_op(ts, of) == TERM_VAR) {
        if (is_address(ts, by, PARTS_DEEP))
            return false;
        bind_one(r, s, of, by);
        return true;
    }
    if (!parts_of(ts, by, &from, PARTS_DEEP))
        return false;
    bool is = sx_pointer(ts, of, &to);
    assert(is);
    (void)is;
    bind_one(r, s, to.object, from.object);
    if (term_op(ts, to.offset) == TERM_VAR)
        bind_one(r, s, to.offset, from.offset);
    return true;
}

// A term of the summary in terms of the state.  What was replaced is kept as
// long as states follow that only know more.
static term here(struct sx_run *r, const struct sx_state *s, term t)
{
    const struct sum_bind *from = NULL;
    if (!t || term_is_const(r->ts, t))
        return t;
    for (const struct sum_bind *b = s->binds; b && !from; b = b->up)
        if (b == r->binds)
            from = b;
    if (!from) {
        term_subst_free(r->subst);
        r->subst = term_subst_new(r->ts);
    }
    for (const struct sum_bind *b = s->binds; b != from; b = b->up)
        term_subst_set(r->subst, b->var, b->by);
    r->binds = s->binds;
    return term_subst(r->subst, t);
}

// ---- calling ------------------------------------------------------------

static bool bind_params(struct sx_run *r, struct sx_state *s,
                        const struct sum_tree *m, const term *args, uint32_t n)
{
    bool serves = n == m->f->n_params;
    for (uint32_t i = 0; serves && i < n; i++)
        serves = args[i] &&
                 term_bits(r->ts, args[i]) == term_bits(r->ts, m->params[i]) &&
                 bind(r, s, m->params[i], args[i]);
    return serves;
}

bool sum_call(struct sx_run *r, struct sx_state *s, struct sum_tree *m,
              const term *args, uint32_t n, bool *goes)
{
    const struct sum_bind *before = s->binds;
    bool serves = bind_params(r, s, m, args, n);
    const struct sum_bind *binds = s->binds;
    s->binds = before;
    if (!serves)
        return false;
    *goes = call_fn(r, s, m->f, args, n, FOR_CALLER);
    if (!*goes)
        return true;
    s->node = m->root;
    s->binds = binds;
    s->summary = m;
    s->stand_ins = 1;
    m->counts.used++;
    note_called(r, s, m);
    return true;
}

static void leave(struct sx_state *s)
{
    s->node = NULL;
    s->binds = NULL;
    s->stand_ins = 0;
}

// Fill the frames with the values that they have before the node, and go on in
// place.
static bool go_in_place(struct sx_run *r, struct sx_state *s)
{
    const struct sum_node *n = s->node;
    const struct frame *from = n->top;
    assert(n->depth == s->stand_ins);
    state_own(r, s, n->depth);
    struct frame *f = s->top;
    for (uint32_t d = 0; d < n->depth; d++, f = f->up, from = from->up) {
        assert(f->f == from->f);
        for (uint32_t i = 0; i < f->f->insts.n; i++)
            f->values[i] = here(r, s, from->values[i]);
        f->block = from->block;
        f->at = from->at;
        f->pins = 0;
    }
    leave(s);
    return true;
}

int sum_only(const struct sx_state *s)
{
    const struct sum_node *n = s->node;
    if (!n || n->n_next != 2 || (n->next[0] && n->next[1]))
        return -1;
    return n->next[0] ? 0 : 1;
}

static void set_operands(struct sx_run *r, struct sx_state *s,
                         const struct ir_inst *i)
{
    const struct frame *from = s->node->top;
    struct frame *f = state_frame(r, s);
    assert(f->block == from->block);
    f->at = from->at;
    for (uint32_t k = 0; k < i->n; k++) {
        ir_id v = ir_args(f->f, i)[k];
        if (v != IR_NOTHING && !ir_is_const(v))
            f->values[v] = here(r, s, from->values[v]);
    }
}

// The instruction was done: the summary's value for it is this.
static bool take_result(struct sx_run *r, struct sx_state *s)
{
    const struct sum_node *n = s->node;
    uint32_t at = n->top->at;
    term result = s->top->values[at];
    if (!n->result || bind(r, s, n->result, result)) {
        s->node = n->next[0];
        return true;
    }
    go_in_place(r, s);
    return advance(r, s, result);
}

// ---- one path for all cases ---------------------------------------------

struct joint {
    term result; // TERM_NONE: none
    term bad;    // the cases that end in a trap
};

static bool join_below(struct sx_run *r, struct sx_state *s,
                       const struct sum_node *n, struct joint *out);

static term value_at(struct sx_run *r, struct sx_state *s,
                     const struct sum_node *n, ir_id v)
{
    return ir_is_const(v) ? const_term(r, v) : here(r, s, n->top->values[v]);
}

static bool join_two(struct sx_run *r, struct sx_state *s, term c,
                     const struct sum_node *yes, const struct sum_node *no,
                     struct joint *out)
{
    struct terms *ts = r->ts;
    struct joint a, b;
    int known = !yes ? 0 : !no ? 1 : path_decides(ts, &s->path, c);
    if (known >= 0)
        return join_below(r, s, known ? yes : no, out);
    if (!join_below(r, s, yes, &a) || !join_below(r, s, no, &b))
        return false;
    out->bad = term_ite(ts, c, a.bad, b.bad);
    out->result = a.result && b.result ? term_ite(ts, c, a.result, b.result)
                  : a.result           ? a.result
                                       : b.result;
    return true;
}

static bool join_switch(struct sx_run *r, struct sx_state *s,
                        const struct sum_node *n, const struct ir_inst *i,
                        struct joint *out)
{
    struct terms *ts = r->ts;
    const ir_id *args = ir_args(n->top->f, i);
    term v = value_at(r, s, n, args[0]);
    bool any = false;
    if (!r->o.labels) // a side stands for several labels
        return false;
    for (uint32_t k = n->n_next; k-- > 0;) {
        // The default is what is left when no label is.
        uint32_t side = (k + 1) % n->n_next;
        struct joint one;
        if (!n->next[side])
            continue;
        if (!join_below(r, s, n->next[side], &one))
            return false;
        if (any) {
            term c = term_eq(ts, v, value_at(r, s, n, args[side]));
            out->bad = term_ite(ts, c, one.bad, out->bad);
            out->result = one.result && out->result
                              ? term_ite(ts, c, one.result, out->result)
                          : one.result ? one.result
                                       : out->result;
        } else {
            *out = one;
        }
        any = true;
    }
    return any;
}

// A trap is left out where one path has it already and that is enough.
static bool join_trap(struct sx_run *r, const struct sum_node *n,
                      struct joint *out)
{
    *out = (struct joint){TERM_NONE, term_bool(r->ts, true)};
    return r->o.traps_once &&
           map_get(&r->trapped, map_pair(n->top->f->id, n->top->at)) !=
               MAP_NONE;
}

static bool join_below(struct sx_run *r, struct sx_state *s,
                       const struct sum_node *n, struct joint *out)
{
    const struct ir_fn *f = n->top->f;
    const struct ir_inst *i = &f->insts.at[n->top->at];
    if (f->id == r->x->root)
        return false; // its sides are wanted
    switch ((enum ir_op)i->op) {
    case IR_TRAP:
        return join_trap(r, n, out);
    case IR_SWITCH:
        return join_switch(r, s, n, i, out);
    case IR_SELECT:
    case IR_BRANCH:
        return join_two(r, s, value_at(r, s, n, ir_args(f, i)[0]), n->next[0],
                        n->next[1], out);
    case IR_RETURN:
        if (n->depth > 1)
            break;
        *out = (struct joint){TERM_NONE, term_bool(r->ts, false)};
        if (i->n)
            out->result = value_at(r, s, n, ir_args(f, i)[0]);
        return true;
    default:
        break;
    }
    return join_below(r, s, n->next[0], out);
}

static bool may_join(const struct sx_run *r, const struct sum_tree *m,
                     const struct sum_node *n)
{
    return r->o.join && m->plain && n->joins && n->leaves > 1 &&
           n->leaves <= JOIN_MAX;
}

// All cases below the node as one: the result says which.  False, and nothing
// is done: they cannot be.
static bool join(struct sx_run *r, struct sx_state *s, bool *goes)
{
    struct joint all;
    if (!join_below(r, s, s->node, &all))
        return false;
    *goes = true;
    if (!term_is_false(r->ts, all.bad))
        *goes = assume(r, s, term_not(r->ts, all.bad));
    if (!*goes)
        return true;
    for (; s->stand_ins > 1; s->stand_ins--)
        state_pop(r, s);
    leave(s);
    *goes = call_return(r, s, all.result);
    return true;
}

bool sum_value(struct sx_run *r, struct sx_state *s, struct sum_tree *m,
               const term *args, uint32_t n, term *result)
{
    const struct sum_bind *before = s->binds;
    struct joint all;
    bool ok = may_join(r, m, m->root) && bind_params(r, s, m, args, n) &&
              join_below(r, s, m->root, &all) && term_is_false(r->ts, all.bad);
    s->binds = before;
    if (!ok)
        return false;
    *result = all.result;
    note_called(r, s, m);
    return true;
}

// ---- nodes --------------------------------------------------------------

static bool is_inner_call(const struct sx_run *r, const struct sum_node *n,
                          const struct ir_inst *i)
{
    return i->op == IR_CALL &&
           r->ir->fns.at[ir_as_fn(r->ir, ir_args(n->top->f, i)[0])]->defined;
}

static bool inner_call(struct sx_run *r, struct sx_state *s,
                       const struct ir_inst *i)
{
    const struct ir_fn *f = s->top->f;
    term none[64] = {TERM_NONE};
    uint32_t fn = ir_as_fn(r->ir, ir_args(f, i)[0]);
    if (!call_fn(r, s, r->ir->fns.at[fn], none, i->n - 1, FOR_CALLER))
        return false;
    s->stand_ins++;
    s->node = s->node->next[0];
    return true;
}

static bool inner_return(struct sx_run *r, struct sx_state *s)
{
    s->stand_ins--;
    s->node = s->node->next[0];
    return call_return(r, s, TERM_NONE);
}

bool sum_step(struct sx_run *r, struct sx_state *s)
{
    const struct sum_node *n = s->node;
    if (n->open) {
        s->steps += n->skipped;
        s->steps--; // it is done again in place
        return go_in_place(r, s);
    }
    const struct ir_inst *i = &n->top->f->insts.at[n->top->at];
    struct sum_tree *m = s->summary;
    bool goes;
    if (may_join(r, m, n) && join(r, s, &goes)) {
        m->counts.joined++;
        return goes;
    }
    bool inner = is_inner_call(r, n, i);
    if (s->top->at != n->top->at) // else it stands there again, after a fork
        s->steps += n->skipped;
    if (inner || (i->op == IR_RETURN && s->stand_ins > 1)) {
        state_frame(r, s)->at = n->top->at;
        return inner ? inner_call(r, s, i) : inner_return(r, s);
    }
    set_operands(r, s, i);
    if (i->op == IR_RETURN) {
        leave(s);
        return step_in_place(r, s);
    }
    if (ir_op_group((enum ir_op)i->op) == IR_G_END ||
        (i->op == IR_SELECT && r->o.selects))
        return step_in_place(r, s); // takes a side: sum_side()
    return step_in_place(r, s) && take_result(r, s);
}
