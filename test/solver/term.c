// Terms mean what ir_eval() computes, whatever their normal form is.
#include "solver/term.h"

#include "base/text.h"
#include "dies.h"
#include "solver/store.h"
#include "test.h"

#include <math.h>

#include "random.h"

// Is b what a is, NaNs of one width being one?
static bool same_value(struct ir_type t, u128 a, u128 b)
{
    union ir_bits x = {.i = a}, y = {.i = b};
    if (t.kind != IR_FLOAT || a == b)
        return a == b;
    return t.bits == 32 ? isnan(x.f) && isnan(y.f) : isnan(x.d) && isnan(y.d);
}

static void fill(struct model *m, const struct terms *ts, const term *inputs,
                 const u128 *values)
{
    for (uint32_t i = 0; i < INPUTS; i++)
        model_set(m, term_var_index(ts, inputs[i]), values[i]);
}

static bool in_range(const struct terms *ts, term t, u128 v)
{
    struct term_range r = term_range(ts, t);
    if (term_bits(ts, t) > 64)
        return true;
    return v >= r.lo && v <= r.hi && !((uint64_t)v & term_zeros(ts, t)) &&
           ((uint64_t)v & term_ones(ts, t)) == term_ones(ts, t);
}

// One computation under several inputs: false at the first difference.
static bool agrees(struct rng *r, struct kinds kinds, uint64_t seed)
{
    struct computation c;
    term inputs[INPUTS], terms[STEPS];
    u128 in[INPUTS], values[STEPS];
    struct terms *ts = terms_new();
    struct model *m = model_new(ts);
    bool ok = true;
    random_computation(&c, r, kinds, STEPS);
    make_inputs(&c, ts, inputs);
    compute_terms(&c, ts, inputs, terms);
    for (int turn = 0; turn < 8 && ok; turn++) {
        random_inputs(&c, r, in);
        fill(m, ts, inputs, in);
        compute_values(&c, in, values);
        for (uint32_t i = 0; i < c.n && ok; i++) {
            if (!terms[i]) // of 80 bits, or too wide an overflow
                break;
            u128 v = term_eval(ts, terms[i], m);
            ok = same_value(type_of(&c, i), v, values[i]) &&
                 in_range(ts, terms[i], v) &&
                 same_value(type_of(&c, i), term_judge(ts, terms[i], m),
                            values[i]) &&
                 term_bits(ts, terms[i]) == type_of(&c, i).bits;
            if (!ok)
                fprintf(stderr, "seed %lu: step %u (%s)\n", (unsigned long)seed,
                        i, ir_op_text((enum ir_op)c.at[i].inst.op));
        }
    }
    model_free(m);
    terms_free(ts);
    return ok;
}

static void many(struct kinds kinds, uint64_t n, uint64_t first)
{
    uint32_t bad = 0;
    for (uint64_t seed = first + test_first(n), i = 0;
         i < test_share(n) && bad < 5; seed++, i++) {
        struct rng r = rng_of(seed);
        bad += !agrees(&r, kinds, seed);
    }
    CHECK_EQ(bad, 0);
}

TEST(folded_integers_mean_what_ir_eval_computes)
{
    many((struct kinds){.wide = true, .division = true}, 20000, 1);
}

TEST(folded_floats_mean_what_ir_eval_computes)
{
    many((struct kinds){.floats = true, .division = true}, 8000, 100000);
}

// ---- replacing ----------------------------------------------------------

// A computation with constants put in afterwards is the one built on them.
TEST(substituted_constants_give_the_value)
{
    uint32_t bad = 0;
    for (uint64_t seed = 0; seed < test_share(3000) && bad < 3; seed++) {
        struct rng r = rng_of(seed);
        struct computation c;
        term inputs[INPUTS], terms[STEPS];
        u128 in[INPUTS], values[STEPS];
        struct terms *ts = terms_new();
        struct term_subst *sub = term_subst_new(ts);
        random_computation(&c, &r, (struct kinds){.division = true}, STEPS);
        make_inputs(&c, ts, inputs);
        compute_terms(&c, ts, inputs, terms);
        random_inputs(&c, &r, in);
        compute_values(&c, in, values);
        for (uint32_t i = 0; i < INPUTS; i++)
            term_subst_set(sub, inputs[i],
                           term_const(ts, term_bits(ts, inputs[i]), in[i]));
        for (uint32_t i = 0; i < c.n; i++)
            bad += !term_is(ts, term_subst(sub, terms[i]), values[i]);
        term_subst_free(sub);
        terms_free(ts);
    }
    CHECK_EQ(bad, 0);
}

TEST(variables_of_a_term_are_found_once_each)
{
    struct terms *ts = terms_new();
    term v[5];
    for (int i = 0; i < 5; i++)
        v[i] = term_var(ts, "v", 32, TERM_INT);
    term a = term_binary(ts, IR_MUL, v[4], v[1]);
    term b = term_binary(ts, IR_XOR, a, v[2]);
    CHECK_EQ(term_vars(ts, a).n, 2);
    struct term_vars all = term_vars(ts, term_binary(ts, IR_UDIV, b, a));
    CHECK_EQ(all.n, 3);
    CHECK(all.at[0] == 1 && all.at[1] == 2 && all.at[2] == 4);
    CHECK_EQ(term_vars(ts, term_const(ts, 8, 1)).n, 0);
    terms_free(ts);
}

// ---- depth --------------------------------------------------------------

TEST(a_term_may_be_a_hundred_thousand_deep)
{
    struct terms *ts = terms_new();
    struct model *m = model_new(ts);
    struct term_subst *sub = term_subst_new(ts);
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT), t = x;
    uint32_t expected = 3;
    for (uint32_t i = 0; i < 100000; i++) {
        t = term_binary(ts, IR_MUL, t, y);
        t = term_binary(ts, IR_XOR, t, term_const(ts, 32, i));
        expected = expected * 5 ^ i;
    }
    model_set(m, 0, 3);
    model_set(m, 1, 5);
    CHECK(term_eval(ts, t, m) == expected);
    CHECK(term_judge(ts, t, m) == expected);
    CHECK_EQ(term_vars(ts, t).n, 2);
    term_subst_set(sub, x, term_const(ts, 32, 3));
    term_subst_set(sub, y, term_const(ts, 32, 5));
    CHECK(term_is(ts, term_subst(sub, t), expected));
    term_subst_free(sub);
    model_free(m);
    terms_free(ts);
}

// ---- normal forms -------------------------------------------------------

TEST(equal_computations_are_one_term)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term c = term_var(ts, "c", 1, TERM_INT);
#define K(v) term_const(ts, 32, (u128)(i128)(v))
#define OP(o, a, b) term_binary(ts, IR_##o, a, b)
    // Bytes that were cut and joined again.
    term joined = term_slice(ts, x, 24, 8);
    for (unsigned low = 24; low > 0; low -= 8)
        joined = term_concat(ts, joined, term_slice(ts, x, low - 8, 8));
    CHECK(joined == x);
    term wide = term_convert(ts, IR_SEXT, 64, x);
    joined = term_slice(ts, wide, 0, 8);
    for (unsigned low = 8; low < 64; low += 8)
        joined = term_concat(ts, term_slice(ts, wide, low, 8), joined);
    CHECK(joined == wide);
    // Bytes put together by shifts.
    term a = term_var(ts, "a", 8, TERM_INT), b = term_var(ts, "b", 8, TERM_INT);
    term word = OP(OR, term_convert(ts, IR_ZEXT, 32, a),
                   OP(SHL, term_convert(ts, IR_ZEXT, 32, b), K(8)));
    CHECK(term_slice(ts, word, 0, 8) == a && term_slice(ts, word, 8, 8) == b);
    // Sums, constants on the right.
    CHECK(OP(ADD, K(3), OP(SUB, x, K(4))) == OP(SUB, x, K(1)));
    CHECK(OP(SUB, OP(ADD, x, y), x) == y);
    CHECK(OP(MUL, OP(ADD, x, K(2)), K(8)) == OP(ADD, OP(SHL, x, K(3)), K(16)));
    CHECK(term_eq(ts, OP(ADD, K(5), x), K(7)) == term_eq(ts, x, K(2)));
    CHECK(OP(SLT, K(5), x) == term_not(ts, OP(SLT, x, K(6))));
    CHECK(OP(SLE, x, K(5)) == OP(SLT, x, K(6)));
    CHECK(OP(UDIV, x, K(16)) == OP(LSHR, x, K(4)));
    CHECK(OP(UREM, x, K(16)) == OP(AND, x, K(15)));
    // Choices between constants.
    term pick = term_ite(ts, c, K(7), K(9));
    CHECK(term_eq(ts, pick, K(7)) == c);
    CHECK(term_eq(ts, pick, K(9)) == term_not(ts, c));
    CHECK(term_is_false(ts, term_eq(ts, pick, K(8))));
    CHECK(term_is_true(ts, OP(ULT, pick, K(10))));
    CHECK(term_ne(ts, term_convert(ts, IR_ZEXT, 32, c), K(0)) == c);
    // !a & !b.
    term p = OP(EQ, x, K(1)), q = OP(ULT, y, K(7));
    CHECK(term_and(ts, term_not(ts, p), term_not(ts, q)) ==
          term_not(ts, term_or(ts, q, p)));
#undef K
#undef OP
    terms_free(ts);
}

TEST(offsets_are_a_base_a_constant_and_a_stride)
{
    struct terms *ts = terms_new();
    term i = term_var(ts, "i", 64, TERM_INT), j = term_var(ts, "j", 64, 0);
    term twenty = term_binary(ts, IR_MUL, i, term_const(ts, 64, 20));
    term four = term_binary(ts, IR_MUL, j, term_const(ts, 64, 4));
    term sum = term_binary(ts, IR_ADD, term_const(ts, 64, 7), twenty);
    sum = term_binary(ts, IR_ADD, sum, four);
    CHECK_EQ(term_as_sum(ts, sum).constant, 7);
    CHECK(term_as_sum(ts, sum).base == term_binary(ts, IR_ADD, twenty, four));
    CHECK_EQ(term_stride(ts, sum), 4);
    CHECK_EQ(term_stride(ts, twenty), 20);
    CHECK_EQ(term_stride(ts, term_const(ts, 64, 5)), 0);
    CHECK(term_as_sum(ts, term_const(ts, 64, 5)).base == TERM_NONE);
    terms_free(ts);
}

TEST(eighty_bit_floats_are_refused)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 80, TERM_FLOAT);
    CHECK(term_binary(ts, IR_FADD, x, x) == TERM_NONE);
    CHECK(term_fcmp(ts, IR_LESS, x, x) == TERM_NONE);
    CHECK(term_convert(ts, IR_FPCONV, 64, x) == TERM_NONE);
    CHECK(term_convert(ts, IR_FPCONV, 80, term_double(ts, 1)) == TERM_NONE);
    terms_free(ts);
}

// ---- showing ------------------------------------------------------------

static void check_text(struct terms *ts, term t, const char *expected)
{
    struct text out = {0};
    term_print(ts, t, &out);
    CHECK_TEXT(text_get(&out), expected);
    text_free(&out);
}

TEST(terms_are_shown_as_c)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "self->balance", 32, TERM_INT);
    term y = term_var(ts, "msg->amount", 32, TERM_INT);
    term c = term_var(ts, "*p", 8, TERM_BYTE_TEXT);
    term f = term_var(ts, "f", 64, TERM_FLOAT);
    term k = term_const(ts, 32, 3);
    check_text(ts, term_binary(ts, IR_SLE, y, x),
               "self->balance >= msg->amount");
    check_text(ts, term_binary(ts, IR_SLT, x, term_const(ts, 32, -(u128)5)),
               "self->balance < -5");
    check_text(ts, term_binary(ts, IR_MUL, term_binary(ts, IR_SUB, x, y), y),
               "msg->amount * (self->balance - msg->amount)");
    check_text(ts, term_binary(ts, IR_SUB, x, k), "self->balance - 3");
    check_text(ts, term_ne(ts, c, term_const(ts, 8, 'x')), "*p != 'x'");
    term first = term_eq(ts, x, k), second = term_eq(ts, y, k);
    term third = term_ne(ts, c, term_const(ts, 8, 0));
    check_text(ts, term_and(ts, first, term_or(ts, second, third)),
               "self->balance == 3 && (msg->amount == 3 || *p != 0)");
    check_text(ts, term_binary(ts, IR_LSHR, x, k), "self->balance >> 3");
    check_text(ts, term_binary(ts, IR_AND, x, k), "self->balance & 3");
    check_text(ts,
               term_fcmp(ts, IR_LESS | IR_EQUAL,
                         term_binary(ts, IR_FMUL, f, term_double(ts, 0.1)),
                         term_double(ts, 2)),
               "f * 0.1 <= 2.0");
    check_text(ts, term_ite(ts, term_eq(ts, x, k), y, k),
               "self->balance == 3 ? msg->amount : 3");
    terms_free(ts);
}

static void call_terms_check(void *ts)
{
    terms_check(ts);
}

TEST(damaged_terms_are_noticed)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 32, TERM_INT);
    term sum = term_binary(ts, IR_ADD, x, term_const(ts, 32, 3));
    CHECK(!asserts(call_terms_check, ts));
    struct node was = ts->nodes.at[sum];
    ts->nodes.at[sum].a = sum; // made of itself
    CHECK(asserts(call_terms_check, ts));
    ts->nodes.at[sum] = was;
    ts->known.at[sum].zeros = ts->known.at[sum].ones = 1;
    CHECK(asserts(call_terms_check, ts));
    ts->known.at[sum].zeros = ts->known.at[sum].ones = 0;
    ts->known.at[sum].lo = 9, ts->known.at[sum].hi = 8;
    CHECK(asserts(call_terms_check, ts));
    terms_free(ts);
}

TEST_MAIN()
