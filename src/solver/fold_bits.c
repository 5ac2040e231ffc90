// Normal forms of bit operations, slices and joins.
//
// Bytes that were cut from a term and joined again give the term back: a join
// of neighbours in one term is one slice, and joins nest to the right.
#include "solver/fold.h"

#include <assert.h>

// ---- slices -------------------------------------------------------------

// Does a slice of t below `top` cost no new operation?
static bool slices_away(const struct terms *ts, term t, unsigned top)
{
    const struct node *n = node_of(ts, t);
    return n->op == TERM_CONST ||
           (n->op == TERM_CONCAT && top <= bits_of(ts, n->b)) ||
           (n->op == IR_SEXT && top <= bits_of(ts, n->a));
}

static term slice_concat(struct terms *ts, struct node n, unsigned low,
                         unsigned bits)
{
    unsigned seam = bits_of(ts, n.b);
    if (low >= seam)
        return term_slice(ts, n.a, low - seam, bits);
    if (low + bits <= seam)
        return term_slice(ts, n.b, low, bits);
    term high = term_slice(ts, n.a, 0, low + bits - seam);
    return term_concat(ts, high, term_slice(ts, n.b, low, seam - low));
}

static term slice_sext(struct terms *ts, struct node n, unsigned low,
                       unsigned bits)
{
    unsigned from = bits_of(ts, n.a);
    if (low + bits <= from)
        return term_slice(ts, n.a, low, bits);
    if (low < from)
        return fold_sext(ts, bits, term_slice(ts, n.a, low, from - low));
    return fold_sext(ts, bits, term_slice(ts, n.a, from - 1, 1));
}

static term slice_shl(struct terms *ts, struct node n, unsigned low,
                      unsigned bits)
{
    unsigned by = (unsigned)value_of(ts, n.b);
    if (low >= by)
        return term_slice(ts, n.a, low - by, bits);
    if (low + bits <= by)
        return term_const(ts, bits, 0);
    unsigned zeros = by - low;
    return term_concat(ts, term_slice(ts, n.a, 0, bits - zeros),
                       term_const(ts, zeros, 0));
}

// The low bits of a sum depend on the low bits of its parts only; any bits of
// a bitwise operation do.
static bool slice_operands(struct terms *ts, struct node n, unsigned low,
                           unsigned bits, term *out)
{
    bool sums = n.op == IR_ADD || n.op == IR_SUB || n.op == IR_MUL;
    bool bitwise = n.op == IR_AND || n.op == IR_OR || n.op == IR_XOR;
    if (!(bitwise || (sums && low == 0)))
        return false;
    if (!slices_away(ts, n.a, low + bits) || !slices_away(ts, n.b, low + bits))
        return false;
    term a = term_slice(ts, n.a, low, bits);
    *out = term_binary(ts, (enum ir_op)n.op, a, term_slice(ts, n.b, low, bits));
    return true;
}

static term slice_ite(struct terms *ts, struct node n, unsigned low,
                      unsigned bits)
{
    term a = term_slice(ts, n.b, low, bits);
    return term_ite(ts, n.a, a, term_slice(ts, n.c, low, bits));
}

static term slice_raw(struct terms *ts, term a, unsigned low, unsigned bits)
{
    return fold_raw(ts, TERM_SLICE, low, bits, a, TERM_NONE, TERM_NONE);
}

term term_slice(struct terms *ts, term a, unsigned low, unsigned bits)
{
    const struct node n = *node_of(ts, a);
    term out;
    assert(bits >= 1 && low + bits <= n.bits);
    if (bits == n.bits)
        return a;
    if (n.op == TERM_CONST)
        return term_const(ts, bits, value_of(ts, a) >> low);
    if (n.op == TERM_SLICE)
        return term_slice(ts, n.a, low + n.sub, bits);
    if (n.op == TERM_CONCAT)
        return slice_concat(ts, n, low, bits);
    if (n.op == IR_SEXT)
        return slice_sext(ts, n, low, bits);
    if (n.op == IR_SHL && is_const(ts, n.b))
        return slice_shl(ts, n, low, bits);
    if (n.op == IR_SELECT && slices_away(ts, n.b, low + bits) &&
        slices_away(ts, n.c, low + bits))
        return slice_ite(ts, n, low, bits);
    if (slice_operands(ts, n, low, bits, &out))
        return out;
    return slice_raw(ts, a, low, bits);
}

// ---- joins --------------------------------------------------------------

// Two neighbours as one: constants, slices of one term, bits of one sign.
// TERM_NONE if they are not.
static term merge(struct terms *ts, term high, term low)
{
    const struct node h = *node_of(ts, high);
    unsigned bits = bits_of(ts, low);
    if (h.op == TERM_CONST && is_const(ts, low))
        return term_const(ts, h.bits + bits,
                          value_of(ts, high) << bits | value_of(ts, low));
    if (h.op == TERM_SLICE && h.sub >= bits &&
        term_slice(ts, h.a, h.sub - bits, bits) == low)
        return term_slice(ts, h.a, h.sub - bits, h.bits + bits);
    // Copies of a sign above what has the sign.
    if (h.op == IR_SEXT && bits_of(ts, h.a) == 1 &&
        term_slice(ts, low, bits - 1, 1) == h.a)
        return fold_sext(ts, h.bits + bits, low);
    return TERM_NONE;
}

// The low bits of x moved up: x << k.
static term as_shift(struct terms *ts, term high, term low)
{
    const struct node h = *node_of(ts, high);
    unsigned zeros = bits_of(ts, low);
    if (!is_zero(ts, low) || h.op != TERM_SLICE || h.sub != 0 ||
        bits_of(ts, h.a) != h.bits + zeros)
        return TERM_NONE;
    return term_binary(ts, IR_SHL, h.a, term_const(ts, h.bits + zeros, zeros));
}

term term_concat(struct terms *ts, term high, term low)
{
    const struct node h = *node_of(ts, high), l = *node_of(ts, low);
    unsigned bits = h.bits + l.bits;
    term t;
    assert(bits <= 128);
    if (h.op == TERM_CONCAT)
        return term_concat(ts, h.a, term_concat(ts, h.b, low));
    if ((t = merge(ts, high, low)) || (t = as_shift(ts, high, low)))
        return t;
    if (l.op == TERM_CONCAT && (t = merge(ts, high, l.a)))
        return term_concat(ts, t, l.b);
    return fold_raw(ts, TERM_CONCAT, 0, bits, high, low, TERM_NONE);
}

term fold_zext(struct terms *ts, unsigned bits, term a)
{
    unsigned from = bits_of(ts, a);
    if (bits == from)
        return a;
    return term_concat(ts, term_const(ts, bits - from, 0), a);
}

term fold_sext(struct terms *ts, unsigned bits, term a)
{
    const struct node n = *node_of(ts, a);
    if (bits == n.bits)
        return a;
    if (surely_plus(ts, a))
        return fold_zext(ts, bits, a);
    if (n.op == IR_SEXT)
        return fold_sext(ts, bits, n.a);
    return fold_raw(ts, IR_SEXT, 0, bits, a, TERM_NONE, TERM_NONE);
}

// ---- bitwise ------------------------------------------------------------

// x & 0...01...1 is the low bits of x below zeros.
static term and_const(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    u128 v = value_of(ts, b);
    if (v == 0)
        return b;
    if (v == all_ones(bits))
        return a;
    if (bits <= 64 && !(~(uint64_t)v & mask_of(bits) & ~ts->known.at[a].zeros))
        return a; // nothing to clear
    if (!(v & (v + 1))) {
        unsigned k = 0;
        for (u128 w = v; w; w >>= 1)
            k++;
        return fold_zext(ts, bits, term_slice(ts, a, 0, k));
    }
    return TERM_NONE;
}

static term or_const(const struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    u128 v = value_of(ts, b);
    if (v == 0)
        return a;
    if (v == all_ones(bits))
        return b;
    if (bits <= 64 && !((uint64_t)v & ~ts->known.at[a].ones))
        return a; // nothing to set
    return TERM_NONE;
}

// a op b where b is a constant; TERM_NONE: as it is.
static term with_const(struct terms *ts, enum ir_op op, term a, term b)
{
    const struct node n = *node_of(ts, a);
    u128 v = value_of(ts, b);
    if (n.op == op && is_const(ts, n.b)) {
        u128 w = value_of(ts, n.b);
        w = op == IR_AND ? w & v : op == IR_OR ? w | v : w ^ v;
        return term_binary(ts, op, n.a, term_const(ts, n.bits, w));
    }
    if (op == IR_XOR && v == 0)
        return a;
    if (op == IR_XOR && n.op == IR_FCMP)
        return term_fcmp(ts, n.sub ^ 15, n.a, n.b);
    return op == IR_AND  ? and_const(ts, a, b)
           : op == IR_OR ? or_const(ts, a, b)
                         : TERM_NONE;
}

// Both are joins with the seam at one place.
static bool alike(const struct terms *ts, term a, term b)
{
    const struct node *x = node_of(ts, a), *y = node_of(ts, b);
    return x->op == TERM_CONCAT && y->op == TERM_CONCAT &&
           bits_of(ts, x->b) == bits_of(ts, y->b);
}

// A join with a constant, or with one alike: each part by itself.
static term split(struct terms *ts, enum ir_op op, term a, term b)
{
    const struct node n = *node_of(ts, a);
    unsigned k = bits_of(ts, n.b);
    term high = term_binary(ts, op, n.a, term_slice(ts, b, k, n.bits - k));
    return term_concat(ts, high,
                       term_binary(ts, op, n.b, term_slice(ts, b, 0, k)));
}

static bool opposite(const struct terms *ts, term a, term b)
{
    const struct node *x = node_of(ts, a), *y = node_of(ts, b);
    unsigned bits = x->bits;
    if (x->op == IR_FCMP && y->op == IR_FCMP)
        return x->a == y->a && x->b == y->b && x->sub == (y->sub ^ 15);
    return (x->op == IR_XOR && x->a == b && is_const(ts, x->b) &&
            value_of(ts, x->b) == all_ones(bits)) ||
           (y->op == IR_XOR && y->a == a && is_const(ts, y->b) &&
            value_of(ts, y->b) == all_ones(bits));
}

// Is b one of the operands of a, an operation of this kind?
static bool contains(const struct terms *ts, enum ir_op op, term a, term b)
{
    const struct node *n = node_of(ts, a);
    return n->op == op && (n->a == b || n->b == b);
}

static term same_or_opposite(struct terms *ts, enum ir_op op, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    if (a == b)
        return op == IR_XOR ? term_const(ts, bits, 0) : a;
    if (opposite(ts, a, b))
        return term_const(ts, bits, op == IR_AND ? 0 : all_ones(bits));
    if (op == IR_XOR)
        return TERM_NONE;
    enum ir_op other = op == IR_AND ? IR_OR : IR_AND;
    if (contains(ts, op, a, b) || contains(ts, other, b, a))
        return a;
    if (contains(ts, op, b, a) || contains(ts, other, a, b))
        return b;
    return TERM_NONE;
}

// Of bits: !a & !b is !(a | b), and the other way round; !a ^ b is !(a ^ b).
static term pull_not(struct terms *ts, enum ir_op op, term a, term b)
{
    bool x = is_not(ts, a), y = is_not(ts, b);
    term p = node_of(ts, a)->a, q = node_of(ts, b)->a;
    if (op == IR_XOR && (x || y)) {
        term t = term_binary(ts, IR_XOR, x ? p : a, y ? q : b);
        return x && y ? t : term_not(ts, t);
    }
    if (!x || !y)
        return TERM_NONE;
    return term_not(ts, term_binary(ts, op == IR_AND ? IR_OR : IR_AND, p, q));
}

// Bits at and above this place are clear in a, those below it in b.  0: there
// is no such place.
static unsigned seam(const struct terms *ts, term a, term b)
{
    uint64_t may = ~ts->known.at[a].zeros & mask_of(bits_of(ts, a));
    unsigned k = may ? 64 - (unsigned)__builtin_clzll(may) : 0;
    uint64_t clear = ts->known.at[b].zeros & mask_of(k);
    return k < bits_of(ts, a) && clear == mask_of(k) ? k : 0;
}

term fold_beside(struct terms *ts, term a, term b)
{
    unsigned bits = bits_of(ts, a), k;
    if (bits > 64)
        return TERM_NONE;
    if (!(k = seam(ts, a, b))) {
        term t = a;
        a = b;
        b = t;
        k = seam(ts, a, b);
    }
    if (!k)
        return TERM_NONE;
    return term_concat(ts, term_slice(ts, b, k, bits - k),
                       term_slice(ts, a, 0, k));
}

term fold_bitwise(struct terms *ts, enum ir_op op, term a, term b)
{
    unsigned bits = bits_of(ts, a);
    term t = TERM_NONE;
    if (is_const(ts, a) || (!is_const(ts, b) && a > b)) {
        t = a;
        a = b;
        b = t;
        t = TERM_NONE;
    }
    if (is_const(ts, b)) {
        if ((t = with_const(ts, op, a, b)))
            return t;
        if (is_op(ts, a, TERM_CONCAT))
            return split(ts, op, a, b);
        return fold_raw(ts, op, 0, bits, a, b, TERM_NONE);
    }
    if ((t = same_or_opposite(ts, op, a, b)))
        return t;
    if (bits == 1 && (t = pull_not(ts, op, a, b)))
        return t;
    if (op != IR_AND && (t = fold_beside(ts, a, b)))
        return t;
    if (alike(ts, a, b))
        return split(ts, op, a, b);
    return fold_raw(ts, op, 0, bits, a, b, TERM_NONE);
}
