// Distances against a naive twin: the smallest change of one operand that turns
// a comparison round.
#include "reach/distance.h"

#include "test.h"

#include <math.h>

static bool holds(enum ir_op op, uint32_t bits, uint64_t a, uint64_t b)
{
    int64_t x = (int64_t)(a << (64 - bits)) >> (64 - bits);
    int64_t y = (int64_t)(b << (64 - bits)) >> (64 - bits);
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

// Steps of a, up or down without passing an end of its range.
static int naive(enum ir_op op, uint64_t a, uint64_t b, bool is_signed)
{
    int low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;
    int now = is_signed ? (int8_t)a : (int)a;
    for (int d = 1; d < 512; d++)
        for (int s = -1; s <= 1; s += 2) {
            int to = now + s * d;
            if (to >= low && to <= high &&
                holds(op, 8, (uint8_t)to, b) != holds(op, 8, a, b))
                return d;
        }
    return 0; // it never does
}

TEST(distances_of_bytes_are_those_of_a_search)
{
    static const enum ir_op ops[] = {IR_ULT, IR_ULE, IR_SLT, IR_SLE};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (uint32_t a = 0; a < 256; a += 3)
            for (uint32_t b = 0; b < 256; b += 5) {
                double d[2];
                bool is_signed = ops[k] == IR_SLT || ops[k] == IR_SLE;
                CHECK(distance_numbers(ops[k], 8, a, b, d) ==
                      holds(ops[k], 8, a, b));
                int want = naive(ops[k], a, b, is_signed);
                if (want)
                    CHECK_EQ((int)d[0], want);
            }
}

TEST(equality_counts_steps_and_bits)
{
    double d[2];
    CHECK(!distance_numbers(IR_EQ, 32, 100, 228, d));
    CHECK(d[0] == 128 && d[1] == 1);
    CHECK(!distance_numbers(IR_EQ, 8, 255, 1, d));
    CHECK(d[0] == 2);
    CHECK(distance_numbers(IR_EQ, 64, 7, 7, d));
    CHECK(d[0] == 1 && d[1] == 1);
    CHECK(distance_numbers(IR_NE, 64, 7, 9, d));
    CHECK(d[0] == 2);
}

TEST(floats_and_texts)
{
    double d[2];
    CHECK(distance_floats(IR_LESS, 1, 3.5, d) && d[0] == 2.5);
    CHECK(!distance_floats(IR_LESS, NAN, 3.5, d) && d[0] > 1e200);
    CHECK(!distance_texts(IR_TEXT_EQUAL, "opel", "open up", SIZE_MAX, d));
    CHECK_EQ((int)d[0], 4);
    CHECK(distance_texts(IR_TEXT_EQUAL, "abX", "abY", 2, d));
    CHECK(distance_texts(IR_TEXT_CASE, "ABC", "abc", SIZE_MAX, d));
    CHECK(distance_texts(IR_TEXT_INSIDE, "xabcx", "abc", SIZE_MAX, d));
    CHECK(!distance_texts(IR_TEXT_INSIDE, "xabdx", "abc", SIZE_MAX, d));
    CHECK_EQ((int)d[0], 1);
    CHECK(!distance_texts(IR_TEXT_BYTES, "a\0b", "a\0c", 3, d) && d[0] == 1);
}

TEST_MAIN()
