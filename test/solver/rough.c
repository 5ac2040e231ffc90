// Float conditions that are refuted by ranges and order alone.
#include "solver/solver.h"

#include "base/rng.h"
#include "test.h"

#include <math.h>

enum { LE = IR_EQUAL | IR_LESS, GT = IR_GREATER };

struct bench {
    struct terms *ts;
    term x, y, sum;
};

static struct bench bench_new(void)
{
    struct bench b = {.ts = terms_new()};
    b.x = term_var(b.ts, "x", 64, TERM_FLOAT);
    b.y = term_var(b.ts, "y", 64, TERM_FLOAT);
    b.sum = term_binary(b.ts, IR_FADD, b.x, term_double(b.ts, 100));
    return b;
}

static term cmp(struct bench *b, uint8_t mask, term l, term r)
{
    return term_fcmp(b->ts, mask, l, r);
}

TEST(a_ring_with_a_less_is_refuted_if_all_are_numbers)
{
    struct bench b = bench_new();
    term below = cmp(&b, LE, b.x, term_double(b.ts, 1e6));
    // y > sum, and not y > sum or no number: y <= sum.
    term c[] = {below, cmp(&b, GT, b.y, b.sum), cmp(&b, LE, b.y, b.sum)};
    CHECK(solver_refutes_roughly(NULL, b.ts, c, 3));
    CHECK(!solver_refutes_roughly(NULL, b.ts, c, 2));
    // Without a bound x may be no number, and then y neither above nor below.
    term d[] = {term_not(b.ts, cmp(&b, GT, b.y, b.sum)),
                term_not(b.ts, cmp(&b, LE, b.y, b.sum))};
    CHECK(!solver_refutes_roughly(NULL, b.ts, d, 2));
    term e[] = {below, cmp(&b, LE, term_double(b.ts, 0), b.x),
                cmp(&b, LE, term_double(b.ts, 0), b.y), d[0], d[1]};
    CHECK(solver_refutes_roughly(NULL, b.ts, e, 5));
    terms_free(b.ts);
}

TEST(ranges_go_through_arithmetic)
{
    struct bench b = bench_new();
    term c[] = {cmp(&b, LE, b.x, term_double(b.ts, 5)),
                cmp(&b, LE, term_double(b.ts, 1), b.x),
                cmp(&b, GT, b.sum, term_double(b.ts, 105.5))};
    CHECK(solver_refutes_roughly(NULL, b.ts, c, 3));
    c[2] = cmp(&b, GT, b.sum, term_double(b.ts, 104.5));
    CHECK(!solver_refutes_roughly(NULL, b.ts, c, 3));
    terms_free(b.ts);
}

static term any_float(struct bench *b, struct rng *rng)
{
    term at[] = {b->x, b->y, b->sum,
                 term_double(b->ts, (double)rng_below(rng, 7) - 3)};
    term l = at[rng_below(rng, 4)], r = at[rng_below(rng, 4)];
    switch (rng_below(rng, 5)) {
    case 0:
        return term_binary(b->ts, IR_FADD, l, r);
    case 1:
        return term_binary(b->ts, IR_FSUB, l, r);
    case 2:
        return term_binary(b->ts, IR_FMUL, l, r);
    default:
        return l;
    }
}

// What some values satisfy is never refuted.
TEST(no_conditions_that_hold_are_refuted)
{
    struct rng rng = rng_of(7);
    static const double special[] = {0.0,    -0.0,   1,   -1,   1e308,
                                     -1e308, 1e-308, 100, -100, 0.1};
    uint32_t refuted = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        struct bench b = bench_new();
        struct model *m = model_new(b.ts);
        term c[6];
        double v[2];
        for (uint32_t i = 0; i < 2; i++) {
            v[i] = rng_below(&rng, 12)  ? special[rng_below(&rng, 10)]
                   : rng_below(&rng, 2) ? (double)INFINITY
                                        : (double)NAN;
            term t = term_double(b.ts, v[i]);
            model_set(m, term_var_index(b.ts, i ? b.y : b.x),
                      term_value(b.ts, t));
        }
        for (uint32_t i = 0; i < 6; i++) {
            uint8_t mask = (uint8_t)rng_below(&rng, 16);
            c[i] =
                term_fcmp(b.ts, mask, any_float(&b, &rng), any_float(&b, &rng));
            if (!term_eval(b.ts, c[i], m))
                c[i] = term_not(b.ts, c[i]);
        }
        CHECK(!solver_refutes_roughly(NULL, b.ts, c, 6));
        // The opposite of one: refuted now and then.
        c[5] = term_not(b.ts, c[rng_below(&rng, 5)]);
        refuted += solver_refutes_roughly(NULL, b.ts, c, 6);
        model_free(m);
        terms_free(b.ts);
    }
    CHECK(refuted > 100);
}

TEST_MAIN()
