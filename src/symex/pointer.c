// Addresses: 24 bits of object above 40 bits of offset, one term.
//
// An address that a program computes is a constant, the CONCAT of an object's
// term and an offset, or an ITE of such.  Arithmetic and comparisons are pushed
// into that form, so that every access finds its objects by looking.
#include "symex/engine.h"

#include <assert.h>

enum { PUSH_DEPTH = 12 }; // of ITEs that an operation is pushed into

term sx_address(struct terms *ts, struct sx_pointer p)
{
    return term_concat(ts, p.object, p.offset);
}

// The two parts of a CONCAT, wherever it is cut: the object is a constant, a
// reference or an ITE of these, not bits of some number.
static bool is_joined(struct terms *ts, term t, struct sx_pointer *out)
{
    if (!term_is_const(ts, t) && term_op(ts, t) != TERM_CONCAT)
        return false;
    out->object = term_slice(ts, t, SX_OFFSET_BITS, SX_OBJECT_BITS);
    out->offset = term_slice(ts, t, 0, SX_OFFSET_BITS);
    uint8_t op = term_op(ts, out->object);
    return op == TERM_CONST || op == TERM_VAR || op == IR_SELECT;
}

bool sx_pointer(struct terms *ts, term t, struct sx_pointer *out)
{
    if (term_bits(ts, t) != 64)
        return false;
    if (is_joined(ts, t, out))
        return true;
    struct term_sum sum = term_as_sum(ts, t);
    if (sum.base == TERM_NONE || sum.base == t || !is_joined(ts, sum.base, out))
        return false;
    term c = term_const(ts, SX_OFFSET_BITS, sum.constant);
    out->offset = term_binary(ts, IR_ADD, out->offset, c);
    return true;
}

term offset_const(struct sx_run *r, uint64_t offset)
{
    return term_const(r->ts, SX_OFFSET_BITS, offset);
}

term address_of(struct sx_run *r, uint32_t object, uint64_t offset)
{
    uint64_t low = offset & ((UINT64_C(1) << SX_OFFSET_BITS) - 1);
    return term_const(r->ts, 64, (uint64_t)object << SX_OFFSET_BITS | low);
}

term known_value(struct sx_run *r, const struct sx_state *s, term t)
{
    struct sx_pointer p;
    if (term_bits(r->ts, t) != 64 || term_is_const(r->ts, t) ||
        !sx_pointer(r->ts, t, &p) || term_is_const(r->ts, p.object))
        return path_value(r->ts, &s->path, t);
    p.offset = path_value(r->ts, &s->path, p.offset);
    if (term_is(r->ts, path_value(r->ts, &s->path, p.object), 0))
        p.object = term_const(r->ts, SX_OBJECT_BITS, 0);
    return sx_address(r->ts, p);
}

// ---- leaves -------------------------------------------------------------

struct gathering {
    struct sx_run *r;
    struct sx_state *s;
    struct leaf *out;
    uint32_t n;
    bool full;
};

static void add_leaf(struct gathering *g, term condition, term object,
                     term offset)
{
    struct terms *ts = g->r->ts;
    for (uint32_t i = 0; i < g->n; i++) {
        struct leaf *l = &g->out[i];
        if (l->object == object && l->offset == offset) {
            l->condition = term_or(ts, l->condition, condition);
            return;
        }
    }
    if (g->n == LEAVES_MAX)
        g->full = true;
    else
        g->out[g->n++] = (struct leaf){condition, object, offset};
}

static void gather(struct gathering *g, term t, term condition);

// Both values of an ITE, as far as the path leaves them.
static void gather_both(struct gathering *g, term c, term a, term b,
                        term condition)
{
    struct terms *ts = g->r->ts;
    int known = path_decides(ts, &g->s->path, c);
    term yes = term_and(ts, condition, c);
    term no = term_and(ts, condition, term_not(ts, c));
    if (known != 0 && !term_is_false(ts, yes))
        gather(g, a, known == 1 ? condition : yes);
    if (known != 1 && !term_is_false(ts, no))
        gather(g, b, known == 0 ? condition : no);
}

static void gather(struct gathering *g, term t, term condition)
{
    struct terms *ts = g->r->ts;
    struct sx_pointer p;
    if (g->full)
        return;
    if (term_op(ts, t) == IR_SELECT) {
        gather_both(g, term_arg(ts, t, 0), term_arg(ts, t, 1),
                    term_arg(ts, t, 2), condition);
    } else if (!sx_pointer(ts, t, &p)) {
        add_leaf(g, condition, TERM_NONE, TERM_NONE);
    } else if (term_op(ts, p.object) == IR_SELECT) {
        term c = term_arg(ts, p.object, 0);
        gather_both(g, c, term_concat(ts, term_arg(ts, p.object, 1), p.offset),
                    term_concat(ts, term_arg(ts, p.object, 2), p.offset),
                    condition);
    } else {
        // A reference stays one: only null is put in for it.
        term object = path_value(ts, &g->s->path, p.object);
        add_leaf(g, condition, term_is(ts, object, 0) ? object : p.object,
                 path_value(ts, &g->s->path, p.offset));
    }
}

uint32_t leaves(struct sx_run *r, struct sx_state *s, term address,
                struct leaf *out)
{
    struct gathering g = {r, s, out, 0, false};
    gather(&g, address, term_bool(r->ts, true));
    return g.full ? 0 : g.n;
}

// ---- arithmetic ---------------------------------------------------------

static term add_to(struct sx_run *r, term address, term bytes, unsigned deep)
{
    struct terms *ts = r->ts;
    struct sx_pointer p;
    if (sx_pointer(ts, address, &p)) {
        term low = term_slice(ts, bytes, 0, SX_OFFSET_BITS);
        p.offset = term_binary(ts, IR_ADD, p.offset, low);
        return sx_address(ts, p);
    }
    if (term_op(ts, address) == IR_SELECT && deep)
        return term_ite(ts, term_arg(ts, address, 0),
                        add_to(r, term_arg(ts, address, 1), bytes, deep - 1),
                        add_to(r, term_arg(ts, address, 2), bytes, deep - 1));
    return term_binary(ts, IR_ADD, address, bytes);
}

term address_add(struct sx_run *r, term address, term bytes)
{
    return add_to(r, address, bytes, PUSH_DEPTH);
}

static term compare_two(struct sx_run *r, enum ir_op op, struct sx_pointer a,
                        struct sx_pointer b)
{
    struct terms *ts = r->ts;
    if (op == IR_EQ)
        return term_and(ts, term_eq(ts, a.object, b.object),
                        term_eq(ts, a.offset, b.offset));
    if (a.object == b.object)
        return term_binary(ts, op, a.offset, b.offset);
    return term_binary(ts, op, sx_address(ts, a), sx_address(ts, b));
}

static term compare_at(struct sx_run *r, enum ir_op op, term a, term b,
                       unsigned deep)
{
    struct terms *ts = r->ts;
    struct sx_pointer x, y;
    if (a == b)
        return term_binary(ts, op, a, b);
    if (sx_pointer(ts, a, &x) && sx_pointer(ts, b, &y))
        return compare_two(r, op, x, y);
    if (deep && term_op(ts, a) == IR_SELECT)
        return term_ite(ts, term_arg(ts, a, 0),
                        compare_at(r, op, term_arg(ts, a, 1), b, deep - 1),
                        compare_at(r, op, term_arg(ts, a, 2), b, deep - 1));
    if (deep && term_op(ts, b) == IR_SELECT)
        return term_ite(ts, term_arg(ts, b, 0),
                        compare_at(r, op, a, term_arg(ts, b, 1), deep - 1),
                        compare_at(r, op, a, term_arg(ts, b, 2), deep - 1));
    return term_binary(ts, op, a, b);
}

term compare_pointers(struct sx_run *r, enum ir_op op, term a, term b)
{
    if (op == IR_NE)
        return term_not(r->ts, compare_at(r, IR_EQ, a, b, PUSH_DEPTH));
    return compare_at(r, op, a, b, PUSH_DEPTH);
}

// ---- integers that are addresses ----------------------------------------

static bool is_address(struct terms *ts, term t, struct sx_pointer *p)
{
    return !term_is_const(ts, t) && sx_pointer(ts, t, p) &&
           !term_is(ts, p->object, 0);
}

// Masks keep the object or take it away.
static term mask_address(struct sx_run *r, struct sx_pointer p, term mask)
{
    struct terms *ts = r->ts;
    term high = term_slice(ts, mask, SX_OFFSET_BITS, SX_OBJECT_BITS);
    term low = term_slice(ts, mask, 0, SX_OFFSET_BITS);
    p.offset = term_binary(ts, IR_AND, p.offset, low);
    if (term_is(ts, high, (1u << SX_OBJECT_BITS) - 1))
        return sx_address(ts, p);
    if (term_is(ts, high, 0))
        return term_convert(ts, IR_ZEXT, 64, p.offset);
    return TERM_NONE;
}

term address_arithmetic(struct sx_run *r, enum ir_op op, term a, term b)
{
    struct terms *ts = r->ts;
    struct sx_pointer x, y;
    if (term_bits(ts, a) != 64 || !is_address(ts, a, &x))
        return op == IR_ADD && term_bits(ts, a) == 64 && is_address(ts, b, &y)
                   ? address_add(r, b, a)
                   : TERM_NONE;
    if (op == IR_AND && term_is_const(ts, b))
        return mask_address(r, x, b);
    if (op == IR_ADD && !is_address(ts, b, &y))
        return address_add(r, a, b);
    if (op == IR_SUB && sx_pointer(ts, b, &y) && x.object == y.object)
        return term_convert(ts, IR_SEXT, 64,
                            term_binary(ts, IR_SUB, x.offset, y.offset));
    if (op == IR_SUB && !is_address(ts, b, &y))
        return address_add(r, a,
                           term_binary(ts, IR_SUB, term_const(ts, 64, 0), b));
    if (op >= IR_EQ && op <= IR_SLE)
        return compare_pointers(r, op, a, b);
    return TERM_NONE;
}
