// Functions without a body: what they do with pointers.
//
// Those of the C library are in the table of base/libc.h.  An unknown one may
// do anything with what it is given (outside.c), and is noted among the doubts:
// it may send messages too.
#include "flow/inner.h"

#include "base/libc.h"

#include <string.h>

// Functions of our library that neither keep nor return what they are given.
static const char *const ours[] = {
    "tr_run_",     "tr_start_",   "tr_wait",       "tr_shutdown",
    "tr_end",      "tr_enter",    "tr_leave",      "tr_block_when_full",
    "tr_strerror", "tr_stats_of", "tr_mailbox_of",
};

// What a function without a body does, in words of enum libc_does.
static uint32_t does_of(const char *name)
{
    const struct libc_row *row = libc_find(name);
    if (row)
        return row->does;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(ours[i], name) == 0)
            return LIBC_PLAIN;
    return LIBC_ANYTHING;
}

bool is_allocator(const char *name)
{
    return does_of(name) & LIBC_FRESH;
}

bool is_sized_allocator(const char *name)
{
    return does_of(name) & LIBC_SIZED;
}

// Is the result new memory, whatever the arguments are?
static bool is_always_fresh(const char *name)
{
    uint32_t does = does_of(name);
    return (does & LIBC_FRESH) &&
           ((does & LIBC_FROM0) || !(does & (LIBC_RESULT0 | LIBC_RESULT1)));
}

bool is_blocking(const char *name)
{
    return does_of(name) & LIBC_BLOCKS;
}

bool is_known(const char *name)
{
    return !(does_of(name) & LIBC_ANYTHING);
}

// ---- constraints --------------------------------------------------------

static uint32_t node_of(struct flow_inner *f, uint32_t op, uint32_t arg)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    const struct ir_inst *i = &fn->insts.at[o->inst];
    if (arg + 1 >= i->n)
        return IR_NOTHING;
    return value_node(f, o->instance, ir_args(fn, i)[arg + 1],
                      ir_block_of(fn, o->inst));
}

static uint32_t result_of(struct flow_inner *f, uint32_t op)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    return value_node(f, o->instance, o->inst, ir_block_of(fn, o->inst));
}

static void copy_memory(struct flow_inner *f, uint32_t to, uint32_t from)
{
    if (to != IR_NOTHING && from != IR_NOTHING)
        pts_transfer(&f->pts, to, from, UINT32_MAX);
}

// Functions among the locations of `callback` are called with `given` as each
// of their parameters.
static void call_back(struct flow_inner *f, uint32_t op, uint32_t callback,
                      const uint32_t *given, uint32_t n)
{
    uint32_t ctx = f->instances.at[f->ops.at[op].instance].ctx;
    if (callback == IR_NOTHING)
        return;
    struct set now = {0}, unused = {0};
    set_join(&now, pts_of(&f->pts, callback), &unused);
    for (struct set_walk w = {.of = &now}; set_next(&w);) {
        const struct pts_object *o = pts_object_at(&f->pts, w.x);
        if (o->kind != OBJECT_FUNCTION || !f->ir->fns.at[o->of]->defined)
            continue;
        const struct ir_fn *fn = f->ir->fns.at[o->of];
        uint32_t to = instance_get(f, fn->id, ctx);
        if (!gen_seen(f, 2, op, fn->id))
            vec_push(&f->instances.at[f->ops.at[op].instance].callees, to);
        for (uint32_t p = 0; p < fn->n_params; p++)
            for (uint32_t k = 0; k < n; k++)
                if (given[k] != IR_NOTHING)
                    pts_copy(&f->pts, given[k], param_node(f, to, p));
    }
    set_free(&now);
    set_free(&unused);
}

// Elements of an array, all of which its first then stands for: the node of a
// pointer to any of them.  Arguments by number; size IR_NOTHING: bytes.
static uint32_t elements(struct flow_inner *f, uint32_t op, uint32_t array,
                         uint32_t size)
{
    ir_id by = size == IR_NOTHING ? IR_NOTHING : op_arg(f, op, size + 1);
    bool known = by == IR_NOTHING ||
                 (ir_is_const(by) && ir_const_at(f->ir, by)->kind == IR_C_INT);
    uint32_t a = node_of(f, op, array), any = pts_node(&f->pts);
    struct pts_constraint c = {ON_INDEX, any, 0, 1};
    if (by != IR_NOTHING && known)
        c.imm = (int64_t)ir_const_at(f->ir, by)->lo;
    if (a == IR_NOTHING)
        return any;
    if (!known)
        c = (struct pts_constraint){ON_BLUR, any, 0, 0};
    pts_on(&f->pts, a, c);
    if (!known)
        pts_on(&f->pts, any,
               (struct pts_constraint){ON_LOAD, pts_node(&f->pts), 1, 0});
    return any;
}

// Functions come as arguments sooner or later: each time one does, those that
// an external function may call are called.
static void call_backs(struct flow_inner *f, uint32_t op, const char *name)
{
    uint32_t does = does_of(name);
    uint32_t given[16], n = 0;
    while (n < 16 && n + 1 < op_inst(f, op)->n) {
        given[n] = node_of(f, op, n);
        n++;
    }
    if ((does & LIBC_CALLS3) && n > 3) {
        call_back(f, op, given[3], given, 1);
        if (n > 4)
            call_back(f, op, given[3], given + 4, 1);
    }
    if ((does & LIBC_CALLS4) && n > 4)
        call_back(f, op, given[4], given, 2);
}

static void watch_arguments(struct flow_inner *f, uint32_t op)
{
    for (uint32_t i = 0; i + 1 < op_inst(f, op)->n; i++) {
        uint32_t n = node_of(f, op, i);
        if (n != IR_NOTHING && !gen_seen(f, 3, op, i))
            pts_on(&f->pts, n,
                   (struct pts_constraint){ON_EVENT, op, 0, -2 - (int64_t)i});
    }
}

static void load_at(struct flow_inner *f, uint32_t at, uint32_t to)
{
    if (at != IR_NOTHING && to != IR_NOTHING)
        pts_on(&f->pts, at,
               (struct pts_constraint){ON_LOAD, to, sizeof(void *), 0});
}

static void store_at(struct flow_inner *f, uint32_t at, uint32_t what)
{
    if (at != IR_NOTHING)
        pts_on(&f->pts, at,
               (struct pts_constraint){ON_STORE, what, sizeof(void *), 0});
}

// New memory is stored where the first argument points.
static void store_fresh(struct flow_inner *f, uint32_t op, uint32_t at)
{
    if (at == IR_NOTHING)
        return;
    uint32_t fresh = pts_node(&f->pts);
    pts_add(&f->pts, fresh, pts_loc(&f->pts, heap_at(f, op, 0), 0));
    store_at(f, at, fresh);
}

// Pointers to bytes of a text: where a search ended, or the next one begins.
static void call_on_text(struct flow_inner *f, uint32_t op, uint32_t does)
{
    uint32_t result = result_of(f, op), into = pts_node(&f->pts);
    if (does & (LIBC_INTO0 | LIBC_END_AT1))
        into = elements(f, op, 0, IR_NOTHING);
    if (does & (LIBC_REST_AT0 | LIBC_REST_AT2)) {
        uint32_t at = node_of(f, op, does & LIBC_REST_AT0 ? 0 : 2);
        load_at(f, at, into);
        pts_on(&f->pts, into, (struct pts_constraint){ON_INDEX, into, 0, 1});
        store_at(f, at, into);
    }
    if (does & LIBC_END_AT1)
        store_at(f, node_of(f, op, 1), into);
    if (does & LIBC_REST_KEPT) {
        pts_copy(&f->pts, into, f->kept_text);
        pts_copy(&f->pts, f->kept_text, into);
    }
    if (!(does & LIBC_END_AT1) && result != IR_NOTHING)
        pts_copy(&f->pts, into, result);
}

enum {
    ON_TEXT = LIBC_INTO0 | LIBC_END_AT1 | LIBC_REST_AT0 | LIBC_REST_AT2 |
              LIBC_REST_KEPT
};

bool external_writes(const struct flow_inner *f, const struct ir_fn *caller,
                     const struct ir_inst *call, uint32_t k)
{
    uint32_t to = ir_as_fn(f->ir, ir_args(caller, call)[0]);
    uint32_t does =
        to == IR_NOTHING ? LIBC_ANYTHING : does_of(f->ir->fns.at[to]->name);
    return !(does & LIBC_CALLS4) && (!k || !(does & LIBC_WRITES0)) &&
           !ir_only_reads(f->ir, caller, call);
}

// Numbers in memory that it may write may be any afterwards.
static void fill_arguments(struct flow_inner *f, uint32_t op)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    for (uint32_t k = 0; f->numbers.n && k + 1 < op_inst(f, op)->n; k++) {
        uint32_t n = node_of(f, op, k);
        if (n != IR_NOTHING && external_writes(f, fn, op_inst(f, op), k))
            pts_on(&f->pts, n, (struct pts_constraint){.kind = ON_FILL});
    }
}

static void call_known(struct flow_inner *f, uint32_t op, uint32_t does)
{
    static const uint32_t returns[] = {LIBC_RESULT0, LIBC_RESULT1,
                                       LIBC_RESULT2};
    uint32_t a = node_of(f, op, 0), r = result_of(f, op);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t n = does & returns[i] ? node_of(f, op, i) : IR_NOTHING;
        if (n != IR_NOTHING && r != IR_NOTHING)
            pts_copy(&f->pts, n, r);
    }
    if (does & LIBC_COPIES)
        copy_memory(f, a, node_of(f, op, 1));
    if (does & LIBC_FROM0)
        copy_memory(f, r, a);
    if (does & LIBC_FRESH_AT0)
        store_fresh(f, op, a);
    if (does & ON_TEXT)
        call_on_text(f, op, does);
    if (does & LIBC_CALLS3)
        elements(f, op, 0, 2);
    if (does & LIBC_CALLS4 && r != IR_NOTHING)
        pts_copy(&f->pts, elements(f, op, 1, 3), r);
    if (does & (LIBC_CALLS3 | LIBC_CALLS4))
        watch_arguments(f, op);
}

void gen_external(struct flow_inner *f, uint32_t op, uint32_t fn)
{
    uint32_t does = does_of(f->ir->fns.at[fn]->name);
    uint32_t r = result_of(f, op);
    fill_arguments(f, op);
    if (f->numbers.n && r != IR_NOTHING)
        pts_add(&f->pts, r, f->any_number);
    if (does & LIBC_ANYTHING)
        call_outside(f, op);
    else
        call_known(f, op, does);
}

// A call by pointer may have several callees: each without a body is looked at.
void external_event(struct flow_inner *f, uint32_t op)
{
    const struct op *o = &f->ops.at[op];
    const struct ir_fn *fn = f->ir->fns.at[f->instances.at[o->instance].fn];
    uint32_t to = ir_as_fn(f->ir, ir_args(fn, op_inst(f, op))[0]);
    call_backs(f, op, to == IR_NOTHING ? "" : f->ir->fns.at[to]->name);
}

// ---- allocating functions -----------------------------------------------

// Is this use of a fresh pointer harmless: an access through it, a field of
// it, a comparison?
static bool keeps_none(const struct flow_inner *f, const struct ir_fn *fn,
                       uint32_t user, ir_id v)
{
    const struct ir_inst *i = &fn->insts.at[user];
    const ir_id *a = ir_args(fn, i);
    switch ((enum ir_op)i->op) {
    case IR_STORE:
        return a[0] != v;
    case IR_LOAD:
    case IR_EQ:
    case IR_NE:
    case IR_SET:
    case IR_RETURN:
        return true;
    case IR_COPY:
    case IR_MOVE:
        return a[1] != v;
    case IR_CALL: {
        uint32_t to = ir_as_fn(f->ir, a[0]);
        return to != IR_NOTHING && !f->ir->fns.at[to]->defined &&
               is_known(f->ir->fns.at[to]->name);
    }
    default:
        return false;
    }
}

// Everything derived from the value, by phi, select, field or index.
static bool stays_inside(const struct flow_inner *f, const struct ir_fn *fn,
                         uint32_t v, bool *mark)
{
    if (mark[v])
        return true;
    mark[v] = true;
    for (uint32_t u = fn->n_params; u < fn->insts.n; u++) {
        const struct ir_inst *i = &fn->insts.at[u];
        bool uses = false;
        for (uint32_t k = 0; k < i->n; k++)
            uses |= ir_args(fn, i)[k] == v;
        if (!uses)
            continue;
        if (i->op == IR_PHI || i->op == IR_SELECT || i->op == IR_FIELD ||
            i->op == IR_INDEX || i->op == IR_BITS) {
            if (!stays_inside(f, fn, u, mark))
                return false;
        } else if (!keeps_none(f, fn, u, v)) {
            return false;
        }
    }
    return true;
}

static bool is_fresh_call(const struct flow_inner *f, const struct ir_fn *fn,
                          uint32_t v)
{
    const struct ir_inst *i = &fn->insts.at[v];
    if (i->op != IR_CALL)
        return false;
    uint32_t to = ir_as_fn(f->ir, ir_args(fn, i)[0]);
    return to != IR_NOTHING &&
           (f->wrapper[to] || (!f->ir->fns.at[to]->defined &&
                               is_always_fresh(f->ir->fns.at[to]->name)));
}

// The value is fresh memory, or null.
static bool is_fresh(const struct flow_inner *f, const struct ir_fn *fn,
                     ir_id v, int depth)
{
    if (v == IR_NOTHING || depth > 8)
        return false;
    if (ir_is_const(v))
        return ir_const_at(f->ir, v)->kind == IR_C_INT;
    const struct ir_inst *i = &fn->insts.at[v];
    if (i->op != IR_PHI && i->op != IR_SELECT)
        return is_fresh_call(f, fn, v);
    for (uint32_t k = i->op == IR_SELECT; k < i->n; k++)
        if (!is_fresh(f, fn, ir_args(fn, i)[k], depth + 1))
            return false;
    return true;
}

static bool is_wrapper(const struct flow_inner *f, const struct ir_fn *fn)
{
    bool returns = false, ok = true;
    struct arena scratch = {0};
    if (!fn->defined || fn->result.kind != IR_PTR)
        return false;
    bool *mark = arena_zero(&scratch, fn->insts.n + 1);
    for (uint32_t i = 0; i < fn->insts.n && ok; i++) {
        const struct ir_inst *in = &fn->insts.at[i];
        if (in->op == IR_RETURN) {
            ok = in->n && is_fresh(f, fn, ir_args(fn, in)[0], 0);
            returns = true;
        } else if (is_fresh_call(f, fn, i)) {
            ok = stays_inside(f, fn, i, mark);
        }
    }
    arena_free(&scratch);
    return returns && ok;
}

void find_wrappers(struct flow_inner *f)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t k = 0; k < f->ir->fns.n; k++)
            if (!f->wrapper[k] && is_wrapper(f, f->ir->fns.at[k]))
                f->wrapper[k] = again = true;
    }
}
