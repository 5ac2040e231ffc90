// What is known of a term's values from its arguments': an unsigned range and
// single bits.  Both are kept for terms of up to 64 bits; a wider one has the
// range 0..2^64-1, which stands for "anything", and no known bits.
#include "solver/store.h"

static struct known anything(unsigned bits)
{
    uint64_t most = mask_of(bits);
    return (struct known){0, most, bits < 64 ? ~most : 0, 0};
}

struct known known_const(unsigned bits, u128 value)
{
    if (bits > 64)
        return anything(bits);
    uint64_t v = (uint64_t)value;
    return (struct known){v, v, ~v, v};
}

static struct known between(unsigned bits, uint64_t lo, uint64_t hi)
{
    struct known k = anything(bits);
    k.lo = lo;
    k.hi = hi;
    return k;
}

// The range and the bits tell each other what they know.
static struct known agree(struct known k)
{
    uint64_t most = ~k.zeros;
    k.hi = k.hi < most ? k.hi : most;
    k.lo = k.lo > k.ones ? k.lo : k.ones;
    if (k.lo > k.hi) // no value at all: only under a false condition
        k.lo = k.hi;
    uint64_t differ = k.lo ^ k.hi;
    uint64_t same =
        differ ? ~(UINT64_MAX >> __builtin_clzll(differ)) : UINT64_MAX;
    k.ones |= k.lo & same;
    k.zeros |= ~k.lo & same;
    return k;
}

// ---- arithmetic ---------------------------------------------------------

// Bits of a + b + carry: a bit is known where both bits and the carry are.
static struct known add_bits(unsigned bits, struct known a, struct known b,
                             unsigned carry)
{
    struct known k = anything(bits);
    uint64_t most = ~a.zeros + ~b.zeros + carry;
    uint64_t least = a.ones + b.ones + carry;
    uint64_t carry_zero = ~(most ^ a.zeros ^ b.zeros);
    uint64_t carry_one = least ^ a.ones ^ b.ones;
    uint64_t sure = (a.zeros | a.ones) & (b.zeros | b.ones) &
                    (carry_zero | carry_one) & mask_of(bits);
    k.zeros |= ~most & sure;
    k.ones = least & sure;
    return k;
}

static struct known add(unsigned bits, struct known a, struct known b)
{
    struct known k = add_bits(bits, a, b, 0);
    uint64_t lo, hi;
    if (!__builtin_add_overflow(a.hi, b.hi, &hi) && hi <= mask_of(bits)) {
        k.lo = a.lo + b.lo;
        k.hi = hi;
    } else if (__builtin_add_overflow(a.lo, b.lo, &lo) ||
               lo > mask_of(bits)) { // both ends wrap
        k.lo = (a.lo + b.lo) & mask_of(bits);
        k.hi = (a.hi + b.hi) & mask_of(bits);
    }
    return k;
}

static struct known subtract(unsigned bits, struct known a, struct known b)
{
    struct known not_b = {0, 0, b.ones | ~mask_of(bits),
                          b.zeros & mask_of(bits)};
    struct known k = add_bits(bits, a, not_b, 1);
    if (a.lo >= b.hi) {
        k.lo = a.lo - b.hi;
        k.hi = a.hi - b.lo;
    }
    return k;
}

static unsigned low_zeros(uint64_t zeros)
{
    return ~zeros ? (unsigned)__builtin_ctzll(~zeros) : 64;
}

static struct known multiply(unsigned bits, struct known a, struct known b)
{
    struct known k = anything(bits);
    unsigned zeros = low_zeros(a.zeros) + low_zeros(b.zeros);
    uint64_t hi;
    k.zeros |= mask_of(zeros > 64 ? 64 : zeros);
    if (!__builtin_mul_overflow(a.hi, b.hi, &hi) && hi <= mask_of(bits)) {
        k.lo = a.lo * b.lo;
        k.hi = hi;
    }
    return k;
}

static struct known divide(unsigned op, unsigned bits, struct known a,
                           struct known b)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    bool plus = a.hi < sign && b.hi < sign && b.lo > 0;
    if (op == IR_UREM || (op == IR_SREM && plus))
        return between(bits, 0, b.lo > 0 && b.hi - 1 < a.hi ? b.hi - 1 : a.hi);
    if ((op == IR_UDIV && b.lo > 0) || (op == IR_SDIV && plus))
        return between(bits, a.lo / b.hi, a.hi / b.lo);
    return anything(bits);
}

static struct known shift(unsigned op, unsigned bits, struct known a,
                          struct known b)
{
    struct known k = anything(bits);
    uint64_t sign = (uint64_t)1 << (bits - 1);
    if (op != IR_SHL && a.hi < sign) {
        k.hi = a.hi;
    } else if (op == IR_LSHR) {
        k.hi = a.hi;
    }
    if (b.lo != b.hi || b.lo >= bits)
        return k;
    unsigned by = (unsigned)b.lo;
    if (op == IR_SHL) {
        k.zeros |= a.zeros << by | mask_of(by);
        k.ones = a.ones << by & mask_of(bits);
        if (a.hi <= mask_of(bits) >> by) {
            k.lo = a.lo << by;
            k.hi = a.hi << by;
        }
    } else if (op == IR_LSHR || a.hi < sign) {
        k = between(bits, a.lo >> by, a.hi >> by);
        k.zeros |= (a.zeros & mask_of(bits)) >> by;
        k.ones |= a.ones >> by;
    }
    return k;
}

// ---- bits ---------------------------------------------------------------

static struct known bitwise(unsigned op, unsigned bits, struct known a,
                            struct known b)
{
    struct known k = anything(bits);
    if (op == IR_AND) {
        k.zeros |= a.zeros | b.zeros;
        k.ones = a.ones & b.ones;
        k.hi = a.hi < b.hi ? a.hi : b.hi;
    } else if (op == IR_OR) {
        k.zeros |= a.zeros & b.zeros;
        k.ones = a.ones | b.ones;
        k.lo = a.lo > b.lo ? a.lo : b.lo;
    } else {
        k.zeros |= (a.zeros & b.zeros) | (a.ones & b.ones);
        k.ones = (a.zeros & b.ones) | (a.ones & b.zeros);
    }
    return k;
}

static struct known join(unsigned bits, unsigned low, struct known a,
                         struct known b)
{
    struct known k = between(bits, a.lo << low | b.lo, a.hi << low | b.hi);
    k.zeros |= a.zeros << low | (b.zeros & mask_of(low));
    k.ones = a.ones << low | b.ones;
    return k;
}

static struct known slice(unsigned bits, unsigned low, struct known a)
{
    struct known k = anything(bits);
    k.zeros |= a.zeros >> low;
    k.ones = (a.ones >> low) & mask_of(bits);
    if (a.hi >> low <= mask_of(bits)) {
        k.lo = a.lo >> low;
        k.hi = a.hi >> low;
    }
    return k;
}

static struct known extend(unsigned bits, unsigned from, struct known a)
{
    struct known k = anything(bits);
    uint64_t sign = (uint64_t)1 << (from - 1);
    uint64_t above = mask_of(bits) & ~mask_of(from);
    k.zeros |= a.zeros & (sign - 1);
    k.ones = a.ones & (sign - 1);
    if (a.hi < sign)
        return a;
    if (a.lo >= sign) {
        k.lo = a.lo | above;
        k.hi = a.hi | above;
    }
    return k;
}

static struct known either(struct known a, struct known b)
{
    return (struct known){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
                          a.zeros & b.zeros, a.ones & b.ones};
}

// ---- comparisons --------------------------------------------------------

// The same order as unsigned numbers, if all values have one sign.
static bool one_sign(unsigned bits, struct known a)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return a.hi < sign || a.lo >= sign;
}

static struct known turn_sign(unsigned bits, struct known a)
{
    uint64_t sign = (uint64_t)1 << (bits - 1);
    a.lo ^= sign;
    a.hi ^= sign;
    return a;
}

int known_decides(unsigned op, unsigned bits, struct known a, struct known b)
{
    if (bits > 64)
        return -1;
    if (op == IR_EQ) {
        if (a.hi < b.lo || b.hi < a.lo || (a.ones & b.zeros) ||
            (a.zeros & b.ones))
            return 0;
        return a.lo == a.hi && b.lo == b.hi ? 1 : -1;
    }
    if (op == IR_SLT) {
        if (!one_sign(bits, a) || !one_sign(bits, b))
            return -1;
        a = turn_sign(bits, a);
        b = turn_sign(bits, b);
    }
    return a.hi < b.lo ? 1 : a.lo >= b.hi ? 0 : -1;
}

struct known known_narrow(struct known k, uint64_t lo, uint64_t hi)
{
    k.lo = lo > k.lo ? lo : k.lo;
    k.hi = hi < k.hi ? hi : k.hi;
    return agree(k);
}

// ---- all ----------------------------------------------------------------

static struct known binary(const struct node *n, struct known a, struct known b)
{
    switch (n->op) {
    case IR_ADD:
        return add(n->bits, a, b);
    case IR_SUB:
        return subtract(n->bits, a, b);
    case IR_MUL:
        return multiply(n->bits, a, b);
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM:
        return divide(n->op, n->bits, a, b);
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR:
        return shift(n->op, n->bits, a, b);
    case IR_AND:
    case IR_OR:
    case IR_XOR:
        return bitwise(n->op, n->bits, a, b);
    default:
        return anything(n->bits);
    }
}

static bool counts(const struct node *n)
{
    return n->op == IR_MATH &&
           (n->sub == IR_M_CTPOP || n->sub == IR_M_CTLZ || n->sub == IR_M_CTTZ);
}

struct known known_with(const struct terms *ts, const struct node *n,
                        const struct known *k)
{
    unsigned bits = n->bits;
    if (bits > 64 || bits_of(ts, n->a) > 64)
        return anything(bits);
    if (n->op >= IR_ADD && n->op <= IR_XOR)
        return agree(binary(n, k[0], k[1]));
    if (n->op == TERM_CONCAT)
        return agree(join(bits, bits_of(ts, n->b), k[0], k[1]));
    if (n->op == TERM_SLICE)
        return agree(slice(bits, n->sub, k[0]));
    if (n->op == IR_SEXT)
        return agree(extend(bits, bits_of(ts, n->a), k[0]));
    if (n->op == IR_SELECT)
        return agree(k[0].lo ? k[1] : !k[0].hi ? k[2] : either(k[1], k[2]));
    if (n->op >= IR_EQ && n->op <= IR_SLE) {
        int d = known_decides(n->op, bits_of(ts, n->a), k[0], k[1]);
        return d < 0 ? anything(1) : known_const(1, (u128)d);
    }
    if (counts(n) && mask_of(bits) > bits)
        return between(bits, 0, bits);
    return anything(bits);
}

struct known known_of(const struct terms *ts, const struct node *n)
{
    struct known k[3] = {ts->known.at[n->a], ts->known.at[n->b],
                         ts->known.at[n->c]};
    return known_with(ts, n, k);
}
