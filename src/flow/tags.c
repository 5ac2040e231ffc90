// TAP's two optimisations (4.3) for a handler that tests a field of its
// message.
//
// One handler per message type makes them free.  Where a handler branches on
// a field (`switch (msg->kind)`), messages are told apart by the constant in
// it: a block is analysed only when a message whose tag passes the tests can
// come (the first), and below a test the message parameter has only those
// messages (the second).  Constants travel as locations: small numbers that
// are cases of some test have one each, all other numbers share one.
#include "flow/inner.h"

enum { NUMBERS_MAX = 64, OTHER = 0x1000 };

uint32_t number_loc(struct flow_inner *f, int64_t x)
{
    struct pts_object o = {.kind = OBJECT_NUMBER, .of = 0};
    uint32_t id = object_of(f, o, 0);
    if (x < 0 || x > 127) // signs and widths might differ
        return f->any_number;
    for (uint32_t i = 0; i < f->numbers.n; i++)
        if (f->numbers.at[i] == x)
            return pts_loc(&f->pts, id, (uint32_t)x);
    return pts_loc(&f->pts, id, OTHER);
}

// ---- tests of a tag -----------------------------------------------------

// Is v a field of the message, loaded?  Then at which offset?
static bool loads_field(const struct ir_fn *fn, ir_id v, uint32_t *offset)
{
    while (!ir_is_const(v) && v != IR_NOTHING &&
           (fn->insts.at[v].op == IR_ZEXT || fn->insts.at[v].op == IR_SEXT))
        v = ir_args(fn, &fn->insts.at[v])[0];
    if (v == IR_NOTHING || ir_is_const(v) || fn->insts.at[v].op != IR_LOAD)
        return false;
    const struct ir_inst *load = &fn->insts.at[v];
    ir_id p = ir_args(fn, load)[0];
    if (load->type.kind != IR_INT || load->type.bits > 32 || ir_is_const(p))
        return false;
    *offset = 0;
    if (fn->insts.at[p].op == IR_FIELD) {
        *offset = (uint32_t)fn->insts.at[p].imm;
        p = ir_args(fn, &fn->insts.at[p])[0];
    }
    return p == 2 && fn->is_handler && fn->n_params == 3;
}

// A branch or switch on a field; for a branch, the constant and the successor
// that is taken if it is equal.
struct test {
    uint32_t offset;
    const struct ir_inst *end;
    ir_id equal_to;
    uint32_t if_equal;
};

static bool is_test(const struct ir *ir, const struct ir_fn *fn, uint32_t block,
                    struct test *t)
{
    const struct ir_block *b = &fn->blocks.at[block];
    t->end = &fn->insts.at[b->first + b->n - 1];
    if (t->end->op == IR_SWITCH)
        return loads_field(fn, ir_args(fn, t->end)[0], &t->offset);
    if (t->end->op != IR_BRANCH || ir_is_const(ir_args(fn, t->end)[0]))
        return false;
    const struct ir_inst *c = &fn->insts.at[ir_args(fn, t->end)[0]];
    if (c->op != IR_EQ && c->op != IR_NE)
        return false;
    t->equal_to = ir_args(fn, c)[1];
    t->if_equal = c->op == IR_EQ ? 0 : 1;
    return ir_is_const(t->equal_to) &&
           ir_const_at(ir, t->equal_to)->kind == IR_C_INT &&
           loads_field(fn, ir_args(fn, c)[0], &t->offset);
}

static bool is_case(const struct ir *ir, ir_id c, int64_t tag)
{
    return tag >= 0 && ir_const_at(ir, c)->lo == (uint64_t)tag;
}

// May a message with this tag take successor s of the test?
static bool admits(const struct ir *ir, const struct ir_fn *fn,
                   const struct test *t, uint32_t s, int64_t tag)
{
    if (tag < 0) // any
        return true;
    if (t->end->op == IR_BRANCH)
        return (s == t->if_equal) == is_case(ir, t->equal_to, tag);
    if (s)
        return is_case(ir, ir_args(fn, t->end)[s], tag);
    for (uint32_t i = 1; i < t->end->n; i++)
        if (is_case(ir, ir_args(fn, t->end)[i], tag))
            return false;
    return true;
}

// ---- finding them -------------------------------------------------------

static void add_number(struct flow_inner *f, ir_id c)
{
    int64_t x = (int64_t)ir_const_at(f->ir, c)->lo;
    for (uint32_t i = 0; i < f->numbers.n; i++)
        if (f->numbers.at[i] == x)
            return;
    if (x >= 0 && x <= 127 && f->numbers.n < NUMBERS_MAX)
        vec_push(&f->numbers, x);
}

static void add_offset(struct flow_inner *f, uint32_t offset)
{
    for (uint32_t i = 0; i < f->tag_offsets.n; i++)
        if (f->tag_offsets.at[i] == offset)
            return;
    vec_push(&f->tag_offsets, offset);
}

// The field tested against the most constants; at least two make it a tag.
static void find_tag(struct flow_inner *f, const struct ir_fn *fn)
{
    uint32_t best = IR_NOTHING, most = 1;
    struct test t, u;
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        uint32_t cases = 0;
        if (!is_test(f->ir, fn, b, &t))
            continue;
        for (uint32_t k = 0; k < fn->blocks.n; k++)
            if (is_test(f->ir, fn, k, &u) && u.offset == t.offset)
                cases += u.end->op == IR_SWITCH ? u.end->n - 1 : 1;
        if (cases > most) {
            most = cases;
            best = t.offset;
        }
    }
    f->tag_offset[fn->id] = best;
    if (best == IR_NOTHING)
        return;
    add_offset(f, best);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        if (!is_test(f->ir, fn, b, &t) || t.offset != best)
            continue;
        if (t.end->op == IR_BRANCH)
            add_number(f, t.equal_to);
        for (uint32_t i = 1; t.end->op == IR_SWITCH && i < t.end->n; i++)
            add_number(f, ir_args(fn, t.end)[i]);
    }
}

void find_tags(struct flow_inner *f)
{
    struct pts_object o = {.kind = OBJECT_NUMBER, .of = 0};
    f->any_number = pts_loc(&f->pts, object_of(f, o, 0), OTHER + 1);
    for (uint32_t i = 0; i < f->ir->fns.n; i++) {
        f->tag_offset[i] = IR_NOTHING;
        if (f->ir->fns.at[i]->is_handler && !f->baseline)
            find_tag(f, f->ir->fns.at[i]);
    }
    f->pts.tags = f->tag_offsets.at;
    f->pts.n_tags = f->tag_offsets.n;
    f->pts.any = f->any_number;
}

// All handlers of a message at a class must agree.
uint32_t tag_of(struct flow_inner *f, uint32_t cls, uint32_t msg)
{
    uint32_t found = IR_NOTHING;
    bool first = true;
    (void)cls;
    for (uint32_t b = 0; f->tag_offsets.n && b < f->ir->behaviours.n; b++) {
        const struct ir_behaviour *k = &f->ir->behaviours.at[b];
        for (uint32_t i = 0; i < k->n; i++) {
            if (k->rows[i].msg != msg || k->rows[i].fn == IR_NOTHING)
                continue;
            uint32_t at = f->tag_offset[k->rows[i].fn];
            if (!first && at != found)
                return IR_NOTHING;
            found = at;
            first = false;
        }
    }
    return found;
}

// ---- following ----------------------------------------------------------

static bool is_own_test(const struct flow_inner *f, uint32_t fn, uint32_t block,
                        struct test *t)
{
    return f->tag_offset[fn] != IR_NOTHING &&
           is_test(f->ir, f->ir->fns.at[fn], block, t) &&
           t->offset == f->tag_offset[fn];
}

static void follow_tag(struct flow_inner *f, uint32_t instance, uint32_t block,
                       const struct test *t, int64_t tag)
{
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[instance].fn];
    const struct ir_block *b = &fn->blocks.at[block];
    for (uint32_t s = 0; s < b->n_succs; s++)
        if (admits(f->ir, fn, t, s, tag))
            gen_activate(f, instance, ir_succs(fn, b)[s]);
}

void tags_follow(struct flow_inner *f, uint32_t instance, uint32_t block)
{
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[instance].fn];
    const struct ir_block *b = &fn->blocks.at[block];
    struct test t;
    if (!is_own_test(f, fn->id, block, &t)) {
        for (uint32_t s = 0; s < b->n_succs; s++)
            gen_activate(f, instance, ir_succs(fn, b)[s]);
        return;
    }
    for (uint32_t i = 0; i < f->instances.at[instance].messages.n; i++)
        follow_tag(f, instance, block, &t,
                   f->instances.at[instance].messages.at[i].tag);
}

// Does a message with this tag get into a block below a test?
static bool passes(const struct flow_inner *f, const struct ir_fn *fn,
                   uint32_t block, int64_t tag)
{
    const struct ir_block *b = &fn->blocks.at[block];
    uint32_t from = ir_preds(fn, b)[0];
    const struct ir_block *p = &fn->blocks.at[from];
    struct test t;
    if (!is_own_test(f, fn->id, from, &t))
        return true;
    for (uint32_t s = 0; s < p->n_succs; s++)
        if (ir_succs(fn, p)[s] == block && admits(f->ir, fn, &t, s, tag))
            return true;
    return false;
}

void tag_arrives(struct flow_inner *f, uint32_t instance, int64_t tag,
                 uint32_t loc)
{
    struct instance *in = &f->instances.at[instance];
    const struct ir_fn *fn = f->ir->fns.at[in->fn];
    struct test t;
    for (uint32_t i = 0; i < in->messages.n; i++)
        if (in->messages.at[i].tag == tag && in->messages.at[i].loc == loc)
            return;
    vec_push(&in->messages, ((struct arrived){tag, loc}));
    for (uint32_t i = 0; i < in->narrowed.n; i++)
        if (passes(f, fn, in->narrowed.at[i].block, tag))
            pts_add(&f->pts, in->narrowed.at[i].node, loc);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        if (f->instances.at[instance].active[b] &&
            is_own_test(f, fn->id, b, &t))
            follow_tag(f, instance, b, &t, tag);
}

// The innermost block around this one that a test alone leads to.
static uint32_t tested_block(const struct flow_inner *f, const struct ir_fn *fn,
                             uint32_t block)
{
    struct test t;
    for (; block != IR_NOTHING; block = fn->blocks.at[block].idom) {
        const struct ir_block *b = &fn->blocks.at[block];
        if (b->n_preds == 1 && is_own_test(f, fn->id, ir_preds(fn, b)[0], &t))
            return block;
    }
    return IR_NOTHING;
}

uint32_t narrowed_node(struct flow_inner *f, uint32_t instance, uint32_t block)
{
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[instance].fn];
    if (f->tag_offset[fn->id] == IR_NOTHING)
        return IR_NOTHING;
    uint32_t at = tested_block(f, fn, block);
    if (at == IR_NOTHING)
        return IR_NOTHING;
    for (uint32_t i = 0; i < f->instances.at[instance].narrowed.n; i++)
        if (f->instances.at[instance].narrowed.at[i].block == at)
            return f->instances.at[instance].narrowed.at[i].node;
    uint32_t node = pts_node(&f->pts);
    struct instance *in = &f->instances.at[instance];
    vec_push(&in->narrowed, ((struct narrowed){at, node}));
    for (uint32_t i = 0; i < in->messages.n; i++)
        if (passes(f, fn, at, in->messages.at[i].tag))
            pts_add(&f->pts, node, in->messages.at[i].loc);
    return node;
}
