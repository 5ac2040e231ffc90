// Terms as mathematical numbers: integers that do not wrap around, and reals
// for floats.  What comes out is a guess that is evaluated afterwards, so an
// operation may assume what holds in most programs (its side conditions), and
// one that has no meaning here makes the whole question refused.
#include "solver/z3_context.h"

#include "solver/fold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct numbers *number_of(struct backend *b, term t)
{
    return &b->numbers.at[t];
}

static Z3_ast refuse(struct backend *b)
{
    b->refused = true;
    return Z3_mk_int(b->z, 0, Z3_mk_int_sort(b->z));
}

// ---- constants ----------------------------------------------------------

static Z3_ast whole(struct backend *b, i128 v)
{
    char text[48], *at = text + sizeof text - 1;
    u128 size = v < 0 ? -(u128)v : (u128)v;
    *at = 0;
    do
        *--at = (char)('0' + (int)(size % 10));
    while (size /= 10);
    if (v < 0)
        *--at = '-';
    return Z3_mk_numeral(b->z, at, Z3_mk_int_sort(b->z));
}

static Z3_ast power(struct backend *b, unsigned bits)
{
    return bits < 127 ? whole(b, (i128)1 << bits) : refuse(b);
}

static double float_value(unsigned bits, u128 v)
{
    union ir_bits x = {.i = v};
    return bits == 32 ? (double)x.f : x.d;
}

// The float itself, not a decimal near it: its digits end.
static Z3_ast fraction(struct backend *b, double x)
{
    char text[1500];
    if (!isfinite(x))
        return refuse(b);
    snprintf(text, sizeof text, "%.1080f", x);
    for (size_t n = strlen(text); n > 1 && text[n - 1] == '0'; n--)
        text[n - 1] = 0;
    size_t n = strlen(text);
    if (text[n - 1] == '.')
        text[n - 1] = 0;
    return Z3_mk_numeral(b->z, text, Z3_mk_real_sort(b->z));
}

// ---- readings -----------------------------------------------------------

static Z3_ast integer(struct backend *b, term t)
{
    unsigned bits = bits_of(b->ts, t);
    if (is_const(b->ts, t)) {
        u128 v = value_of(b->ts, t);
        return whole(b, b->is_signed ? ir_signed(v, bits) : (i128)v);
    }
    Z3_ast v = number_of(b, t)->value;
    Z3_sort s = Z3_get_sort(b->z, v);
    if (Z3_get_sort_kind(b->z, s) == Z3_BOOL_SORT)
        return Z3_mk_ite(b->z, v, whole(b, b->is_signed ? -1 : 1), whole(b, 0));
    return Z3_get_sort_kind(b->z, s) == Z3_INT_SORT ? v : refuse(b);
}

static void assume(struct backend *b, term t, Z3_ast side)
{
    struct numbers *n = number_of(b, t);
    n->side = z3_and2(b, n->side, side);
}

// Without a sign: what is read so is taken not to be negative.
static Z3_ast natural(struct backend *b, term t)
{
    if (is_const(b->ts, t))
        return whole(b, (i128)value_of(b->ts, t));
    Z3_ast v = integer(b, t);
    if (bits_of(b->ts, t) == 1 && b->is_signed)
        return Z3_mk_unary_minus(b->z, v);
    if (b->is_signed && !surely_plus(b->ts, t))
        assume(b, t, Z3_mk_le(b->z, whole(b, 0), v));
    return v;
}

static Z3_ast real(struct backend *b, term t)
{
    if (is_const(b->ts, t))
        return fraction(b, float_value(bits_of(b->ts, t), value_of(b->ts, t)));
    Z3_ast v = number_of(b, t)->value;
    Z3_sort s = Z3_get_sort(b->z, v);
    return Z3_get_sort_kind(b->z, s) == Z3_REAL_SORT ? v : refuse(b);
}

static Z3_ast truth(struct backend *b, term t)
{
    if (is_const(b->ts, t))
        return value_of(b->ts, t) ? Z3_mk_true(b->z) : Z3_mk_false(b->z);
    Z3_ast v = number_of(b, t)->value;
    Z3_sort s = Z3_get_sort(b->z, v);
    if (Z3_get_sort_kind(b->z, s) == Z3_BOOL_SORT)
        return v;
    refuse(b);
    return Z3_mk_true(b->z);
}

static Z3_ast in_range(struct backend *b, Z3_ast v, unsigned bits)
{
    unsigned top = b->is_signed ? bits - 1 : bits;
    Z3_ast most = power(b, top);
    Z3_ast least = b->is_signed ? Z3_mk_unary_minus(b->z, most) : whole(b, 0);
    return z3_and2(b, Z3_mk_le(b->z, least, v), Z3_mk_lt(b->z, v, most));
}

// ---- integers -----------------------------------------------------------

static Z3_ast sum(struct backend *b, term t, const struct node *n)
{
    Z3_ast both[] = {integer(b, n->a), integer(b, n->b)}, r;
    r = n->op == IR_ADD   ? Z3_mk_add(b->z, 2, both)
        : n->op == IR_SUB ? Z3_mk_sub(b->z, 2, both)
                          : Z3_mk_mul(b->z, 2, both);
    assume(b, t, in_range(b, r, n->bits));
    return r;
}

static Z3_ast shift(struct backend *b, term t, const struct node *n)
{
    if (n->op != IR_SHL || !is_const(b->ts, n->b))
        return refuse(b);
    Z3_ast both[] = {integer(b, n->a),
                     power(b, (unsigned)value_of(b->ts, n->b))};
    Z3_ast r = Z3_mk_mul(b->z, 2, both);
    assume(b, t, in_range(b, r, n->bits));
    return r;
}

// C's division cuts towards zero; Z3's goes down, for a divisor above zero.
static Z3_ast quotient(struct backend *b, Z3_ast x, Z3_ast y)
{
    Z3_ast turned = Z3_mk_unary_minus(b->z, x);
    return Z3_mk_ite(b->z, Z3_mk_lt(b->z, x, whole(b, 0)),
                     Z3_mk_unary_minus(b->z, Z3_mk_div(b->z, turned, y)),
                     Z3_mk_div(b->z, x, y));
}

static Z3_ast divide(struct backend *b, term t, const struct node *n)
{
    bool is_signed = n->op == IR_SDIV || n->op == IR_SREM;
    Z3_ast x = is_signed ? integer(b, n->a) : natural(b, n->a);
    Z3_ast y = is_signed ? integer(b, n->b) : natural(b, n->b);
    if (is_signed && is_const(b->ts, n->b) && surely_minus(b->ts, n->b))
        return refuse(b);
    assume(b, t, Z3_mk_lt(b->z, whole(b, 0), y));
    Z3_ast q = is_signed ? quotient(b, x, y) : Z3_mk_div(b->z, x, y);
    if (n->op == IR_UDIV || n->op == IR_SDIV)
        return q;
    Z3_ast product[] = {q, y};
    Z3_ast rest[] = {x, Z3_mk_mul(b->z, 2, product)};
    return Z3_mk_sub(b->z, 2, rest);
}

static Z3_ast bitwise(struct backend *b, const struct node *n)
{
    if (n->bits != 1)
        return refuse(b);
    Z3_ast both[] = {truth(b, n->a), truth(b, n->b)};
    return n->op == IR_AND  ? Z3_mk_and(b->z, 2, both)
           : n->op == IR_OR ? Z3_mk_or(b->z, 2, both)
                            : Z3_mk_xor(b->z, both[0], both[1]);
}

static bool is_real(struct backend *b, term t)
{
    Z3_ast v = number_of(b, t)->value;
    if (is_const(b->ts, t) || !v)
        return false;
    Z3_sort s = Z3_get_sort(b->z, v);
    return Z3_get_sort_kind(b->z, s) == Z3_REAL_SORT;
}

static Z3_ast compare(struct backend *b, const struct node *n)
{
    if (n->op == IR_EQ && (is_real(b, n->a) || is_real(b, n->b)))
        return Z3_mk_eq(b->z, real(b, n->a), real(b, n->b));
    if (n->op == IR_EQ)
        return Z3_mk_eq(b->z, integer(b, n->a), integer(b, n->b));
    if (n->op == IR_ULT)
        return Z3_mk_lt(b->z, natural(b, n->a), natural(b, n->b));
    return Z3_mk_lt(b->z, integer(b, n->a), integer(b, n->b));
}

static Z3_ast join(struct backend *b, const struct node *n)
{
    Z3_ast product[] = {integer(b, n->a), power(b, bits_of(b->ts, n->b))};
    Z3_ast parts[] = {Z3_mk_mul(b->z, 2, product), natural(b, n->b)};
    return is_zero(b->ts, n->a) ? parts[1] : Z3_mk_add(b->z, 2, parts);
}

// A number that is cut to 16 bits or more is taken to fit.
static Z3_ast slice(struct backend *b, term t, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = integer(b, n->a), width = power(b, n->bits);
    if (n->sub == 0 && n->bits >= 16) {
        assume(b, t, in_range(b, x, n->bits));
        return x;
    }
    if (n->sub)
        x = Z3_mk_div(z, x, power(b, n->sub));
    Z3_ast r = Z3_mk_mod(z, x, width);
    if (n->bits == 1)
        return Z3_mk_eq(z, r, whole(b, 1));
    if (!b->is_signed)
        return r;
    Z3_ast down[] = {r, width};
    return Z3_mk_ite(z, Z3_mk_lt(z, r, power(b, n->bits - 1u)), r,
                     Z3_mk_sub(z, 2, down));
}

// ---- reals --------------------------------------------------------------

static Z3_ast real_arithmetic(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast both[] = {real(b, n->a), n->b ? real(b, n->b) : NULL};
    switch (n->op) {
    case IR_FADD:
        return Z3_mk_add(z, 2, both);
    case IR_FSUB:
        return Z3_mk_sub(z, 2, both);
    case IR_FMUL:
        return Z3_mk_mul(z, 2, both);
    case IR_FDIV:
        return Z3_mk_div(z, both[0], both[1]);
    case IR_FNEG:
        return Z3_mk_unary_minus(z, both[0]);
    default:
        return refuse(b);
    }
}

static Z3_ast real_compare(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), y = real(b, n->b), any[4];
    unsigned k = 0;
    any[k++] = Z3_mk_false(z);
    if (n->sub & IR_EQUAL)
        any[k++] = Z3_mk_eq(z, x, y);
    if (n->sub & IR_GREATER)
        any[k++] = Z3_mk_lt(z, y, x);
    if (n->sub & IR_LESS)
        any[k++] = Z3_mk_lt(z, x, y);
    return Z3_mk_or(z, k, any);
}

static Z3_ast down(struct backend *b, Z3_ast x)
{
    return Z3_mk_real2int(b->z, x);
}

// Towards zero, as an integer.
static Z3_ast cut(struct backend *b, Z3_ast x)
{
    Z3_context z = b->z;
    Z3_ast zero = Z3_mk_int(z, 0, Z3_mk_real_sort(z));
    return Z3_mk_ite(z, Z3_mk_lt(z, x, zero),
                     Z3_mk_unary_minus(z, down(b, Z3_mk_unary_minus(z, x))),
                     down(b, x));
}

static Z3_ast root(struct backend *b, term t, Z3_ast x)
{
    Z3_context z = b->z;
    Z3_sort s = Z3_mk_real_sort(z);
    Z3_ast r = Z3_mk_fresh_const(z, "root", s), square[] = {r, r};
    assume(b, t, Z3_mk_le(z, Z3_mk_int(z, 0, s), r));
    assume(b, t, Z3_mk_eq(z, Z3_mk_mul(z, 2, square), x));
    return r;
}

static Z3_ast real_math(struct backend *b, term t, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), y = n->b ? real(b, n->b) : x;
    Z3_ast minus = Z3_mk_unary_minus(z, x);
    switch ((enum ir_math)n->sub) {
    case IR_M_FABS:
        return Z3_mk_ite(z, Z3_mk_lt(z, x, minus), minus, x);
    case IR_M_SQRT:
        return root(b, t, x);
    case IR_M_FLOOR:
        return Z3_mk_int2real(z, down(b, x));
    case IR_M_CEIL:
        return Z3_mk_int2real(z, Z3_mk_unary_minus(z, down(b, minus)));
    case IR_M_FTRUNC:
        return Z3_mk_int2real(z, cut(b, x));
    case IR_M_FMIN:
        return Z3_mk_ite(z, Z3_mk_lt(z, x, y), x, y);
    case IR_M_FMAX:
        return Z3_mk_ite(z, Z3_mk_lt(z, x, y), y, x);
    default:
        return refuse(b);
    }
}

static Z3_ast from_real(struct backend *b, term t, const struct node *n)
{
    Z3_ast r = cut(b, real(b, n->a));
    assume(b, t, in_range(b, r, n->bits));
    return r;
}

// ---- all ----------------------------------------------------------------

Z3_ast z3_number_variable(struct backend *b, uint32_t index)
{
    char name[16];
    snprintf(name, sizeof name, "n%u", index);
    Z3_sort s =
        z3_is_float(b, index) ? Z3_mk_real_sort(b->z) : Z3_mk_int_sort(b->z);
    if (bits_of(b->ts, b->ts->vars.at[index].self) == 1)
        s = Z3_mk_bool_sort(b->z);
    return Z3_mk_const(b->z, Z3_mk_string_symbol(b->z, name), s);
}

static Z3_ast choice(struct backend *b, const struct node *n)
{
    Z3_ast c = truth(b, n->a);
    if (n->bits == 1)
        return Z3_mk_ite(b->z, c, truth(b, n->b), truth(b, n->c));
    if (is_real(b, n->b) || is_real(b, n->c))
        return Z3_mk_ite(b->z, c, real(b, n->b), real(b, n->c));
    return Z3_mk_ite(b->z, c, integer(b, n->b), integer(b, n->c));
}

static Z3_ast convert(struct backend *b, term t, const struct node *n)
{
    if (n->op == TERM_CONST)
        return integer(b, t);
    if (n->op == TERM_VAR)
        return z3_number_variable(b, n->a);
    if (n->op >= IR_ADD && n->op <= IR_MUL)
        return sum(b, t, n);
    if (n->op >= IR_UDIV && n->op <= IR_SREM)
        return divide(b, t, n);
    if (n->op >= IR_SHL && n->op <= IR_ASHR)
        return shift(b, t, n);
    if (n->op >= IR_AND && n->op <= IR_XOR)
        return bitwise(b, n);
    if (n->op >= IR_EQ && n->op <= IR_SLE)
        return compare(b, n);
    if (n->op == IR_FCMP)
        return real_compare(b, n);
    if (n->op >= IR_FADD && n->op <= IR_FNEG)
        return real_arithmetic(b, n);
    if (n->op == IR_SEXT)
        return integer(b, n->a);
    if (n->op == TERM_SLICE)
        return slice(b, t, n);
    if (n->op == TERM_CONCAT)
        return join(b, n);
    if (n->op == IR_SELECT)
        return choice(b, n);
    if (n->op == IR_MATH)
        return n->sub <= IR_M_COS ? real_math(b, t, n) : refuse(b);
    if (n->op == IR_FPTOSI)
        return from_real(b, t, n);
    if (n->op == IR_SITOFP)
        return Z3_mk_int2real(b->z, integer(b, n->a));
    if (n->op == IR_UITOFP)
        return Z3_mk_int2real(b->z, natural(b, n->a));
    return real(b, n->a); // FPCONV
}

static Z3_ast side_of(struct backend *b, term t)
{
    return number_of(b, t)->side;
}

Z3_ast z3_number_condition(struct backend *b, term t)
{
    struct terms *ts = b->ts;
    uint32_t base = ts->stack.n;
    while (b->numbers.n < ts->nodes.n)
        vec_push(&b->numbers, (struct numbers){0});
    vec_push(&ts->stack, t);
    while (ts->stack.n > base && !b->refused) {
        term top = vec_last(&ts->stack);
        const struct node *n = node_of(ts, top);
        uint32_t before = ts->stack.n;
        for (uint32_t i = 0; i < n_args(n) && !number_of(b, top)->value; i++)
            if (!number_of(b, arg_of(n, i))->value)
                vec_push(&ts->stack, arg_of(n, i));
        if (ts->stack.n > before)
            continue;
        if (!number_of(b, top)->value) {
            Z3_ast v = convert(b, top, n);
            number_of(b, top)->value = b->refused ? NULL : v;
        }
        ts->stack.n--;
    }
    ts->stack.n = base;
    return b->refused ? NULL : z3_and2(b, truth(b, t), z3_sides(b, t, side_of));
}

Z3_ast z3_number_range(struct backend *b, term var)
{
    uint32_t index = node_of(b->ts, var)->a;
    unsigned bits = bits_of(b->ts, var);
    if (bits == 1 || z3_is_float(b, index))
        return NULL;
    return in_range(b, z3_number_variable(b, index), bits);
}

static u128 integer_bits(struct backend *b, Z3_ast value)
{
    const char *s = Z3_get_numeral_string(b->z, value);
    bool minus = *s == '-';
    u128 v = 0;
    for (s += minus; *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (u128)(*s - '0');
    return minus ? -v : v;
}

u128 z3_number_bits(struct backend *b, term var, Z3_ast value)
{
    uint32_t index = node_of(b->ts, var)->a;
    unsigned bits = bits_of(b->ts, var);
    union ir_bits x = {.i = 0};
    if (bits == 1)
        return Z3_get_bool_value(b->z, value) == Z3_L_TRUE;
    if (!z3_is_float(b, index))
        return ir_cut(integer_bits(b, value), bits);
    const char *s = Z3_get_numeral_decimal_string(b->z, value, 25);
    if (bits == 32)
        x.f = strtof(s, NULL);
    else
        x.d = strtod(s, NULL);
    return x.i;
}
