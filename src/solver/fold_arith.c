// Normal forms of sums, products, quotients and shifts.
//
// A sum is base + constant.  A base that is itself a sum of variables stays a
// tree: only its constants move up, so that a pointer's offset is always a
// term plus a number.
#include "solver/fold.h"

static unsigned log_of(u128 power)
{
    unsigned k = 0;
    while (power >>= 1)
        k++;
    return k;
}

static bool is_power(u128 v)
{
    return v && !(v & (v - 1));
}

static void order(const struct terms *ts, term *a, term *b)
{
    if (is_const(ts, *a) || (!is_const(ts, *b) && *a > *b)) {
        term t = *a;
        *a = *b;
        *b = t;
    }
}

// ---- sums ---------------------------------------------------------------

static bool is_plus_const(const struct terms *ts, term t)
{
    const struct node n = *node_of(ts, t);
    return n.op == IR_ADD && is_const(ts, n.b);
}

static term plus(struct terms *ts, term a, u128 c)
{
    unsigned bits = bits_of(ts, a);
    return term_binary(ts, IR_ADD, a, term_const(ts, bits, c));
}

static bool is_negated(const struct terms *ts, term t)
{
    const struct node n = *node_of(ts, t);
    return n.op == IR_SUB && is_zero(ts, n.a);
}

static term add_terms(struct terms *ts, term a, term b)
{
    const struct node x = *node_of(ts, a), y = *node_of(ts, b);
    if (a == b && x.bits > 1)
        return term_binary(ts, IR_SHL, a, term_const(ts, x.bits, 1));
    if (x.op == IR_SUB && x.b == b)
        return x.a;
    if (y.op == IR_SUB && y.b == a)
        return y.a;
    if (is_negated(ts, b))
        return term_binary(ts, IR_SUB, a, y.b);
    if (is_negated(ts, a))
        return term_binary(ts, IR_SUB, b, x.b);
    term joined = fold_beside(ts, a, b);
    if (joined)
        return joined;
    return fold_raw(ts, IR_ADD, 0, bits_of(ts, a), a, b, TERM_NONE);
}

static term add(struct terms *ts, term a, term b)
{
    order(ts, &a, &b);
    if (is_zero(ts, b))
        return a;
    if (is_const(ts, b)) {
        if (!is_plus_const(ts, a))
            return fold_raw(ts, IR_ADD, 0, bits_of(ts, a), a, b, TERM_NONE);
        const struct node n = *node_of(ts, a);
        return plus(ts, n.a, value_of(ts, n.b) + value_of(ts, b));
    }
    term sum = is_plus_const(ts, a) ? a : b, other = sum == a ? b : a;
    if (is_plus_const(ts, sum)) {
        const struct node n = *node_of(ts, sum);
        u128 c = value_of(ts, n.b);
        return plus(ts, term_binary(ts, IR_ADD, n.a, other), c);
    }
    return add_terms(ts, a, b);
}

static term subtract_terms(struct terms *ts, term a, term b)
{
    const struct node x = *node_of(ts, a), y = *node_of(ts, b);
    if (y.op == IR_SUB && (is_zero(ts, a) || is_zero(ts, y.a))) {
        if (is_zero(ts, a))
            return term_binary(ts, IR_SUB, y.b, y.a);
        return term_binary(ts, IR_ADD, a, y.b);
    }
    if (x.op == IR_ADD && (x.a == b || x.b == b))
        return x.a == b ? x.b : x.a;
    if (y.op == IR_ADD && (y.a == a || y.b == a))
        return negate(ts, y.a == a ? y.b : y.a);
    if (x.op == IR_SUB && x.a == b)
        return negate(ts, x.b);
    if (y.op == IR_SUB && y.a == a)
        return y.b;
    return fold_raw(ts, IR_SUB, 0, bits_of(ts, a), a, b, TERM_NONE);
}

static term subtract(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    if (a == b)
        return term_const(ts, bits, 0);
    if (is_const(ts, b))
        return plus(ts, a, -value_of(ts, b));
    if (is_const(ts, a) && !is_zero(ts, a))
        return plus(ts, negate(ts, b), value_of(ts, a));
    if (is_plus_const(ts, a)) {
        const struct node n = *node_of(ts, a);
        u128 c = value_of(ts, n.b);
        return plus(ts, term_binary(ts, IR_SUB, n.a, b), c);
    }
    if (is_plus_const(ts, b)) {
        const struct node n = *node_of(ts, b);
        u128 c = value_of(ts, n.b);
        return plus(ts, term_binary(ts, IR_SUB, a, n.a), -c);
    }
    return subtract_terms(ts, a, b);
}

// ---- products -----------------------------------------------------------

// (x + c1) * c2, (x * c1) * c2, (x << c1) * c2.
static term times(struct terms *ts, term a, u128 by)
{
    unsigned bits = bits_of(ts, a);
    const struct node n = *node_of(ts, a);
    term c = term_const(ts, bits, by), x = n.a;
    if (n.op == IR_MUL && is_const(ts, n.b))
        return term_binary(ts, IR_MUL, x,
                           term_const(ts, bits, value_of(ts, n.b) * by));
    if (n.op == IR_SHL && is_const(ts, n.b))
        return term_binary(
            ts, IR_MUL, x,
            term_const(ts, bits, by << (unsigned)value_of(ts, n.b)));
    if (is_plus_const(ts, a)) {
        u128 rest = value_of(ts, n.b) * by;
        return plus(ts, term_binary(ts, IR_MUL, x, c), rest);
    }
    return fold_raw(ts, IR_MUL, 0, bits, a, c, TERM_NONE);
}

static term multiply(struct terms *ts, term a, term b)
{
    order(ts, &a, &b);
    unsigned bits = bits_of(ts, a);
    if (!is_const(ts, b))
        return fold_raw(ts, IR_MUL, 0, bits, a, b, TERM_NONE);
    u128 v = value_of(ts, b);
    if (v == 0)
        return b;
    if (v == 1)
        return a;
    if (v == all_ones(bits))
        return negate(ts, a);
    if (is_power(v))
        return term_binary(ts, IR_SHL, a, term_const(ts, bits, log_of(v)));
    return times(ts, a, v);
}

// ---- quotients ----------------------------------------------------------

static term divide_by(struct terms *ts, enum ir_op op, term a, u128 v)
{
    unsigned bits = bits_of(ts, a);
    bool quotient = op == IR_UDIV || op == IR_SDIV;
    if (v == 1)
        return quotient ? a : term_const(ts, bits, 0);
    if (v == all_ones(bits) && (op == IR_SDIV || op == IR_SREM))
        return quotient ? negate(ts, a) : term_const(ts, bits, 0);
    if (op == IR_SDIV || op == IR_SREM) {
        if (surely_plus(ts, a) && v < least_signed(bits))
            return divide_by(ts, quotient ? IR_UDIV : IR_UREM, a, v);
    } else if (is_power(v)) {
        if (quotient)
            return term_binary(ts, IR_LSHR, a, term_const(ts, bits, log_of(v)));
        return term_binary(ts, IR_AND, a, term_const(ts, bits, v - 1));
    } else if (op == IR_UREM && bits <= 64 && ts->known.at[a].hi < v) {
        return a;
    }
    return fold_raw(ts, op, 0, bits, a, term_const(ts, bits, v), TERM_NONE);
}

static term divide(struct terms *ts, enum ir_op op, term a, term b)
{
    bool is_signed = op == IR_SDIV || op == IR_SREM;
    if (is_const(ts, b) && !is_zero(ts, b))
        return divide_by(ts, op, a, value_of(ts, b));
    if (is_signed && surely_plus(ts, a) && surely_plus(ts, b))
        return term_binary(ts, op == IR_SDIV ? IR_UDIV : IR_UREM, a, b);
    return fold_raw(ts, op, 0, bits_of(ts, a), a, b, TERM_NONE);
}

term fold_arithmetic(struct terms *ts, enum ir_op op, term a, term b)
{
    switch (op) {
    case IR_ADD:
        return bits_of(ts, a) == 1 ? fold_bitwise(ts, IR_XOR, a, b)
                                   : add(ts, a, b);
    case IR_SUB:
        return bits_of(ts, a) == 1 ? fold_bitwise(ts, IR_XOR, a, b)
                                   : subtract(ts, a, b);
    case IR_MUL:
        return bits_of(ts, a) == 1 ? fold_bitwise(ts, IR_AND, a, b)
                                   : multiply(ts, a, b);
    default:
        return divide(ts, op, a, b);
    }
}

// ---- shifts -------------------------------------------------------------

static term shift_left(struct terms *ts, term a, unsigned by)
{
    unsigned bits = bits_of(ts, a);
    const struct node n = *node_of(ts, a);
    term x = n.a;
    if ((n.op == IR_SHL || n.op == IR_MUL) && is_const(ts, n.b)) {
        u128 v = value_of(ts, n.b);
        if (n.op == IR_MUL)
            return term_binary(ts, IR_MUL, x, term_const(ts, bits, v << by));
        if (v + by >= bits)
            return term_const(ts, bits, 0);
        return shift_left(ts, x, (unsigned)v + by);
    }
    if (is_plus_const(ts, a)) {
        u128 rest = value_of(ts, n.b) << by;
        return plus(ts, shift_left(ts, x, by), rest);
    }
    return fold_raw(ts, IR_SHL, 0, bits, a, term_const(ts, bits, by),
                    TERM_NONE);
}

static term shift_right_signed(struct terms *ts, term a, unsigned by)
{
    unsigned bits = bits_of(ts, a);
    if (surely_plus(ts, a))
        return term_binary(ts, IR_LSHR, a, term_const(ts, bits, by));
    return fold_sext(ts, bits, term_slice(ts, a, by, bits - by));
}

term fold_shift(struct terms *ts, enum ir_op op, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    if (!is_const(ts, b))
        return fold_raw(ts, op, 0, bits, a, b, TERM_NONE);
    unsigned by = (unsigned)(value_of(ts, b) % bits);
    if (by == 0)
        return a;
    if (op == IR_SHL)
        return shift_left(ts, a, by);
    if (op == IR_ASHR)
        return shift_right_signed(ts, a, by);
    return fold_zext(ts, bits, term_slice(ts, a, by, bits - by));
}
