// Terms mean what ir_eval() computes, whatever their normal form is.
#include "solver/term.h"

#include "base/clock.h"
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
    for (uint64_t seed = first; seed < first + test_share(n) && bad < 5;
         seed++) {
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
TEST_MAIN()
