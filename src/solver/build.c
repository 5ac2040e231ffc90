// The functions of term.h that build terms: each hands its operation to the
// file with the normal forms for it.
#include "solver/fold.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool arguments_const(const struct terms *ts, const struct node *n)
{
    for (uint32_t i = 0; i < n_args(n); i++)
        if (!is_const(ts, arg_of(n, i)))
            return false;
    return true;
}

term fold_raw(struct terms *ts, unsigned op, unsigned sub, unsigned bits,
              term a, term b, term c)
{
    struct node n = {.op = (uint8_t)op,
                     .sub = (uint8_t)sub,
                     .bits = (uint8_t)bits,
                     .a = a,
                     .b = b,
                     .c = c};
    if (!arguments_const(ts, &n))
        return term_intern(ts, n);
    uint8_t widths[3] = {0};
    u128 values[3] = {0};
    for (uint32_t i = 0; i < n_args(&n); i++) {
        widths[i] = (uint8_t)bits_of(ts, arg_of(&n, i));
        values[i] = value_of(ts, arg_of(&n, i));
    }
    return term_const(ts, bits, node_value(&n, widths, values));
}

static bool is_float_width(unsigned bits)
{
    return bits == 32 || bits == 64;
}

term term_binary(struct terms *ts, enum ir_op op, term a, term b)
{
    if (!a || !b)
        return TERM_NONE;
    unsigned bits = bits_of(ts, a);
    assert(bits == bits_of(ts, b));
    if (op >= IR_FADD && op <= IR_FREM)
        return is_float_width(bits) ? fold_raw(ts, op, 0, bits, a, b, 0)
                                    : TERM_NONE;
    if (is_const(ts, a) && is_const(ts, b))
        return fold_raw(ts, op, 0, op >= IR_EQ ? 1 : bits, a, b, 0);
    if (op >= IR_ADD && op <= IR_SREM)
        return fold_arithmetic(ts, op, a, b);
    if (op >= IR_SHL && op <= IR_ASHR)
        return fold_shift(ts, op, a, b);
    if (op >= IR_AND && op <= IR_XOR)
        return fold_bitwise(ts, op, a, b);
    return fold_compare(ts, op, a, b);
}

term term_not(struct terms *ts, term c)
{
    assert(bits_of(ts, c) == 1);
    return term_binary(ts, IR_XOR, c, term_bool(ts, true));
}

term term_and(struct terms *ts, term a, term b)
{
    return term_binary(ts, IR_AND, a, b);
}

term term_or(struct terms *ts, term a, term b)
{
    return term_binary(ts, IR_OR, a, b);
}

term term_eq(struct terms *ts, term a, term b)
{
    return term_binary(ts, IR_EQ, a, b);
}

term term_ne(struct terms *ts, term a, term b)
{
    return term_binary(ts, IR_NE, a, b);
}

// ---- comparisons of floats ----------------------------------------------

static double as_double(u128 v, unsigned bits)
{
    union ir_bits x = {.i = v};
    return bits == 32 ? (double)x.f : x.d;
}

static uint8_t turned(uint8_t mask)
{
    uint8_t kept = mask & (IR_EQUAL | IR_UNORDERED);
    return (uint8_t)(kept | (mask & IR_LESS ? IR_GREATER : 0) |
                     (mask & IR_GREATER ? IR_LESS : 0));
}

// (double)i < 2.5 for an integer that a double holds exactly: i < 3.
static term fcmp_integer(struct terms *ts, uint8_t mask, term a, term b)
{
    const struct node n = *node_of(ts, a);
    unsigned from =
        n.op == IR_SITOFP || n.op == IR_UITOFP ? bits_of(ts, n.a) : 128;
    double c = as_double(value_of(ts, b), n.bits);
    if (from > (n.bits == 64 ? 32u : 16u) || !(fabs(c) < 0x1p40))
        return TERM_NONE;
    bool is_signed = n.op == IR_SITOFP;
    term x = is_signed ? fold_sext(ts, 64, n.a) : fold_zext(ts, 64, n.a);
    term up = term_const(ts, 64, (u128)(i128)ceil(c));
    term past = term_const(ts, 64, (u128)(i128)floor(c) + 1);
    term below = term_binary(ts, IR_SLT, x, up);
    term above = term_not(ts, term_binary(ts, IR_SLT, x, past));
    term t = term_bool(ts, false);
    if (mask & IR_LESS)
        t = term_or(ts, t, below);
    if (mask & IR_GREATER)
        t = term_or(ts, t, above);
    if (mask & IR_EQUAL)
        t = term_or(ts, t, term_not(ts, term_or(ts, below, above)));
    return t;
}

term term_fcmp(struct terms *ts, uint8_t mask, term a, term b)
{
    if (!a || !b || !is_float_width(bits_of(ts, a)))
        return TERM_NONE;
    unsigned bits = bits_of(ts, a);
    if (is_const(ts, a) && !is_const(ts, b))
        return term_fcmp(ts, turned(mask), b, a);
    if (is_const(ts, b) && isnan(as_double(value_of(ts, b), bits)))
        return term_bool(ts, mask & IR_UNORDERED);
    if (!is_const(ts, b) && a > b)
        return term_fcmp(ts, turned(mask), b, a);
    mask &= 15;
    if (mask == 0 || mask == 15)
        return term_bool(ts, mask);
    if (a == b) // equal, or not a number
        mask = (uint8_t)((mask & IR_UNORDERED ? IR_UNORDERED : 0) |
                         (mask & IR_EQUAL ? 7 : 0));
    if (mask == 0 || mask == 15)
        return term_bool(ts, mask);
    if (is_const(ts, b) && !is_const(ts, a)) {
        term t = fcmp_integer(ts, mask, a, b);
        if (t)
            return t;
    }
    return fold_raw(ts, IR_FCMP, mask, 1, a, b, TERM_NONE);
}

// ---- conversions --------------------------------------------------------

// To unsigned by way of signed, as the machine does it.
static term to_unsigned(struct terms *ts, unsigned bits, term a)
{
    unsigned from = bits_of(ts, a);
    if (bits <= 32)
        return term_slice(
            ts, term_convert(ts, IR_FPTOSI, bits < 32 ? 32 : 64, a), 0, bits);
    if (bits > 64)
        return TERM_NONE;
    union ir_bits half = {.i = 0};
    if (from == 32)
        half.f = 0x1p63f;
    else
        half.d = 0x1p63;
    term c = term_const(ts, from, half.i);
    term high = term_convert(ts, IR_FPTOSI, 64, term_binary(ts, IR_FSUB, a, c));
    high = term_binary(ts, IR_XOR, high, term_const(ts, 64, (u128)1 << 63));
    term t = term_ite(ts, term_fcmp(ts, IR_LESS, a, c),
                      term_convert(ts, IR_FPTOSI, 64, a), high);
    return term_slice(ts, t, 0, bits);
}

static term convert_float(struct terms *ts, enum ir_op op, unsigned bits,
                          term a)
{
    unsigned from = bits_of(ts, a);
    bool reads =
        op == IR_FPTOUI || op == IR_FPTOSI || op == IR_FPCONV || op == IR_FNEG;
    bool gives = op != IR_FPTOUI && op != IR_FPTOSI;
    if ((reads && !is_float_width(from)) || (gives && !is_float_width(bits)))
        return TERM_NONE;
    if (op == IR_FPTOUI)
        return to_unsigned(ts, bits, a);
    if (op == IR_FPTOSI && bits > 64)
        return TERM_NONE;
    if (op == IR_FPTOSI && bits != 32 && bits != 64)
        return term_slice(ts, convert_float(ts, op, bits < 32 ? 32 : 64, a), 0,
                          bits);
    if (op == IR_FPCONV && bits == from)
        return a;
    if (op == IR_FNEG && is_op(ts, a, IR_FNEG))
        return node_of(ts, a)->a;
    if (op == IR_SITOFP && surely_plus(ts, a))
        op = IR_UITOFP;
    return fold_raw(ts, op, 0, bits, a, TERM_NONE, TERM_NONE);
}

term term_convert(struct terms *ts, enum ir_op op, unsigned bits, term a)
{
    if (!a)
        return TERM_NONE;
    unsigned from = bits_of(ts, a);
    switch (op) {
    case IR_TRUNC:
        return term_slice(ts, a, 0, bits);
    case IR_ZEXT:
        return fold_zext(ts, bits, a);
    case IR_SEXT:
        return fold_sext(ts, bits, a);
    case IR_BITS:
        assert(bits == from);
        return a;
    case IR_PTRTOINT:
    case IR_INTTOPTR:
        return bits <= from ? term_slice(ts, a, 0, bits)
                            : fold_zext(ts, bits, a);
    default:
        return convert_float(ts, op, bits, a);
    }
}

// ---- functions ----------------------------------------------------------

static term swap_bytes(struct terms *ts, unsigned bits, term a)
{
    term t = term_slice(ts, a, 0, 8);
    for (unsigned low = 8; low < bits; low += 8)
        t = term_concat(ts, t, term_slice(ts, a, low, 8));
    return t;
}

// Shifts are by the third argument modulo the width; one by the whole width
// is none here, so the case 0 stands apart.
static term funnel(struct terms *ts, bool left, unsigned bits, const term *args)
{
    term width = term_const(ts, bits, bits);
    term by = term_binary(ts, IR_UREM, args[2], width);
    term back = term_binary(ts, IR_SUB, width, by);
    term high = term_binary(ts, IR_SHL, args[0], left ? by : back);
    term low = term_binary(ts, IR_LSHR, args[1], left ? back : by);
    term zero = term_eq(ts, by, term_const(ts, bits, 0));
    return term_ite(ts, zero, args[left ? 0 : 1],
                    term_binary(ts, IR_OR, high, low));
}

static term choose(struct terms *ts, enum ir_op op, bool turn, const term *a)
{
    term c = turn ? term_binary(ts, op, a[1], a[0])
                  : term_binary(ts, op, a[0], a[1]);
    return term_ite(ts, c, a[0], a[1]);
}

static term absolute(struct terms *ts, unsigned bits, term a)
{
    term zero = term_const(ts, bits, 0);
    return term_ite(ts, term_binary(ts, IR_SLT, a, zero), negate(ts, a), a);
}

static term integer_math(struct terms *ts, enum ir_math m, unsigned bits,
                         uint32_t n, const term *args)
{
    switch (m) {
    case IR_M_BSWAP:
        return swap_bytes(ts, bits, args[0]);
    case IR_M_ABS:
        return absolute(ts, bits, args[0]);
    case IR_M_SMIN:
    case IR_M_SMAX:
        return choose(ts, IR_SLT, m == IR_M_SMAX, args);
    case IR_M_UMIN:
    case IR_M_UMAX:
        return choose(ts, IR_ULT, m == IR_M_UMAX, args);
    case IR_M_FSHL:
    case IR_M_FSHR:
        assert(n == 3);
        return funnel(ts, m == IR_M_FSHL, bits, args);
    default: // CTPOP, CTLZ, CTTZ: a flag may follow
        (void)n;
        return fold_raw(ts, IR_MATH, m, bits, args[0], TERM_NONE, TERM_NONE);
    }
}

term term_math(struct terms *ts, enum ir_math m, unsigned bits, uint32_t n,
               const term *args)
{
    assert(n >= 1 && n <= 3);
    for (uint32_t i = 0; i < n; i++)
        if (!args[i])
            return TERM_NONE;
    if (m > IR_M_COS && m != IR_M_FPCLASS)
        return integer_math(ts, m, bits, n, args);
    if (!is_float_width(bits_of(ts, args[0])))
        return TERM_NONE;
    return fold_raw(ts, IR_MATH, m, bits, args[0], n > 1 ? args[1] : TERM_NONE,
                    n > 2 ? args[2] : TERM_NONE);
}

// ---- instructions -------------------------------------------------------

// In twice the width nothing is lost; then it must be the extension of its low
// half.
term term_overflows(struct terms *ts, enum ir_op op, bool is_signed, term a,
                    term b)
{
    if (!a || !b)
        return TERM_NONE;
    unsigned bits = bits_of(ts, a), wide = op == IR_MUL ? bits * 2 : bits + 1;
    if (wide > 128)
        return TERM_NONE;
    enum ir_op extend = is_signed ? IR_SEXT : IR_ZEXT;
    term r = term_binary(ts, op, term_convert(ts, extend, wide, a),
                         term_convert(ts, extend, wide, b));
    term low = term_slice(ts, r, 0, bits);
    return term_ne(ts, r, term_convert(ts, extend, wide, low));
}

// The result, and the bit at the next byte of its size.
static term overflow(struct terms *ts, const struct ir_inst *i, term a, term b)
{
    enum ir_op op = (enum ir_op)i->sub;
    unsigned bits = bits_of(ts, a), bytes = (bits + 7) / 8 * 8;
    term lost = term_overflows(ts, op, i->flags & IR_NSW, a, b);
    if (!lost || i->type.bits <= bytes)
        return TERM_NONE;
    return term_concat(ts, fold_zext(ts, i->type.bits - bytes, lost),
                       fold_zext(ts, bytes, term_binary(ts, op, a, b)));
}

static term insert(struct terms *ts, const struct ir_inst *i,
                   const struct ir_type *types, const term *args)
{
    unsigned whole = bits_of(ts, args[0]), bits = ir_bytes(types[1]) * 8;
    unsigned low = (unsigned)i->imm * 8, top = low + bits;
    if (i->imm < 0 || top > whole)
        return TERM_NONE;
    term t = fold_zext(ts, bits, args[1]);
    if (low)
        t = term_concat(ts, t, term_slice(ts, args[0], 0, low));
    if (top < whole)
        t = term_concat(ts, term_slice(ts, args[0], top, whole - top), t);
    return t;
}

static term extract(struct terms *ts, const struct ir_inst *i, term a)
{
    if (i->imm < 0 || (unsigned)i->imm * 8 + i->type.bits > bits_of(ts, a))
        return TERM_NONE;
    return term_slice(ts, a, (unsigned)i->imm * 8, i->type.bits);
}

static term address(struct terms *ts, const struct ir_inst *i, const term *args)
{
    term by = term_const(ts, 64, (u128)(i128)i->imm);
    if (i->op == IR_INDEX)
        by = term_binary(ts, IR_MUL, term_convert(ts, IR_PTRTOINT, 64, args[1]),
                         by);
    return term_binary(ts, IR_ADD, args[0], by);
}

static term apply(struct terms *ts, const struct ir_inst *i,
                  const struct ir_type *types, const term *args)
{
    enum ir_op op = (enum ir_op)i->op;
    if ((op >= IR_ADD && op <= IR_SLE) || (op >= IR_FADD && op <= IR_FREM))
        return term_binary(ts, op, args[0], args[1]);
    if (op == IR_FCMP)
        return term_fcmp(ts, i->sub, args[0], args[1]);
    if (op == IR_FNEG || (op >= IR_TRUNC && op <= IR_INTTOPTR))
        return term_convert(ts, op, i->type.bits, args[0]);
    if (op == IR_SELECT)
        return term_ite(ts, args[0], args[1], args[2]);
    if (op == IR_EXTRACT)
        return extract(ts, i, args[0]);
    if (op == IR_INSERT)
        return insert(ts, i, types, args);
    if (op == IR_OVERFLOW)
        return overflow(ts, i, args[0], args[1]);
    if (op == IR_MATH)
        return term_math(ts, (enum ir_math)i->sub, i->type.bits, i->n, args);
    if (op == IR_FIELD || op == IR_INDEX)
        return address(ts, i, args);
    return TERM_NONE;
}

term term_apply(struct terms *ts, const struct ir_inst *i,
                const struct ir_type *types, const term *args)
{
    for (uint32_t k = 0; k < i->n; k++)
        if (!args[k])
            return TERM_NONE;
    return apply(ts, i, types, args);
}
