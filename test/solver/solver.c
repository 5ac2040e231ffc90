// Questions: each answer against a truth found by other means.
#include "solver/solver.h"

#include "base/clock.h"
#include "test.h"

#include <math.h>

#include "random.h"

static const uint32_t only_z3 =
    ~(1u << SOLVER_STEP_SIMPLE | 1u << SOLVER_STEP_FULL);

// ---- Z3 computes what ir_eval() does ------------------------------------

static term same_float(struct terms *ts, term t, u128 v)
{
    unsigned bits = term_bits(ts, t);
    union ir_bits x = {.i = v};
    bool nan = bits == 32 ? isnan(x.f) : isnan(x.d);
    return nan ? term_fcmp(ts, IR_UNORDERED, t, t)
               : term_eq(ts, t, term_const(ts, bits, v));
}

// This answer, or none within the limit.
static bool expect(struct solver *s, const term *conditions,
                   enum solver_answer expected)
{
    enum solver_answer a = solver_check(s, conditions, INPUTS + 1, NULL);
    return a == expected ||
           (a == SOLVER_UNKNOWN && !strcmp(solver_reason(s), "limit"));
}

// With all inputs fixed, can the last step be another value?  It cannot.
static bool z3_agrees(struct rng *r, struct kinds kinds, uint64_t seed)
{
    struct computation c;
    term inputs[INPUTS], terms[STEPS], conditions[INPUTS + 1];
    u128 in[INPUTS], values[STEPS];
    struct terms *ts = terms_new();
    struct solver_options o = {.without = only_z3, .rlimit = 20000000};
    struct solver *s = solver_new(ts, &o);
    random_computation(&c, r, kinds, 24);
    make_inputs(&c, ts, inputs);
    compute_terms(&c, ts, inputs, terms);
    random_inputs(&c, r, in);
    compute_values(&c, in, values);
    for (uint32_t i = 0; i < INPUTS; i++)
        conditions[i] = term_eq(
            ts, inputs[i], term_const(ts, term_bits(ts, inputs[i]), in[i]));
    bool ok = true;
    for (uint32_t i = c.n - 6; i < c.n && ok; i++) {
        if (!terms[i] || term_is_const(ts, terms[i]))
            continue;
        term is =
            type_of(&c, i).kind == IR_FLOAT
                ? same_float(ts, terms[i], values[i])
                : term_eq(ts, terms[i],
                          term_const(ts, term_bits(ts, terms[i]), values[i]));
        conditions[INPUTS] = term_not(ts, is);
        ok = expect(s, conditions, SOLVER_UNSAT);
        conditions[INPUTS] = is;
        ok &= expect(s, conditions, SOLVER_SAT);
        if (!ok)
            fprintf(stderr, "seed %lu: step %u (%s)\n", (unsigned long)seed, i,
                    ir_op_text((enum ir_op)c.at[i].inst.op));
    }
    solver_free(s);
    terms_free(ts);
    return ok;
}

static void many(struct kinds kinds, uint64_t n, uint64_t first)
{
    uint32_t bad = 0;
    for (uint64_t seed = first; seed < first + test_share(n) && bad < 3;
         seed++) {
        struct rng r = rng_of(seed);
        bad += !z3_agrees(&r, kinds, seed);
    }
    CHECK_EQ(bad, 0);
}

TEST(z3_computes_integers_as_ir_eval_does)
{
    if (solver_has_z3())
        many((struct kinds){.wide = true, .division = true}, 60, 1);
}

TEST(z3_computes_floats_as_ir_eval_does)
{
    if (solver_has_z3())
        many((struct kinds){.floats = true, .exact = true}, 40, 1000);
}
TEST_MAIN()
