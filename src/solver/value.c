// The value of one operation: quickly for integers of up to 64 bits, by
// ir_eval() for all others.
#include "solver/store.h"

#include <assert.h>

// ---- divisions that trap ------------------------------------------------

// What SMT-LIB says of them.
static u128 trapped(unsigned op, unsigned bits, u128 a, u128 b)
{
    bool minus = a >> (bits - 1) & 1;
    if (b) // the least number by -1
        return op == IR_SDIV ? a : 0;
    if (op == IR_UREM || op == IR_SREM)
        return a;
    return ir_cut(op == IR_SDIV && minus ? 1 : ~(u128)0, bits);
}

// ---- the judge ----------------------------------------------------------

static struct ir_type integer(unsigned bits)
{
    return (struct ir_type){IR_INT, (uint8_t)bits};
}

// Is argument i of this operation a float?  And is its result?
static bool reads_float(const struct node *n, uint32_t i)
{
    if (n->op == IR_MATH)
        return n->sub <= IR_M_COS || (n->sub == IR_M_FPCLASS && i == 0);
    return (n->op >= IR_FADD && n->op <= IR_FCMP) || n->op == IR_FPTOUI ||
           n->op == IR_FPTOSI || n->op == IR_FPCONV;
}

static bool gives_float(const struct node *n)
{
    if (n->op == IR_MATH)
        return n->sub <= IR_M_COS;
    return (n->op >= IR_FADD && n->op <= IR_FNEG) || n->op == IR_UITOFP ||
           n->op == IR_SITOFP || n->op == IR_FPCONV;
}

u128 node_judge(const struct node *n, const uint8_t *bits, const u128 *args)
{
    if (n->op == TERM_SLICE)
        return ir_cut(args[0] >> n->sub, n->bits);
    if (n->op == TERM_CONCAT)
        return args[0] << bits[1] | args[1];
    struct ir_type types[3];
    union ir_bits in[3] = {{.i = 0}}, out = {.i = 0};
    uint32_t count = n_args(n);
    for (uint32_t i = 0; i < count; i++) {
        types[i] = integer(bits[i]);
        if (reads_float(n, i))
            types[i].kind = IR_FLOAT;
        in[i].i = args[i];
    }
    struct ir_inst inst = {
        .op = n->op, .sub = n->sub, .type = integer(n->bits), .n = count};
    if (gives_float(n))
        inst.type.kind = IR_FLOAT;
    if (ir_eval(&inst, types, in, &out))
        return ir_cut(out.i, n->bits);
    assert(n->op >= IR_UDIV && n->op <= IR_SREM);
    return trapped(n->op, n->bits, args[0], args[1]);
}

// ---- quickly ------------------------------------------------------------

static int64_t as_signed(uint64_t x, unsigned bits)
{
    unsigned by = 64 - bits;
    return (int64_t)(x << by) >> by;
}

static bool quick_shift(const struct node *n, uint64_t a, uint64_t b,
                        uint64_t *out)
{
    unsigned by = (unsigned)(b % n->bits);
    *out = n->op == IR_SHL    ? a << by
           : n->op == IR_LSHR ? a >> by
                              : (uint64_t)(as_signed(a, n->bits) >> by);
    return true;
}

// False: not one of the quick operations.
static bool quick(const struct node *n, const uint8_t *bits, const u128 *args,
                  uint64_t *out)
{
    uint64_t a = (uint64_t)args[0], b = (uint64_t)args[1];
    switch (n->op) {
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
    case IR_LSHR:
    case IR_ASHR:
        return quick_shift(n, a, b, out);
    case IR_AND:
        *out = a & b;
        return true;
    case IR_OR:
        *out = a | b;
        return true;
    case IR_XOR:
        *out = a ^ b;
        return true;
    case IR_EQ:
        *out = a == b;
        return true;
    case IR_ULT:
        *out = a < b;
        return true;
    case IR_SLT:
        *out = as_signed(a, bits[0]) < as_signed(b, bits[0]);
        return true;
    case IR_UDIV:
        *out = b ? a / b : UINT64_MAX;
        return true;
    case IR_UREM:
        *out = b ? a % b : a;
        return true;
    case IR_SEXT:
        *out = (uint64_t)as_signed(a, bits[0]);
        return true;
    case TERM_SLICE:
        *out = a >> n->sub;
        return true;
    case TERM_CONCAT:
        *out = a << bits[1] | b;
        return true;
    case IR_SELECT:
        *out = a ? b : (uint64_t)args[2];
        return true;
    default:
        return false;
    }
}

u128 node_value(const struct node *n, const uint8_t *bits, const u128 *args)
{
    uint64_t out;
    if (n->bits <= 64 && bits[0] <= 64 && quick(n, bits, args, &out))
        return out & mask_of(n->bits);
    return node_judge(n, bits, args);
}
