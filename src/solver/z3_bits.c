// Terms as Z3's bit-vectors, Booleans and floats.
//
// Each term has one form of its own (a comparison is a Boolean, a sum of floats
// is a float); others are made of it when an operation wants them.  A float as
// bits is a new variable whose float it is: which NaN it is stays open.  The
// condition that says so is a side condition of the term, and goes with every
// condition that contains it.
#include "solver/z3_context.h"

#include "solver/fold.h"

#include <assert.h>
#include <stdio.h>

static struct forms *forms_of(struct backend *b, term t)
{
    return &b->forms.at[t];
}

static Z3_ast numeral(struct backend *b, unsigned bits, u128 v)
{
    Z3_sort word = Z3_mk_bv_sort(b->z, bits < 64 ? bits : 64);
    Z3_ast low = Z3_mk_unsigned_int64(b->z, (uint64_t)v, word);
    if (bits <= 64)
        return low;
    word = Z3_mk_bv_sort(b->z, bits - 64);
    return Z3_mk_concat(
        b->z, Z3_mk_unsigned_int64(b->z, (uint64_t)(v >> 64), word), low);
}

Z3_ast z3_and2(struct backend *b, Z3_ast x, Z3_ast y)
{
    if (!x || !y)
        return x ? x : y;
    return Z3_mk_and(b->z, 2, (Z3_ast[]){x, y});
}

static void add_side(struct backend *b, term t, Z3_ast side)
{
    struct forms *f = forms_of(b, t);
    b->n_sides++;
    f->side = z3_and2(b, f->side, side);
}

static Z3_ast fresh(struct backend *b, const char *prefix, Z3_sort sort)
{
    return Z3_mk_fresh_const(b->z, prefix, sort);
}

static Z3_sort float_sort(struct backend *b, unsigned bits)
{
    return bits == 32 ? b->fp32 : b->fp64;
}

// ---- forms --------------------------------------------------------------

static Z3_ast bits(struct backend *b, term t)
{
    struct forms *f = forms_of(b, t);
    unsigned n = bits_of(b->ts, t);
    if (f->bits)
        return f->bits;
    if (f->truth) {
        f->bits = Z3_mk_ite(b->z, f->truth, numeral(b, 1, 1), numeral(b, 1, 0));
        return f->bits;
    }
    f->bits = fresh(b, "bits", Z3_mk_bv_sort(b->z, n));
    Z3_ast back = Z3_mk_fpa_to_fp_bv(b->z, f->bits, float_sort(b, n));
    add_side(b, t, Z3_mk_eq(b->z, back, f->real));
    return f->bits;
}

static Z3_ast truth(struct backend *b, term t)
{
    struct forms *f = forms_of(b, t);
    if (!f->truth)
        f->truth = Z3_mk_eq(b->z, f->bits, numeral(b, 1, 1));
    return f->truth;
}

static Z3_ast real(struct backend *b, term t)
{
    struct forms *f = forms_of(b, t);
    if (!f->real)
        f->real =
            Z3_mk_fpa_to_fp_bv(b->z, f->bits, float_sort(b, bits_of(b->ts, t)));
    return f->real;
}

// ---- integers -----------------------------------------------------------

// a / c and a % c for a constant c > 1 that is not a power of two: q and r with
// q * c + r = a, r < c, and no wrap-around.
static void divide_by(struct backend *b, term t, unsigned n, Z3_ast a, u128 c,
                      Z3_ast *q, Z3_ast *r)
{
    Z3_context z = b->z;
    Z3_sort word = Z3_mk_bv_sort(z, n);
    Z3_ast divisor = numeral(b, n, c);
    *q = fresh(b, "q", word);
    *r = fresh(b, "r", word);
    Z3_ast product = Z3_mk_bvmul(z, *q, divisor);
    add_side(b, t,
             Z3_mk_and(z, 4,
                       (Z3_ast[]){
                           Z3_mk_eq(z, a, Z3_mk_bvadd(z, product, *r)),
                           Z3_mk_bvult(z, *r, divisor),
                           Z3_mk_bvule(z, *q, numeral(b, n, all_ones(n) / c)),
                           Z3_mk_bvule(z, product, a),
                       }));
}

static Z3_ast unsigned_by(struct backend *b, term t, bool quotient, unsigned n,
                          Z3_ast a, u128 c)
{
    Z3_ast q, r;
    if (!(c & (c - 1))) {
        unsigned k = 0;
        while (c >> (k + 1))
            k++;
        return quotient ? Z3_mk_bvlshr(b->z, a, numeral(b, n, k))
                        : Z3_mk_bvand(b->z, a, numeral(b, n, c - 1));
    }
    divide_by(b, t, n, a, c, &q, &r);
    return quotient ? q : r;
}

// By sizes; the quotient has the sign of both, the remainder that of a.
static Z3_ast signed_by(struct backend *b, term t, bool quotient, unsigned n,
                        Z3_ast a, u128 c)
{
    Z3_context z = b->z;
    bool minus = c >> (n - 1) & 1;
    Z3_ast below = Z3_mk_bvslt(z, a, numeral(b, n, 0));
    Z3_ast size = Z3_mk_ite(z, below, Z3_mk_bvneg(z, a), a);
    Z3_ast x = unsigned_by(b, t, quotient, n, size, minus ? ir_cut(-c, n) : c);
    Z3_ast turned = Z3_mk_bvneg(z, x);
    return quotient && minus ? Z3_mk_ite(z, below, x, turned)
                             : Z3_mk_ite(z, below, turned, x);
}

static Z3_ast divide(struct backend *b, term t, const struct node *n)
{
    Z3_ast x = bits(b, n->a);
    bool quotient = n->op == IR_UDIV || n->op == IR_SDIV;
    bool is_signed = n->op == IR_SDIV || n->op == IR_SREM;
    if (is_const(b->ts, n->b) && !is_zero(b->ts, n->b)) {
        u128 c = value_of(b->ts, n->b);
        return is_signed ? signed_by(b, t, quotient, n->bits, x, c)
                         : unsigned_by(b, t, quotient, n->bits, x, c);
    }
    Z3_ast y = bits(b, n->b);
    return n->op == IR_UDIV   ? Z3_mk_bvudiv(b->z, x, y)
           : n->op == IR_SDIV ? Z3_mk_bvsdiv(b->z, x, y)
           : n->op == IR_UREM ? Z3_mk_bvurem(b->z, x, y)
                              : Z3_mk_bvsrem(b->z, x, y);
}

// The amount counts modulo the width.
static Z3_ast shift(struct backend *b, const struct node *n)
{
    Z3_ast x = bits(b, n->a), by = bits(b, n->b);
    unsigned w = n->bits;
    if (!is_const(b->ts, n->b) && b->ts->known.at[n->b].hi >= w)
        by = w & (w - 1) ? Z3_mk_bvurem(b->z, by, numeral(b, w, w))
                         : Z3_mk_bvand(b->z, by, numeral(b, w, w - 1));
    return n->op == IR_SHL    ? Z3_mk_bvshl(b->z, x, by)
           : n->op == IR_LSHR ? Z3_mk_bvlshr(b->z, x, by)
                              : Z3_mk_bvashr(b->z, x, by);
}

static Z3_ast bitwise(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    if (n->bits == 1) {
        Z3_ast both[] = {truth(b, n->a), truth(b, n->b)};
        if (n->op == IR_XOR && is_const(b->ts, n->b))
            return Z3_mk_not(z, both[0]);
        return n->op == IR_AND  ? Z3_mk_and(z, 2, both)
               : n->op == IR_OR ? Z3_mk_or(z, 2, both)
                                : Z3_mk_xor(z, both[0], both[1]);
    }
    Z3_ast x = bits(b, n->a), y = bits(b, n->b);
    return n->op == IR_AND  ? Z3_mk_bvand(z, x, y)
           : n->op == IR_OR ? Z3_mk_bvor(z, x, y)
                            : Z3_mk_bvxor(z, x, y);
}

static Z3_ast arithmetic(struct backend *b, term t, const struct node *n)
{
    switch (n->op) {
    case IR_ADD:
        return Z3_mk_bvadd(b->z, bits(b, n->a), bits(b, n->b));
    case IR_SUB:
        return Z3_mk_bvsub(b->z, bits(b, n->a), bits(b, n->b));
    case IR_MUL:
        return Z3_mk_bvmul(b->z, bits(b, n->a), bits(b, n->b));
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        return shift(b, n);
    case IR_AND:
    case IR_OR:
    case IR_XOR:
        return bitwise(b, n);
    default:
        return divide(b, t, n);
    }
}

static Z3_ast compare(struct backend *b, const struct node *n)
{
    Z3_ast x = bits(b, n->a), y = bits(b, n->b);
    return n->op == IR_EQ    ? Z3_mk_eq(b->z, x, y)
           : n->op == IR_ULT ? Z3_mk_bvult(b->z, x, y)
                             : Z3_mk_bvslt(b->z, x, y);
}

// CTPOP: a sum of bits.  CTLZ, CTTZ: where the first one is.
static Z3_ast count(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    unsigned w = n->bits;
    Z3_ast x = bits(b, n->a);
    Z3_ast r = numeral(b, w, n->sub == IR_M_CTPOP ? 0 : w);
    for (unsigned i = 0; i < w; i++) {
        unsigned k = n->sub == IR_M_CTTZ ? w - 1 - i : i;
        Z3_ast one = Z3_mk_extract(z, k, k, x);
        unsigned place = n->sub == IR_M_CTTZ ? k : w - 1 - k;
        if (n->sub == IR_M_CTPOP)
            r = Z3_mk_bvadd(z, r, w > 1 ? Z3_mk_zero_ext(z, w - 1, one) : one);
        else
            r = Z3_mk_ite(z, Z3_mk_eq(z, one, numeral(b, 1, 1)),
                          numeral(b, w, place), r);
    }
    return r;
}

// ---- floats -------------------------------------------------------------

static Z3_ast float_arithmetic(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), y = n->b ? real(b, n->b) : NULL;
    switch (n->op) {
    case IR_FADD:
        return Z3_mk_fpa_add(z, b->nearest, x, y);
    case IR_FSUB:
        return Z3_mk_fpa_sub(z, b->nearest, x, y);
    case IR_FMUL:
        return Z3_mk_fpa_mul(z, b->nearest, x, y);
    case IR_FDIV:
        return Z3_mk_fpa_div(z, b->nearest, x, y);
    case IR_FNEG:
        return Z3_mk_fpa_neg(z, x);
    default: // FREM: any float
        return fresh(b, "fmod", float_sort(b, n->bits));
    }
}

static Z3_ast float_compare(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), y = real(b, n->b), any[4];
    unsigned k = 0;
    if (n->sub & IR_EQUAL)
        any[k++] = Z3_mk_fpa_eq(z, x, y);
    if (n->sub & IR_GREATER)
        any[k++] = Z3_mk_fpa_gt(z, x, y);
    if (n->sub & IR_LESS)
        any[k++] = Z3_mk_fpa_lt(z, x, y);
    if (n->sub & IR_UNORDERED) {
        Z3_ast nan[] = {Z3_mk_fpa_is_nan(z, x), Z3_mk_fpa_is_nan(z, y)};
        any[k++] = Z3_mk_or(z, 2, nan);
    }
    return k == 1 ? any[0] : Z3_mk_or(z, k, any);
}

// Out of range it is the least number, as the machine has it.
static Z3_ast to_signed(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a);
    bool single = bits_of(b->ts, n->a) == 32;
    Z3_sort s = float_sort(b, single ? 32 : 64);
    double edge = n->bits == 32 ? 0x1p31 : 0x1p63;
    // Beyond the least number by one only where a float tells them apart.
    bool exact = n->bits == 32 && !single;
    Z3_ast low = Z3_mk_fpa_numeral_double(z, exact ? -edge - 1 : -edge, s);
    Z3_ast in[] = {exact ? Z3_mk_fpa_gt(z, x, low) : Z3_mk_fpa_geq(z, x, low),
                   Z3_mk_fpa_lt(z, x, Z3_mk_fpa_numeral_double(z, edge, s))};
    return Z3_mk_ite(z, Z3_mk_and(z, 2, in),
                     Z3_mk_fpa_to_sbv(z, b->to_zero, x, n->bits),
                     numeral(b, n->bits, least_signed(n->bits)));
}

static Z3_ast float_class(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), any[12];
    unsigned mask = (unsigned)value_of(b->ts, n->b), k = 0;
    Z3_ast minus = Z3_mk_fpa_is_negative(z, x), plus = Z3_mk_not(z, minus);
    Z3_ast kinds[] = {Z3_mk_fpa_is_infinite(z, x), Z3_mk_fpa_is_normal(z, x),
                      Z3_mk_fpa_is_subnormal(z, x), Z3_mk_fpa_is_zero(z, x)};
    any[k++] = Z3_mk_false(z);
    if (mask & 3)
        any[k++] = Z3_mk_fpa_is_nan(z, x);
    for (unsigned i = 0; i < 4; i++) {
        if (mask & 4u << i)
            any[k++] = Z3_mk_and(z, 2, (Z3_ast[]){kinds[i], minus});
        if (mask & 512u >> i)
            any[k++] = Z3_mk_and(z, 2, (Z3_ast[]){kinds[i], plus});
    }
    return Z3_mk_or(z, k, any);
}

static Z3_ast rounded(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast way = n->sub == IR_M_FLOOR    ? Z3_mk_fpa_rtn(z)
                 : n->sub == IR_M_CEIL   ? Z3_mk_fpa_rtp(z)
                 : n->sub == IR_M_FTRUNC ? b->to_zero
                 : n->sub == IR_M_ROUND  ? Z3_mk_fpa_rna(z)
                                         : b->nearest;
    return Z3_mk_fpa_round_to_integral(z, way, real(b, n->a));
}

// Of two zeros any: their signs are left open.
static Z3_ast least_or_most(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_ast x = real(b, n->a), y = real(b, n->b);
    Z3_ast zeros[] = {Z3_mk_fpa_is_zero(z, x), Z3_mk_fpa_is_zero(z, y)};
    Z3_ast either = fresh(b, "zero", Z3_mk_bool_sort(z));
    Z3_ast r =
        n->sub == IR_M_FMIN ? Z3_mk_fpa_min(z, x, y) : Z3_mk_fpa_max(z, x, y);
    return Z3_mk_ite(z, Z3_mk_and(z, 2, zeros), Z3_mk_ite(z, either, x, y), r);
}

static Z3_ast float_math(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    switch ((enum ir_math)n->sub) {
    case IR_M_FABS:
        return Z3_mk_fpa_abs(z, real(b, n->a));
    case IR_M_SQRT:
        return Z3_mk_fpa_sqrt(z, b->nearest, real(b, n->a));
    case IR_M_FLOOR:
    case IR_M_CEIL:
    case IR_M_FTRUNC:
    case IR_M_RINT:
    case IR_M_ROUND:
        return rounded(b, n);
    case IR_M_FMIN:
    case IR_M_FMAX:
        return least_or_most(b, n);
    case IR_M_COPYSIGN: {
        Z3_ast size = Z3_mk_fpa_abs(z, real(b, n->a));
        Z3_ast minus = Z3_mk_fpa_is_negative(z, real(b, n->b));
        return Z3_mk_ite(z, minus, Z3_mk_fpa_neg(z, size), size);
    }
    case IR_M_FMA:
        return Z3_mk_fpa_fma(z, b->nearest, real(b, n->a), real(b, n->b),
                             real(b, n->c));
    default: // any float: pow, exp, log, sin, cos
        return fresh(b, "f", float_sort(b, n->bits));
    }
}

static Z3_ast to_float(struct backend *b, const struct node *n)
{
    Z3_context z = b->z;
    Z3_sort s = float_sort(b, n->bits);
    if (n->op == IR_SITOFP)
        return Z3_mk_fpa_to_fp_signed(z, b->nearest, bits(b, n->a), s);
    if (n->op == IR_UITOFP)
        return Z3_mk_fpa_to_fp_unsigned(z, b->nearest, bits(b, n->a), s);
    return Z3_mk_fpa_to_fp_float(z, b->nearest, real(b, n->a), s);
}

// ---- all ----------------------------------------------------------------

bool z3_is_float(const struct backend *b, uint32_t index)
{
    const struct var *v = &b->ts->vars.at[index];
    unsigned n = bits_of(b->ts, v->self);
    return v->kind == TERM_FLOAT && (n == 32 || n == 64);
}

Z3_ast z3_variable(struct backend *b, uint32_t index)
{
    char name[16];
    snprintf(name, sizeof name, "v%u", index);
    unsigned n = bits_of(b->ts, b->ts->vars.at[index].self);
    return Z3_mk_const(b->z, Z3_mk_string_symbol(b->z, name),
                       Z3_mk_bv_sort(b->z, n));
}

// An ite has the form that its arms have.
static void choice(struct backend *b, term t, const struct node *n)
{
    Z3_ast c = truth(b, n->a);
    struct forms *x = forms_of(b, n->b), *y = forms_of(b, n->c);
    if (n->bits == 1)
        forms_of(b, t)->truth =
            Z3_mk_ite(b->z, c, truth(b, n->b), truth(b, n->c));
    else if (!x->bits && !y->bits)
        forms_of(b, t)->real = Z3_mk_ite(b->z, c, x->real, y->real);
    else
        forms_of(b, t)->bits = Z3_mk_ite(b->z, c, bits(b, n->b), bits(b, n->c));
}

static void math(struct backend *b, term t, const struct node *n)
{
    struct forms *f = forms_of(b, t);
    if (n->sub == IR_M_FPCLASS)
        f->truth = float_class(b, n);
    else if (n->sub <= IR_M_COS)
        f->real = float_math(b, n);
    else
        f->bits = count(b, n);
}

static void constant(struct backend *b, term t, const struct node *n)
{
    u128 v = value_of(b->ts, t);
    if (n->bits == 1)
        forms_of(b, t)->truth = v ? Z3_mk_true(b->z) : Z3_mk_false(b->z);
    else
        forms_of(b, t)->bits = numeral(b, n->bits, v);
}

// The form of its own; the arguments have theirs.
static void convert(struct backend *b, term t)
{
    const struct node *n = node_of(b->ts, t);
    struct forms *f = forms_of(b, t);
    if (n->op == TERM_CONST)
        constant(b, t, n);
    else if (n->op == TERM_VAR)
        f->bits = z3_variable(b, n->a);
    else if (n->op >= IR_ADD && n->op <= IR_XOR && n->bits == 1 &&
             n->op >= IR_AND)
        f->truth = bitwise(b, n);
    else if (n->op >= IR_ADD && n->op <= IR_XOR)
        f->bits = arithmetic(b, t, n);
    else if (n->op >= IR_EQ && n->op <= IR_SLE)
        f->truth = compare(b, n);
    else if (n->op == IR_FCMP)
        f->truth = float_compare(b, n);
    else if (n->op >= IR_FADD && n->op <= IR_FNEG)
        f->real = float_arithmetic(b, n);
    else if (n->op == IR_SEXT)
        f->bits =
            Z3_mk_sign_ext(b->z, n->bits - bits_of(b->ts, n->a), bits(b, n->a));
    else if (n->op == TERM_SLICE)
        f->bits =
            Z3_mk_extract(b->z, n->sub + n->bits - 1u, n->sub, bits(b, n->a));
    else if (n->op == TERM_CONCAT)
        f->bits = Z3_mk_concat(b->z, bits(b, n->a), bits(b, n->b));
    else if (n->op == IR_SELECT)
        choice(b, t, n);
    else if (n->op == IR_MATH)
        math(b, t, n);
    else if (n->op == IR_FPTOSI)
        f->bits = to_signed(b, n);
    else
        f->real = to_float(b, n);
}

static bool converted(const struct backend *b, term t)
{
    const struct forms *f = &b->forms.at[t];
    return f->bits || f->truth || f->real;
}

Z3_ast z3_sides(struct backend *b, term t,
                Z3_ast (*side_of)(struct backend *b, term t))
{
    struct terms *ts = b->ts;
    uint32_t base = ts->stack.n;
    Z3_ast all = NULL;
    walk_begin(ts);
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_pop(&ts->stack);
        const struct node *n = node_of(ts, top);
        if (!walk_meet(ts, top))
            continue;
        all = z3_and2(b, all, side_of(b, top));
        for (uint32_t i = 0; i < n_args(n); i++)
            vec_push(&ts->stack, arg_of(n, i));
    }
    return all;
}

static Z3_ast side_of(struct backend *b, term t)
{
    return forms_of(b, t)->side;
}

Z3_ast z3_condition(struct backend *b, term t)
{
    struct terms *ts = b->ts;
    uint32_t base = ts->stack.n;
    while (b->forms.n < ts->nodes.n)
        vec_push(&b->forms, (struct forms){0});
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_last(&ts->stack);
        const struct node *n = node_of(ts, top);
        uint32_t before = ts->stack.n;
        for (uint32_t i = 0; i < n_args(n) && !converted(b, top); i++)
            if (!converted(b, arg_of(n, i)))
                vec_push(&ts->stack, arg_of(n, i));
        if (ts->stack.n > before)
            continue;
        if (!converted(b, top))
            convert(b, top);
        ts->stack.n--;
    }
    Z3_ast c = truth(b, t);
    return b->n_sides ? z3_and2(b, c, z3_sides(b, t, side_of)) : c;
}

u128 z3_bits_value(struct backend *b, Z3_ast numeral_)
{
    const char *s = Z3_get_numeral_string(b->z, numeral_);
    u128 v = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (u128)(*s - '0');
    return v;
}
