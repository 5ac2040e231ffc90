// Normal forms of comparisons and of if-then-else.
#include "solver/fold.h"

#include <assert.h>

// ---- equality with a constant -------------------------------------------

// The inverse of an odd number modulo 2^128, by Newton's iteration.
static u128 inverse(u128 odd)
{
    u128 x = odd;
    for (int i = 0; i < 7; i++)
        x *= 2 - odd * x;
    return x;
}

static term eq_const(struct terms *ts, term a, u128 v)
{
    return term_binary(ts, IR_EQ, a, term_const(ts, bits_of(ts, a), v));
}

static term eq_parts(struct terms *ts, struct node n, u128 v)
{
    term high = eq_const(ts, n.a, v >> bits_of(ts, n.b));
    if (term_is_false(ts, high))
        return high;
    return term_and(ts, high, eq_const(ts, n.b, v));
}

static term eq_sext(struct terms *ts, struct node n, u128 v)
{
    unsigned from = bits_of(ts, n.a);
    u128 back = ir_cut((u128)ir_signed(ir_cut(v, from), from), n.bits);
    return back == v ? eq_const(ts, n.a, v) : term_bool(ts, false);
}

static term eq_shl(struct terms *ts, struct node n, u128 v)
{
    unsigned by = (unsigned)value_of(ts, n.b);
    if (ir_cut(v, by))
        return term_bool(ts, false);
    return eq_const(ts, term_slice(ts, n.a, 0, n.bits - by), v >> by);
}

// An operation whose right operand is the constant c.
static term eq_of_const(struct terms *ts, struct node n, u128 c, u128 v)
{
    switch (n.op) {
    case IR_ADD:
        return eq_const(ts, n.a, v - c);
    case IR_XOR:
        return eq_const(ts, n.a, v ^ c);
    case IR_SHL:
        return eq_shl(ts, n, v);
    case IR_MUL:
        return c & 1 ? eq_const(ts, n.a, v * inverse(c)) : TERM_NONE;
    case IR_AND:
        return v & ~c ? term_bool(ts, false) : TERM_NONE;
    case IR_OR:
        return c & ~v ? term_bool(ts, false) : TERM_NONE;
    default:
        return TERM_NONE;
    }
}

static term compare_ite(struct terms *ts, enum ir_op op, struct node n, term b);

// a == b for a constant b; TERM_NONE: as it is.
static term eq_with(struct terms *ts, term a, term b)
{
    const struct node n = *node_of(ts, a);
    u128 v = value_of(ts, b);
    if (n.bits == 1)
        return v ? a : term_not(ts, a);
    if (n.op == TERM_CONCAT)
        return eq_parts(ts, n, v);
    if (n.op == IR_SEXT)
        return eq_sext(ts, n, v);
    if (n.op == IR_SELECT)
        return compare_ite(ts, IR_EQ, n, b);
    if (n.op == IR_SUB && v == 0)
        return term_binary(ts, IR_EQ, n.a, n.b);
    if (n.op == IR_SUB && is_zero(ts, n.a))
        return eq_const(ts, n.b, -v);
    if (n.b && n.op < TERM_CONST && is_const(ts, n.b))
        return eq_of_const(ts, n, value_of(ts, n.b), v);
    return TERM_NONE;
}

// ---- equality of two terms ----------------------------------------------

// 1 or 0 if what is known of a and b decides the comparison, else -1.
static int decided(const struct terms *ts, enum ir_op op, term a, term b)
{
    return known_decides(op, bits_of(ts, a), ts->known.at[a], ts->known.at[b]);
}

// Both are joins with the seam at one place, or signs over one width.
static term eq_alike(struct terms *ts, struct node x, struct node y)
{
    if (x.op == TERM_CONCAT && y.op == TERM_CONCAT &&
        bits_of(ts, x.b) == bits_of(ts, y.b)) {
        term high = term_binary(ts, IR_EQ, x.a, y.a);
        if (term_is_false(ts, high))
            return high;
        return term_and(ts, high, term_binary(ts, IR_EQ, x.b, y.b));
    }
    if (x.op == IR_SEXT && y.op == IR_SEXT &&
        bits_of(ts, x.a) == bits_of(ts, y.a))
        return term_binary(ts, IR_EQ, x.a, y.a);
    return TERM_NONE;
}

// x + c == y + d, x + y == x.
static term eq_sums(struct terms *ts, term a, term b)
{
    const struct node x = *node_of(ts, a), y = *node_of(ts, b);
    if (x.op == IR_ADD && is_const(ts, x.b) && y.op == IR_ADD &&
        is_const(ts, y.b)) {
        u128 d = value_of(ts, x.b) - value_of(ts, y.b);
        term left = term_binary(ts, IR_ADD, x.a, term_const(ts, x.bits, d));
        return term_binary(ts, IR_EQ, left, y.a);
    }
    if (x.op == IR_ADD && (x.a == b || x.b == b))
        return eq_const(ts, x.a == b ? x.b : x.a, 0);
    if (y.op == IR_ADD && (y.a == a || y.b == a))
        return eq_const(ts, y.a == a ? y.b : y.a, 0);
    return TERM_NONE;
}

static term equal(struct terms *ts, term a, term b)
{
    term t;
    if (a == b)
        return term_bool(ts, true);
    if (decided(ts, IR_EQ, a, b) == 0)
        return term_bool(ts, false);
    if (is_const(ts, a) || (!is_const(ts, b) && a > b)) {
        t = a;
        a = b;
        b = t;
    }
    if (bits_of(ts, a) == 1 && !is_const(ts, b))
        return term_not(ts, term_binary(ts, IR_XOR, a, b));
    if (is_const(ts, b))
        t = eq_with(ts, a, b);
    else if (!(t = eq_alike(ts, *node_of(ts, a), *node_of(ts, b))))
        t = eq_sums(ts, a, b);
    return t ? t : fold_raw(ts, IR_EQ, 0, 1, a, b, TERM_NONE);
}

// ---- order --------------------------------------------------------------

// Bits that can be other than the zeros on its left; 0 if it has none there.
static unsigned below_zeros(const struct terms *ts, term t)
{
    return is_zext(ts, t) ? bits_of(ts, node_of(ts, t)->b) : 0;
}

// Zeros on the left of both: compare what is below.
static term below_zext(struct terms *ts, term a, term b)
{
    unsigned low = below_zeros(ts, a), other = below_zeros(ts, b);
    bool fits = low && is_const(ts, b) && value_of(ts, b) <= all_ones(low);
    if (!(low && other) && !fits)
        return TERM_NONE;
    low = other > low ? other : low;
    return term_binary(ts, IR_ULT, term_slice(ts, a, 0, low),
                       term_slice(ts, b, 0, low));
}

// a < v, unsigned: an equality if one value is left on one side.
static term below_const(struct terms *ts, term a, term b)
{
    u128 v = value_of(ts, b);
    const struct node n = *node_of(ts, a);
    if (n.op == IR_SELECT)
        return compare_ite(ts, IR_ULT, n, b);
    if (n.bits > 64)
        return v == 1 ? eq_const(ts, a, 0) : TERM_NONE;
    if (v == (u128)ts->known.at[a].lo + 1)
        return eq_const(ts, a, v - 1);
    if (v == ts->known.at[a].hi)
        return term_not(ts, eq_const(ts, a, v));
    return TERM_NONE;
}

static term below(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    int known = a == b ? 0 : decided(ts, IR_ULT, a, b);
    term t;
    if (known >= 0)
        return term_bool(ts, known);
    if (is_zero(ts, b))
        return term_bool(ts, false);
    if (is_const(ts, a)) { // c < x is !(x < c + 1)
        u128 v = value_of(ts, a);
        if (v == all_ones(bits))
            return term_bool(ts, false);
        return term_not(
            ts, term_binary(ts, IR_ULT, b, term_const(ts, bits, v + 1)));
    }
    if ((t = below_zext(ts, a, b)))
        return t;
    if (is_const(ts, b) && (t = below_const(ts, a, b)))
        return t;
    return fold_raw(ts, IR_ULT, 0, 1, a, b, TERM_NONE);
}

// The signs of both are over one width, or a constant fits into it.
static term less_sext(struct terms *ts, term a, term b)
{
    const struct node x = *node_of(ts, a), y = *node_of(ts, b);
    if (x.op != IR_SEXT)
        return TERM_NONE;
    unsigned from = bits_of(ts, x.a);
    if (y.op == IR_SEXT && bits_of(ts, y.a) == from)
        return term_binary(ts, IR_SLT, x.a, y.a);
    if (!is_const(ts, b))
        return TERM_NONE;
    i128 v = ir_signed(value_of(ts, b), x.bits);
    i128 least = ir_signed(least_signed(from), from);
    if (v <= least)
        return term_bool(ts, false);
    if (v > -(least + 1))
        return term_bool(ts, true);
    return term_binary(ts, IR_SLT, x.a, term_const(ts, from, (u128)v));
}

static term less_const(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    u128 v = value_of(ts, b);
    if (is_op(ts, a, IR_SELECT))
        return compare_ite(ts, IR_SLT, *node_of(ts, a), b);
    if (v == least_signed(bits))
        return term_bool(ts, false);
    if (v == least_signed(bits) - 1)
        return term_not(ts, eq_const(ts, a, v));
    if (v == least_signed(bits) + 1)
        return eq_const(ts, a, v - 1);
    return TERM_NONE;
}

// a < b, signed; TERM_NONE if signs do not tell.
static term by_signs(struct terms *ts, term a, term b)
{
    bool a_plus = surely_plus(ts, a), b_plus = surely_plus(ts, b);
    bool a_minus = surely_minus(ts, a), b_minus = surely_minus(ts, b);
    if ((a_plus && b_plus) || (a_minus && b_minus))
        return term_binary(ts, IR_ULT, a, b);
    if (a_plus && b_minus)
        return term_bool(ts, false);
    if (a_minus && b_plus)
        return term_bool(ts, true);
    return TERM_NONE;
}

static term less(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    term t;
    if (a == b)
        return term_bool(ts, false);
    if (bits == 1) // 1 is -1
        return term_and(ts, a, term_not(ts, b));
    if ((t = by_signs(ts, a, b)))
        return t;
    if (is_const(ts, a)) {
        u128 v = value_of(ts, a);
        if (v == least_signed(bits) - 1)
            return term_bool(ts, false);
        return term_not(
            ts, term_binary(ts, IR_SLT, b, term_const(ts, bits, v + 1)));
    }
    if ((t = less_sext(ts, a, b)))
        return t;
    if (is_const(ts, b) && (t = less_const(ts, a, b)))
        return t;
    return fold_raw(ts, IR_SLT, 0, 1, a, b, TERM_NONE);
}

term fold_compare(struct terms *ts, enum ir_op op, term a, term b)
{
    switch (op) {
    case IR_EQ:
        return equal(ts, a, b);
    case IR_NE:
        return term_not(ts, term_binary(ts, IR_EQ, a, b));
    case IR_ULT:
        return bits_of(ts, a) == 1 ? term_and(ts, term_not(ts, a), b)
                                   : below(ts, a, b);
    case IR_ULE:
        return term_not(ts, term_binary(ts, IR_ULT, b, a));
    case IR_SLT:
        return less(ts, a, b);
    default:
        assert(op == IR_SLE);
        return term_not(ts, term_binary(ts, IR_SLT, b, a));
    }
}

// ---- if-then-else -------------------------------------------------------

// (c ? x : y) compared with a constant, if x or y is one: a table that was
// looked up becomes a condition on its index.
static term compare_ite(struct terms *ts, enum ir_op op, struct node n, term b)
{
    if (!is_const(ts, n.b) && !is_const(ts, n.c))
        return TERM_NONE;
    if (ts->depth >= DEPTH_MOST)
        return TERM_NONE;
    ts->depth++;
    term x = term_binary(ts, op, n.b, b);
    term y = term_binary(ts, op, n.c, b);
    term t = term_ite(ts, n.a, x, y);
    ts->depth--;
    return t;
}

// An ite between bits is made of and, or, not.
static term ite_bits(struct terms *ts, term c, term a, term b)
{
    if (is_const(ts, a))
        return term_is_true(ts, a) ? term_or(ts, c, b)
                                   : term_and(ts, term_not(ts, c), b);
    if (is_const(ts, b))
        return term_is_true(ts, b) ? term_or(ts, term_not(ts, c), a)
                                   : term_and(ts, c, a);
    if (a == c)
        return term_or(ts, c, b);
    if (b == c)
        return term_and(ts, c, a);
    return TERM_NONE;
}

// An arm that asks the same condition again, or ends in the same value.
static term ite_nested(struct terms *ts, term c, term a, term b)
{
    const struct node x = *node_of(ts, a), y = *node_of(ts, b);
    if (x.op == IR_SELECT && x.a == c)
        return term_ite(ts, c, x.b, b);
    if (y.op == IR_SELECT && y.a == c)
        return term_ite(ts, c, a, y.c);
    if (y.op == IR_SELECT && y.b == a)
        return term_ite(ts, term_or(ts, c, y.a), a, y.c);
    return TERM_NONE;
}

term term_ite(struct terms *ts, term c, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    term t;
    assert(bits_of(ts, c) == 1 && bits == bits_of(ts, b));
    if (is_const(ts, c))
        return term_is_true(ts, c) ? a : b;
    if (a == b)
        return a;
    if (is_not(ts, c))
        return term_ite(ts, node_of(ts, c)->a, b, a);
    if (bits == 1 && (t = ite_bits(ts, c, a, b)))
        return t;
    if ((t = ite_nested(ts, c, a, b)))
        return t;
    return fold_raw(ts, IR_SELECT, 0, bits, c, a, b);
}
