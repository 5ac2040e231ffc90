// Loops in one step, for answers that must hold however often they turn.
//
// Where a path enters a loop, all that a turn may change becomes unknown: the
// phis of the head, and the objects that the body writes to.  Then the body is
// run once.  A path that comes back to the head is in a state that the unknown
// one includes, so it ends there; a path that leaves goes on.  So every run of
// the loop is among these paths, and more besides: what none of them reaches
// nobody reaches.
//
// Loops whose writes cannot be told beforehand are run turn by turn.
#include "symex/wide.h"
#include "symex/libc.h"

#include "base/die.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_DEEP = 4, BYTES_MOST = 1024 };

ir_id root_of(const struct ir_fn *f, ir_id v)
{
    while (v != IR_NOTHING && !ir_is_const(v) &&
           (f->insts.at[v].op == IR_FIELD || f->insts.at[v].op == IR_INDEX))
        v = ir_args(f, &f->insts.at[v])[0];
    return v;
}

static bool is_inside(const struct ir_fn *f, const bool *body, ir_id v)
{
    if (v == IR_NOTHING || ir_is_const(v))
        return false;
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        if (v >= k->first && v < k->first + k->n)
            return body[b];
    }
    return f->insts.at[v].op != IR_PARAM; // these stand before all blocks
}

struct write extent(const struct ir_fn *f, ir_id v, uint64_t bytes)
{
    struct write w = {root_of(f, v), 0, bytes};
    for (; v != w.root; v = ir_args(f, &f->insts.at[v])[0]) {
        const struct ir_inst *i = &f->insts.at[v];
        if (!w.to)
            continue;
        if (i->op == IR_INDEX && !i->count)
            w.to = 0;
        else if (i->op == IR_INDEX)
            w.from = 0, w.to = (uint64_t)i->count * (uint64_t)i->imm;
        else if ((int64_t)i->imm < 0)
            w.to = 0;
        else
            w.from += (uint64_t)i->imm, w.to += (uint64_t)i->imm;
    }
    return w;
}

static bool add_write(struct writes *w, const struct ir_fn *f, const bool *body,
                      const struct ir_inst *i)
{
    bool store = i->op == IR_STORE;
    uint32_t bytes = store ? ir_bytes(i->type) : 0;
    struct write new = extent(f, ir_args(f, i)[store ? 1 : 0], bytes);
    if (new.root == IR_NOTHING || is_inside(f, body, new.root) ||
        w->n == WRITES_MOST)
        return false;
    w->at[w->n++] = new;
    return true;
}

static bool callee_only_reads(const struct ir *ir, const struct ir_fn *f,
                              const struct ir_inst *call, unsigned deep);

// Does this function change nothing but its own locals?
static bool fn_only_reads(const struct ir *ir, const struct ir_fn *f,
                          unsigned deep)
{
    for (uint32_t k = 0; k < f->insts.n; k++) {
        const struct ir_inst *i = &f->insts.at[k];
        ir_id root;
        switch ((enum ir_op)i->op) {
        case IR_STORE:
        case IR_COPY:
        case IR_MOVE:
        case IR_SET:
            root = root_of(f, ir_args(f, i)[i->op == IR_STORE ? 1 : 0]);
            if (root == IR_NOTHING || ir_is_const(root) ||
                f->insts.at[root].op != IR_ALLOCA)
                return false;
            break;
        case IR_VASTART:
        case IR_UNSUPPORTED:
            return false;
        case IR_CALL:
            if (!deep || !callee_only_reads(ir, f, i, deep))
                return false;
            break;
        default:
            if (ir_op_group((enum ir_op)i->op) == IR_G_ACTOR)
                return false;
        }
    }
    return true;
}

static bool callee_only_reads(const struct ir *ir, const struct ir_fn *f,
                              const struct ir_inst *call, unsigned deep)
{
    ir_id to = ir_args(f, call)[0];
    if (!ir_is_const(to))
        return false;
    const struct ir_const *c = &ir->consts.at[ir_const_index(to)];
    if (c->kind != IR_C_FUNCTION)
        return false;
    const struct ir_fn *callee = ir->fns.at[c->index];
    return callee->defined ? fn_only_reads(ir, callee, deep - 1)
                           : ir_only_reads(ir, f, call);
}

// Operations of the library that change nothing of the actor's memory.
static bool changes_nothing(const struct sx_run *r, enum ir_op op, bool quiet)
{
    switch (op) {
    case IR_SELF:
    case IR_SENDER:
    case IR_LOG:
        return true;
    case IR_SEND:
    case IR_FORWARD:
    case IR_AFTER:
    case IR_WATCH:
        return !quiet && !hooks_write(r);
    case IR_REPLY:
    case IR_BECOME:
    case IR_STOP:
    case IR_CANCEL:
    case IR_EXPOSE:
        return !quiet;
    default:
        return false;
    }
}

// What an instruction writes is added; false if that cannot be told.
static bool note_writes(const struct sx_run *r, const struct ir_fn *f,
                        const bool *body, const struct ir_inst *i, bool quiet,
                        struct writes *w)
{
    switch ((enum ir_op)i->op) {
    case IR_STORE:
    case IR_COPY:
    case IR_MOVE:
    case IR_SET:
        return add_write(w, f, body, i);
    case IR_ALLOCA:
    case IR_VASTART:
    case IR_UNSUPPORTED:
        return false;
    case IR_CALL:
        return callee_only_reads(r->ir, f, i, CALLS_DEEP);
    default:
        return ir_op_group((enum ir_op)i->op) != IR_G_ACTOR ||
               changes_nothing(r, (enum ir_op)i->op, quiet);
    }
}

bool find_writes(const struct sx_run *r, const struct ir_fn *f,
                 const bool *body, bool quiet, struct writes *w)
{
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t n = 0; body[b] && n < k->n; n++)
            if (!note_writes(r, f, body, &f->insts.at[k->first + n], quiet, w))
                return false;
    }
    return true;
}

bool only_waits(const struct sx_run *r, const struct ir_fn *f, const bool *body)
{
    struct writes w = {.n = 0};
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        const struct ir_block *k = &f->blocks.at[b];
        for (uint32_t n = 0; body[b] && n < k->n; n++) {
            const struct ir_inst *i = &f->insts.at[k->first + n];
            if (i->op != IR_PAUSE &&
                (!note_writes(r, f, body, i, true, &w) || w.n))
                return false;
        }
    }
    return true;
}

// ---- recursion ----------------------------------------------------------

// Does the function by itself, without those that it calls, leave all memory
// as it was?
static bool writes_own_locals(const struct ir *ir, const struct ir_fn *f)
{
    for (uint32_t k = 0; k < f->insts.n; k++) {
        const struct ir_inst *i = &f->insts.at[k];
        uint32_t to = IR_NOTHING;
        ir_id root;
        switch ((enum ir_op)i->op) {
        case IR_STORE:
        case IR_COPY:
        case IR_MOVE:
        case IR_SET:
            root = root_of(f, ir_args(f, i)[i->op == IR_STORE ? 1 : 0]);
            if (root == IR_NOTHING || ir_is_const(root) ||
                f->insts.at[root].op != IR_ALLOCA)
                return false;
            break;
        case IR_VASTART:
        case IR_UNSUPPORTED:
            return false;
        case IR_CALL:
            to = ir_as_fn(ir, ir_args(f, i)[0]);
            if (to == IR_NOTHING ||
                (!ir->fns.at[to]->defined && !ir_only_reads(ir, f, i)))
                return false;
            break;
        default:
            if (ir_op_group((enum ir_op)i->op) == IR_G_ACTOR)
                return false;
        }
    }
    return true;
}

// The function and all that it calls; not if the run looks for a place in them.
static bool leaves_memory(const struct sx_run *r, const struct ir_fn *f)
{
    const struct ir *ir = r->ir;
    bool *seen = need_zero(ir->fns.n);
    seen[f->id] = true;
    ir_spread(ir, seen);
    bool leaves = !r->start.stops || !seen[r->start.stop_fn];
    for (uint32_t k = 0; leaves && k < ir->fns.n; k++)
        leaves = !seen[k] || !ir->fns.at[k]->defined ||
                 writes_own_locals(ir, ir->fns.at[k]);
    free(seen);
    return leaves;
}

bool wide_recursion(struct sx_run *r, const struct sx_state *s,
                    const struct ir_fn *f)
{
    const struct frame *above = s->top;
    if (!r->start.wide || r->live)
        return false;
    while (above && above->f != f)
        above = above->up;
    return above && leaves_memory(r, f);
}

// ---- forgetting ---------------------------------------------------------

static term unknown(struct sx_run *r, unsigned bits, enum term_kind kind)
{
    return term_var(r->ts, "a value of a loop", bits, kind);
}

// The object that is written to, and where; NULL: it cannot be told, or it is
// large.
static const struct object *written(struct sx_run *r, struct sx_state *s,
                                    struct write *w)
{
    struct sx_pointer p;
    term at = operand(r, s, w->root);
    if (!at || !sx_pointer(r->ts, at, &p) || !term_is_const(r->ts, p.object))
        return NULL;
    const struct object *o =
        object_at(r, s, (uint32_t)term_value(r->ts, p.object));
    if (!o || o->constant || o->freed || !term_is_const(r->ts, o->size))
        return NULL;
    uint64_t size = (uint64_t)term_value(r->ts, o->size);
    uint64_t base = (uint64_t)term_value(r->ts, p.offset);
    if (!w->to || !term_is_const(r->ts, p.offset) || base > size ||
        w->to > size - base)
        w->from = 0, w->to = size;
    else
        w->from += base, w->to += base;
    return w->to - w->from <= BYTES_MOST ? o : NULL;
}

void object_unknown(struct sx_run *r, struct sx_state *s,
                    const struct object *o, uint64_t at, uint64_t end)
{
    while (at < end) {
        uint32_t bytes = end - at < 8 ? 1 : 8;
        if (o->fill == FILL_INPUT) {
            struct slot c = slot_at(r, o->region, at, 1, false);
            bytes = (uint32_t)(c.start + c.bytes - at);
        }
        bytes = bytes > end - at ? (uint32_t)(end - at) : bytes;
        cell_write(r, s, o, at, unknown(r, bytes * 8, TERM_INT));
        at += bytes;
    }
}

term unknown_value(struct sx_run *r, struct ir_type type)
{
    return unknown(r, type.bits, type.kind == IR_FLOAT ? TERM_FLOAT : TERM_INT);
}

bool forget_writes(struct sx_run *r, struct sx_state *s, struct writes *w)
{
    const struct object *objects[WRITES_MOST];
    for (uint32_t i = 0; i < w->n; i++)
        if (!(objects[i] = written(r, s, &w->at[i])))
            return false;
    for (uint32_t i = 0; i < w->n; i++)
        object_unknown(r, s, objects[i], w->at[i].from, w->at[i].to);
    return true;
}

bool wide_enter(struct sx_run *r, struct sx_state *s, const bool *body,
                uint32_t head)
{
    const struct ir_fn *f = s->top->f;
    const struct ir_block *b = &f->blocks.at[head];
    struct writes w = {.n = 0};
    uint32_t phis = 0;
    if (!find_writes(r, f, body, r->start.all, &w))
        return false;
    for (; f->insts.at[b->first + phis].op == IR_PHI; phis++) {
        uint8_t kind = f->insts.at[b->first + phis].type.kind;
        if (kind != IR_INT && kind != IR_FLOAT)
            return false;
    }
    if (!forget_writes(r, s, &w))
        return false;
    struct frame *top = state_frame(r, s);
    for (uint32_t i = 0; i < phis; i++)
        if (top->values[b->first + i])
            top->values[b->first + i] =
                unknown_value(r, f->insts.at[b->first + i].type);
    return true;
}
