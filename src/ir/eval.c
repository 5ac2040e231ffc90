// Integers are computed in 128 bits and cut; floats by the machine's own
// arithmetic, since the programs run on it too.  Where C leaves a result
// undefined (shifts by the width, conversions out of range) it is what the
// machine does.
#include "ir/eval.h"

#include <math.h>
#include <string.h>

u128 ir_cut(u128 x, unsigned bits)
{
    return bits >= 128 ? x : x & (((u128)1 << bits) - 1);
}

i128 ir_signed(u128 x, unsigned bits)
{
    if (bits >= 128 || bits == 0)
        return (i128)x;
    u128 sign = (u128)1 << (bits - 1);
    return (i128)((ir_cut(x, bits) ^ sign) - sign);
}

// ---- integers -----------------------------------------------------------

static bool divide(enum ir_op op, u128 a, u128 b, unsigned bits, u128 *out)
{
    i128 x = ir_signed(a, bits), y = ir_signed(b, bits);
    bool is_signed = op == IR_SDIV || op == IR_SREM;
    if (!b)
        return false;
    if (is_signed && y == -1 && a == (u128)1 << (bits - 1))
        return false;
    if (op == IR_UDIV)
        *out = a / b;
    else if (op == IR_UREM)
        *out = a % b;
    else if (y == -1)
        *out = op == IR_SDIV ? -(u128)x : 0;
    else
        *out = (u128)(op == IR_SDIV ? x / y : x % y);
    return true;
}

static bool integer(enum ir_op op, u128 a, u128 b, unsigned bits, u128 *out)
{
    unsigned by = bits ? (unsigned)(b % bits) : 0;
    switch (op) {
    case IR_ADD:
        *out = a + b;
        return true;
    case IR_SUB:
        *out = a - b;
        return true;
    case IR_MUL:
        *out = a * b;
        return true;
    case IR_SHL:
        *out = a << by;
        return true;
    case IR_LSHR:
        *out = a >> by;
        return true;
    case IR_ASHR:
        *out = (u128)(ir_signed(a, bits) >> by);
        return true;
    case IR_AND:
        *out = a & b;
        return true;
    case IR_OR:
        *out = a | b;
        return true;
    case IR_XOR:
        *out = a ^ b;
        return true;
    default:
        return divide(op, a, b, bits, out);
    }
}

static u128 compare(enum ir_op op, u128 a, u128 b, unsigned bits)
{
    i128 x = ir_signed(a, bits), y = ir_signed(b, bits);
    switch (op) {
    case IR_EQ:
        return a == b;
    case IR_NE:
        return a != b;
    case IR_ULT:
        return a < b;
    case IR_ULE:
        return a <= b;
    case IR_SLT:
        return x < y;
    default:
        return x <= y;
    }
}

static bool fits(i128 x, unsigned bits)
{
    return ir_signed((u128)x, bits) == x;
}

// Operands have at most 64 bits: see lower_overflow.
static void overflow(const struct ir_inst *i, struct ir_type t, u128 a, u128 b,
                     union ir_bits *out)
{
    unsigned bits = t.bits, bytes = ir_bytes(t);
    bool lost;
    u128 r = 0;
    if (i->flags & IR_NSW) {
        i128 x = ir_signed(a, bits), y = ir_signed(b, bits);
        i128 z = i->sub == IR_ADD ? x + y : i->sub == IR_SUB ? x - y : x * y;
        lost = !fits(z, bits);
        r = (u128)z;
    } else {
        r = i->sub == IR_ADD ? a + b : i->sub == IR_SUB ? a - b : a * b;
        lost = ir_cut(r, bits) != r;
    }
    out->i = ir_cut(r, bits);
    out->b[bytes] = lost; // IR_OVERFLOW: {result, bit}
}

// ---- floats -------------------------------------------------------------

static long double as_long(struct ir_type t, const union ir_bits *v)
{
    return t.bits == 32   ? (long double)v->f
           : t.bits == 64 ? (long double)v->d
                          : v->ld;
}

static void put_float(struct ir_type t, long double x, union ir_bits *out)
{
    float f = (float)x;
    double d = (double)x;
    out->i = 0;
    if (t.bits == 32)
        memcpy(out->b, &f, 4);
    else if (t.bits == 64)
        memcpy(out->b, &d, 8);
    else
        memcpy(out->b, &x, 10);
}

#define ARITHMETIC(name, T, mod)                                               \
    static bool name(enum ir_op op, T a, T b, T *out)                          \
    {                                                                          \
        switch (op) {                                                          \
        case IR_FADD:                                                          \
            *out = a + b;                                                      \
            return true;                                                       \
        case IR_FSUB:                                                          \
            *out = a - b;                                                      \
            return true;                                                       \
        case IR_FMUL:                                                          \
            *out = a * b;                                                      \
            return true;                                                       \
        case IR_FDIV:                                                          \
            *out = a / b;                                                      \
            return true;                                                       \
        case IR_FREM:                                                          \
            *out = mod(a, b);                                                  \
            return true;                                                       \
        default:                                                               \
            return false;                                                      \
        }                                                                      \
    }
ARITHMETIC(arithmetic_f, float, fmodf)
ARITHMETIC(arithmetic_d, double, fmod)
ARITHMETIC(arithmetic_l, long double, fmodl)

static bool float_op(enum ir_op op, struct ir_type t, const union ir_bits *a,
                     union ir_bits *out)
{
    union ir_bits r = {.i = 0};
    bool ok;
    if (t.bits == 32)
        ok = arithmetic_f(op, a[0].f, a[1].f, &r.f);
    else if (t.bits == 64)
        ok = arithmetic_d(op, a[0].d, a[1].d, &r.d);
    else
        ok = arithmetic_l(op, a[0].ld, a[1].ld, &r.ld);
    *out = r;
    return ok;
}

static void negate(struct ir_type t, const union ir_bits *a, union ir_bits *out)
{
    *out = *a;
    out->b[ir_bytes(t) - 1] ^= 0x80;
}

static u128 float_compare(uint8_t mask, struct ir_type t,
                          const union ir_bits *a)
{
    long double x = as_long(t, &a[0]), y = as_long(t, &a[1]);
    uint8_t is = isnan(x) || isnan(y) ? IR_UNORDERED
                 : x < y              ? IR_LESS
                 : x > y              ? IR_GREATER
                                      : IR_EQUAL;
    return (mask & is) != 0;
}

// ---- conversions --------------------------------------------------------

static i128 truncate_signed(long double x, unsigned bits)
{
    if (bits <= 32)
        return x > -2147483649.0L && x < 2147483648.0L ? (int32_t)x : INT32_MIN;
    if (bits <= 64)
        return x >= -9223372036854775808.0L && x < 9223372036854775808.0L
                   ? (int64_t)x
                   : INT64_MIN;
    return (i128)x;
}

static u128 truncate_unsigned(long double x, unsigned bits)
{
    if (bits < 32)
        return (u128)truncate_signed(x, 32);
    if (bits == 32)
        return (u128)truncate_signed(x, 64);
    if (bits <= 64)
        return x < 9223372036854775808.0L
                   ? (u128)truncate_signed(x, 64)
                   : (u128)truncate_signed(x - 9223372036854775808.0L, 64) ^
                         ((u128)1 << 63);
    return (u128)x;
}

// Integers to floats round once, from the integer itself.
static void to_float(bool is_signed, struct ir_type from, struct ir_type to,
                     u128 x, union ir_bits *out)
{
    union ir_bits r = {.i = 0};
    i128 s = ir_signed(x, from.bits);
    if (to.bits == 32)
        r.f = is_signed ? (float)s : (float)x;
    else if (to.bits == 64)
        r.d = is_signed ? (double)s : (double)x;
    else
        put_float(to, is_signed ? (long double)s : (long double)x, &r);
    *out = r;
}

static bool convert(const struct ir_inst *i, const struct ir_type *types,
                    const union ir_bits *a, union ir_bits *out)
{
    struct ir_type from = types[0], to = i->type;
    union ir_bits r = {.i = a[0].i};
    switch ((enum ir_op)i->op) {
    case IR_SEXT:
        r.i = (u128)ir_signed(a[0].i, from.bits);
        break;
    case IR_FPTOUI:
        r.i = truncate_unsigned(as_long(from, a), to.bits);
        break;
    case IR_FPTOSI:
        r.i = (u128)truncate_signed(as_long(from, a), to.bits);
        break;
    case IR_UITOFP:
    case IR_SITOFP:
        to_float(i->op == IR_SITOFP, from, to, a[0].i, out);
        return true;
    case IR_FPCONV:
        put_float(to, as_long(from, a), out);
        return true;
    default: // TRUNC, ZEXT, BITS, PTRTOINT, INTTOPTR
        break;
    }
    r.i = ir_cut(r.i, to.bits);
    *out = r;
    return true;
}

// ---- functions ----------------------------------------------------------

static u128 swap_bytes(u128 x, unsigned bytes)
{
    u128 r = 0;
    for (unsigned k = 0; k < bytes; k++, x >>= 8)
        r = r << 8 | (x & 255);
    return r;
}

static unsigned count_bits(u128 x, unsigned from, unsigned to, bool stop,
                           bool down)
{
    unsigned n = 0;
    for (unsigned k = from; k < to; k++) {
        bool one = x >> (down ? to - 1 - k : k) & 1;
        if (stop && one)
            break;
        n += stop ? 1 : one;
    }
    return n;
}

static u128 funnel(const union ir_bits *a, unsigned bits, bool left)
{
    unsigned by = (unsigned)(a[2].i % bits);
    if (by == 0)
        return left ? a[0].i : a[1].i;
    return left ? a[0].i << by | a[1].i >> (bits - by)
                : a[0].i << (bits - by) | a[1].i >> by;
}

static u128 pick(bool first, const union ir_bits *a)
{
    return first ? a[0].i : a[1].i;
}

static bool integer_math(enum ir_math m, struct ir_type t,
                         const union ir_bits *a, u128 *r)
{
    i128 x = ir_signed(a[0].i, t.bits), y = ir_signed(a[1].i, t.bits);
    switch (m) {
    case IR_M_BSWAP:
        *r = swap_bytes(a[0].i, t.bits / 8);
        return true;
    case IR_M_CTPOP:
        *r = count_bits(a[0].i, 0, t.bits, false, false);
        return true;
    case IR_M_CTLZ:
        *r = count_bits(a[0].i, 0, t.bits, true, true);
        return true;
    case IR_M_CTTZ:
        *r = count_bits(a[0].i, 0, t.bits, true, false);
        return true;
    case IR_M_ABS:
        *r = x < 0 ? -(u128)x : (u128)x;
        return true;
    case IR_M_SMIN:
        *r = pick(x < y, a);
        return true;
    case IR_M_SMAX:
        *r = pick(x > y, a);
        return true;
    case IR_M_UMIN:
        *r = pick(a[0].i < a[1].i, a);
        return true;
    case IR_M_UMAX:
        *r = pick(a[0].i > a[1].i, a);
        return true;
    case IR_M_FSHL:
    case IR_M_FSHR:
        *r = funnel(a, t.bits, m == IR_M_FSHL);
        return true;
    default:
        return false;
    }
}

static bool float_math(enum ir_math m, struct ir_type t, const union ir_bits *a,
                       union ir_bits *out)
{
    long double x = as_long(t, &a[0]), y = as_long(t, &a[1]);
    long double r;
    double d = (double)x, e = (double)y;
    bool wide = t.bits == 80;
    switch (m) {
#define ONE(name, fn)                                                          \
    case IR_M_##name:                                                          \
        r = wide ? fn##l(x) : (long double)fn(d);                              \
        break;
        ONE(FABS, fabs)
        ONE(FLOOR, floor)
        ONE(CEIL, ceil)
        ONE(FTRUNC, trunc)
        ONE(RINT, rint)
        ONE(ROUND, round)
#undef ONE
#define ONE(name, fn)                                                          \
    case IR_M_##name:                                                          \
        r = wide           ? fn##l(x)                                          \
            : t.bits == 32 ? (long double)fn##f((float)x)                      \
                           : (long double)fn(d);                               \
        break;
        ONE(SQRT, sqrt)
        ONE(EXP, exp)
        ONE(LN, log)
        ONE(SIN, sin)
        ONE(COS, cos)
#undef ONE
    case IR_M_COPYSIGN:
        r = copysignl(x, y);
        break;
    case IR_M_FMIN:
        r = fminl(x, y);
        break;
    case IR_M_FMAX:
        r = fmaxl(x, y);
        break;
    case IR_M_POW:
        r = wide           ? powl(x, y)
            : t.bits == 32 ? (long double)powf((float)x, (float)y)
                           : (long double)pow(d, e);
        break;
    case IR_M_FMA:
        r = wide           ? fmal(x, y, as_long(t, &a[2]))
            : t.bits == 32 ? (long double)fmaf(a[0].f, a[1].f, a[2].f)
                           : (long double)fma(d, e, a[2].d);
        break;
    default:
        return false;
    }
    put_float(t, r, out);
    return true;
}

// LLVM's mask: signalling, quiet NaN; -inf, -normal, -subnormal, -0; +0...
static u128 float_class(struct ir_type t, const union ir_bits *a)
{
    long double x = as_long(t, a);
    unsigned mask = (unsigned)a[1].i;
    int c = t.bits == 32   ? fpclassify(a[0].f)
            : t.bits == 64 ? fpclassify(a[0].d)
                           : fpclassify(a[0].ld);
    bool minus = signbit(x);
    unsigned is = c == FP_NAN         ? 3
                  : c == FP_INFINITE  ? (minus ? 4 : 512)
                  : c == FP_NORMAL    ? (minus ? 8 : 256)
                  : c == FP_SUBNORMAL ? (minus ? 16 : 128)
                                      : (minus ? 32 : 64);
    return (mask & is) != 0;
}

static bool math(const struct ir_inst *i, const struct ir_type *types,
                 const union ir_bits *a, union ir_bits *out)
{
    enum ir_math m = (enum ir_math)i->sub;
    union ir_bits args[3] = {{.i = 0}}, r = {.i = 0};
    for (uint32_t k = 0; k < i->n && k < 3; k++)
        args[k] = a[k];
    if (m == IR_M_FPCLASS) {
        r.i = float_class(types[0], args);
    } else if (i->type.kind == IR_INT) {
        if (!integer_math(m, i->type, args, &r.i))
            return false;
        r.i = ir_cut(r.i, i->type.bits);
    } else if (!float_math(m, i->type, args, &r)) {
        return false;
    }
    *out = r;
    return true;
}

// ---- parts --------------------------------------------------------------

static bool part(const struct ir_inst *i, const struct ir_type *types,
                 const union ir_bits *a, union ir_bits *out)
{
    union ir_bits r = {.i = 0};
    uint32_t n = ir_bytes(i->op == IR_INSERT ? types[1] : i->type);
    if (i->imm < 0 || (uint64_t)i->imm + n > 16)
        return false;
    if (i->op == IR_INSERT) {
        r = a[0];
        memcpy(r.b + i->imm, a[1].b, n);
    } else {
        memcpy(r.b, a[0].b + i->imm, n);
        if (i->type.kind == IR_INT)
            r.i = ir_cut(r.i, i->type.bits);
    }
    *out = r;
    return true;
}

bool ir_eval(const struct ir_inst *i, const struct ir_type *types,
             const union ir_bits *a, union ir_bits *out)
{
    enum ir_op op = (enum ir_op)i->op;
    union ir_bits r = {.i = 0};
    if (op >= IR_ADD && op <= IR_XOR) {
        if (!integer(op, a[0].i, a[1].i, i->type.bits, &r.i))
            return false;
        r.i = ir_cut(r.i, i->type.bits);
    } else if (op >= IR_EQ && op <= IR_SLE) {
        r.i = compare(op, a[0].i, a[1].i, types[0].bits);
    } else if (op >= IR_FADD && op <= IR_FREM) {
        return float_op(op, i->type, a, out);
    } else if (op == IR_FNEG) {
        negate(i->type, a, &r);
    } else if (op == IR_FCMP) {
        r.i = float_compare(i->sub, types[0], a);
    } else if (op >= IR_TRUNC && op <= IR_INTTOPTR) {
        return convert(i, types, a, out);
    } else if (op == IR_SELECT) {
        r = a[0].i & 1 ? a[1] : a[2];
    } else if (op == IR_EXTRACT || op == IR_INSERT) {
        return part(i, types, a, out);
    } else if (op == IR_OVERFLOW) {
        overflow(i, types[0], a[0].i, a[1].i, &r);
    } else if (op == IR_MATH) {
        return math(i, types, a, out);
    } else if (op == IR_FIELD) {
        r.i = (uint64_t)(a[0].i + (u128)(i128)i->imm);
    } else if (op == IR_INDEX) {
        r.i = (uint64_t)(a[0].i + a[1].i * (u128)(i128)i->imm);
    } else {
        return false;
    }
    *out = r;
    return true;
}
