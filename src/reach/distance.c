#include "reach/distance.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static int64_t extended(uint64_t v, uint32_t bits)
{
    if (bits >= 64)
        return (int64_t)v;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)(((v & (2 * sign - 1)) ^ sign) - sign);
}

// How much must change for a < b to turn out otherwise.
static double until(bool holds, bool strict, double a, double b)
{
    double d = holds ? b - a : a - b;
    return d + (holds == strict ? 0 : 1);
}

bool distance_numbers(enum ir_op op, uint32_t bits, uint64_t a, uint64_t b,
                      double out[2])
{
    int64_t sa = extended(a, bits), sb = extended(b, bits);
    bool holds;
    out[1] = (double)__builtin_popcountll(a ^ b);
    switch (op) {
    case IR_EQ:
    case IR_NE:
        holds = (a == b) == (op == IR_EQ);
        out[0] = a == b ? 1 : fabs((double)extended(a - b, bits));
        if (a == b)
            out[1] = 1;
        return holds;
    case IR_ULT:
        holds = a < b;
        out[0] = until(holds, true, (double)a, (double)b);
        break;
    case IR_ULE:
        holds = a <= b;
        out[0] = until(holds, false, (double)a, (double)b);
        break;
    case IR_SLT:
        holds = sa < sb;
        out[0] = until(holds, true, (double)sa, (double)sb);
        break;
    default:
        holds = sa <= sb;
        out[0] = until(holds, false, (double)sa, (double)sb);
        break;
    }
    out[1] = out[0];
    return holds;
}

bool distance_floats(uint32_t mask, double a, double b, double out[2])
{
    uint32_t is = isnan(a) || isnan(b) ? IR_UNORDERED
                  : a == b             ? IR_EQUAL
                  : a < b              ? IR_LESS
                                       : IR_GREATER;
    double d = is == IR_UNORDERED ? 1e299 : fabs(a - b);
    out[0] = out[1] = isinf(d) ? 1e298 : d;
    return (mask & is) != 0;
}

static bool same(enum ir_text how, char a, char b)
{
    return how == IR_TEXT_CASE
               ? tolower((unsigned char)a) == tolower((unsigned char)b)
               : a == b;
}

// Characters that differ, up to where both texts end.
static uint32_t differing(enum ir_text how, const char *a, const char *b,
                          size_t n)
{
    uint32_t differ = 0;
    bool enda = false, endb = false;
    for (size_t i = 0; i < n && i < 256 && !(enda && endb); i++) {
        char x = enda ? 0 : a[i], y = endb ? 0 : b[i];
        differ += !same(how, x, y);
        enda |= how != IR_TEXT_BYTES && !x;
        endb |= how != IR_TEXT_BYTES && !y;
    }
    return differ;
}

static uint32_t inside(const char *a, const char *b)
{
    size_t n = strlen(b);
    uint32_t best = (uint32_t)n;
    for (; *a; a++) {
        uint32_t differ = 0;
        for (size_t i = 0; i < n; i++) {
            if (!a[i]) {
                differ += (uint32_t)(n - i);
                break;
            }
            differ += a[i] != b[i];
        }
        best = differ < best ? differ : best;
    }
    return best;
}

bool distance_texts(enum ir_text how, const char *a, const char *b, size_t n,
                    double out[2])
{
    uint32_t d = how == IR_TEXT_INSIDE ? inside(a, b) : differing(how, a, b, n);
    out[0] = out[1] = d ? d : 1;
    return d == 0;
}
