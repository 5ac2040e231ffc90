// Questions: each answer against a truth found by other means.
#include "solver/solver.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/temp.h"
#include "test.h"

#include <math.h>
#include <sys/stat.h>

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
    for (uint64_t seed = first + test_first(n), i = 0;
         i < test_share(n) && bad < 3; seed++, i++) {
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

// ---- small worlds: every answer against all values ----------------------

enum { WORLD_VARS = 3, WORLD_BITS = 4, WORLD = 1 << WORLD_VARS * WORLD_BITS };

struct world {
    struct terms *ts;
    term vars[WORLD_VARS];
    struct model *all[WORLD]; // one model per assignment
};

static void world_open(struct world *w)
{
    static const char *const names[] = {"x", "y", "z"};
    w->ts = terms_new();
    for (uint32_t i = 0; i < WORLD_VARS; i++)
        w->vars[i] = term_var(w->ts, names[i], WORLD_BITS, TERM_INT);
    for (uint32_t v = 0; v < WORLD; v++) {
        w->all[v] = model_new(w->ts);
        for (uint32_t i = 0; i < WORLD_VARS; i++)
            model_set(w->all[v], i, v >> i * WORLD_BITS & 15);
    }
}

static void world_close(struct world *w)
{
    for (uint32_t v = 0; v < WORLD; v++)
        model_free(w->all[v]);
    terms_free(w->ts);
}

// A random term over some of the variables, wider than they are.
static term world_term(struct world *w, struct rng *r, unsigned deep)
{
    struct terms *ts = w->ts;
    if (!deep || rng_below(r, 4) == 0) {
        term x = w->vars[rng_below(r, WORLD_VARS)];
        if (rng_below(r, 3) == 0)
            return term_const(ts, 8, rng_below(r, 20));
        return term_convert(ts, rng_below(r, 2) ? IR_ZEXT : IR_SEXT, 8, x);
    }
    term a = world_term(w, r, deep - 1), b = world_term(w, r, deep - 1);
    if (rng_below(r, 8) == 0)
        return term_ite(ts, term_binary(ts, IR_SLT, a, b), a,
                        term_const(ts, 8, rng_below(r, 5)));
    return term_binary(ts, (enum ir_op)(IR_ADD + rng_below(r, 13)), a, b);
}

static term world_condition(struct world *w, struct rng *r)
{
    enum ir_op op = (enum ir_op)(IR_EQ + rng_below(r, 6));
    term t = term_binary(w->ts, op, world_term(w, r, 2), world_term(w, r, 1));
    if (rng_below(r, 5) == 0)
        t = term_or(w->ts, t, world_condition(w, r));
    return t;
}

static void note(uint64_t seed, const char *what)
{
    fprintf(stderr, "seed %lu: %s\n", (unsigned long)seed, what);
}

// The path's ranges hold in all of its assignments.
static bool ranges_hold(struct world *w, const struct path *p,
                        const bool *alive, term t)
{
    struct term_range r = path_range(w->ts, p, t);
    for (uint32_t v = 0; v < WORLD; v++) {
        u128 x = alive[v] ? term_eval(w->ts, t, w->all[v]) : r.lo;
        if (x < r.lo || x > r.hi)
            return false;
    }
    return true;
}

// A path grows by what is asked, as in a symbolic run: each answer is compared
// with what the assignments say that are still alive.
static bool walk(struct world *w, struct rng *r, uint64_t seed,
                 const struct solver_options *o)
{
    struct solver *s = solver_new(w->ts, o);
    struct path p = {0};
    bool *alive = malloc(WORLD), ok = true;
    memset(alive, true, WORLD);
    for (int step = 0; step < 12 && ok; step++) {
        term c = world_condition(w, r), t = world_term(w, r, 2);
        struct model *m = NULL;
        uint32_t n = 0;
        for (uint32_t v = 0; v < WORLD; v++)
            n += alive[v] && term_eval(w->ts, c, w->all[v]);
        enum solver_answer a = solver_ask(s, &p, c, &m);
        ok = a == (n ? SOLVER_SAT : SOLVER_UNSAT);
        if (!ok)
            note(seed, n ? "satisfiable, it says not" : "unsat, it says not");
        if (a == SOLVER_SAT) {
            struct path old = path_fork(&p);
            path_add(w->ts, &p, c);
            path_take_model(&p, m);
            for (uint32_t i = 0; i < p.n; i++)
                ok &= path_holds(w->ts, &p, path_condition(&p, i));
            path_add(w->ts, &old, term_not(w->ts, c));
            path_release(&old);
            for (uint32_t v = 0; v < WORLD; v++)
                alive[v] &= term_eval(w->ts, c, w->all[v]) != 0;
        }
        ok &= ranges_hold(w, &p, alive, t);
    }
    if (!ok)
        note(seed, "differs");
    free(alive);
    path_release(&p);
    solver_free(s);
    return ok;
}

static void walks(const struct solver_options *o, uint64_t n, uint64_t first)
{
    struct world w;
    uint32_t bad = 0;
    if (!solver_has_z3())
        return;
    world_open(&w);
    for (uint64_t seed = first + test_first(n), i = 0;
         i < test_share(n) && bad < 3; seed++, i++) {
        struct rng r = rng_of(seed);
        bad += !walk(&w, &r, seed, o);
    }
    CHECK_EQ(bad, 0);
    world_close(&w);
}

TEST(answers_on_a_path_are_those_of_all_values)
{
    walks(&(struct solver_options){.rlimit = 50000000}, 40, 1);
}

TEST(answers_without_slices_are_the_same)
{
    walks(&(struct solver_options){.rlimit = 50000000, .whole = true}, 15, 1);
}

TEST(answers_of_an_incremental_solver_are_the_same)
{
    walks(&(struct solver_options){.rlimit = 50000000,
                                   .without = only_z3,
                                   .incremental = true},
          15, 1);
}

TEST(answers_of_each_step_alone_are_the_same)
{
    for (uint32_t step = SOLVER_STEP_FACTS; step <= SOLVER_STEP_SIMPLE; step++)
        walks(
            &(struct solver_options){.rlimit = 50000000, .without = 1u << step},
            6, 100 + step * 10);
}

// ---- limits -------------------------------------------------------------

// Factors of a product of two large primes: no solver finds them soon.
static term factors(struct terms *ts)
{
    term x = term_var(ts, "x", 64, TERM_INT);
    term y = term_var(ts, "y", 64, TERM_INT);
    term small = term_const(ts, 64, (u128)1 << 32);
    term c = term_eq(ts, term_binary(ts, IR_MUL, x, y),
                     term_const(ts, 64, (u128)2654435761u * 3037000493u));
    c = term_and(ts, c, term_binary(ts, IR_ULT, x, small));
    return term_and(ts, c, term_binary(ts, IR_ULT, y, small));
}

TEST(a_late_child_is_killed_and_the_answer_is_unknown)
{
    struct terms *ts = terms_new();
    term c = factors(ts);
    struct solver_options o = {.simple_ms = 50, .full_ms = 100};
    struct solver *s = solver_new(ts, &o);
    double began = clock_now();
    if (solver_has_z3()) {
        CHECK(solver_check(s, &c, 1, NULL) == SOLVER_UNKNOWN);
        CHECK_TEXT(solver_reason(s), "time");
        CHECK(clock_now() - began < 60);
        CHECK_EQ(solver_figures(s)->unknown, 1);
    }
    solver_free(s);
    terms_free(ts);
}

// Many divisions of variables: their circuit takes hundreds of megabytes.
static term divisions(struct terms *ts)
{
    term sum = term_const(ts, 64, 0), x = term_var(ts, "x", 64, TERM_INT);
    for (int i = 0; i < 40; i++) {
        term y = term_var(ts, "y", 64, TERM_INT);
        x = term_binary(ts, IR_UDIV, x, y);
        sum = term_binary(ts, IR_ADD, sum, term_binary(ts, IR_MUL, x, y));
    }
    return term_eq(ts, sum, term_const(ts, 64, 77));
}

TEST(a_question_ends_with_the_time_of_all)
{
    struct terms *ts = terms_new();
    term c = factors(ts);
    struct solver_options o = {.full_ms = 600000};
    struct solver *s = solver_new(ts, &o);
    double began = clock_now();
    solver_until(s, began + 0.3);
    if (solver_has_z3()) {
        CHECK(solver_check(s, &c, 1, NULL) == SOLVER_UNKNOWN);
        CHECK_TEXT(solver_reason(s), "time");
        CHECK(clock_now() - began < 300);
    }
    solver_free(s);
    terms_free(ts);
}

TEST(a_child_without_memory_says_so)
{
    struct terms *ts = terms_new();
    term c = divisions(ts);
    struct solver_options o = {.memory = 16 << 20,
                               .full_ms = 20000,
                               .without = 1u << SOLVER_STEP_SIMPLE |
                                          1u << SOLVER_STEP_LINEAR};
    struct solver *s = solver_new(ts, &o);
    if (solver_has_z3()) {
        CHECK(solver_check(s, &c, 1, NULL) == SOLVER_UNKNOWN);
        CHECK_TEXT(solver_reason(s), "memory");
    }
    solver_free(s);
    terms_free(ts);
}

// ---- cores --------------------------------------------------------------

static bool core_is_unsat(struct world *w, struct solver *s, struct rng *r)
{
    term conditions[8], kept[8];
    uint32_t labels[8], core[8];
    for (uint32_t i = 0; i < 8; i++) {
        conditions[i] = world_condition(w, r);
        labels[i] = rng_below(r, 5);
    }
    if (solver_check(s, conditions, 8, NULL) != SOLVER_UNSAT)
        return true;
    uint32_t n = solver_core(s, conditions, labels, 8, core), k = 0;
    for (uint32_t i = 0; i < n; i++)
        kept[k++] = conditions[core[i]];
    bool ok = n > 0 && solver_check(s, kept, k, NULL) == SOLVER_UNSAT;
    // All of a label or none of it.
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < n; j++) {
            bool in = false;
            for (uint32_t c = 0; c < n; c++)
                in |= core[c] == i;
            ok &= in || !labels[i] || labels[i] != labels[core[j]] ||
                  term_is_false(w->ts, kept[0]);
        }
    return ok;
}

TEST(a_core_is_unsat_by_itself)
{
    struct world w;
    struct solver_options o = {.rlimit = 50000000};
    struct rng r = rng_of(7);
    if (!solver_has_z3())
        return;
    world_open(&w);
    struct solver *s = solver_new(w.ts, &o);
    for (uint64_t i = 0; i < test_share(60); i++)
        CHECK(core_is_unsat(&w, s, &r));
    solver_free(s);
    world_close(&w);
}

TEST(a_core_leaves_out_what_a_proof_does_not_need)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term conditions[] = {
        term_binary(ts, IR_ULT, y, term_const(ts, 32, 7)),
        term_eq(ts, term_binary(ts, IR_AND, x, term_const(ts, 32, 5)),
                term_const(ts, 32, 4)),
        term_binary(ts, IR_SLT, x, y),
        term_eq(ts, term_binary(ts, IR_AND, x, term_const(ts, 32, 13)),
                term_const(ts, 32, 9)),
    };
    uint32_t core[4];
    if (solver_has_z3()) {
        CHECK_EQ(solver_core(s, conditions, NULL, 4, core), 2);
        CHECK(core[0] == 1 && core[1] == 3);
        conditions[3] = term_bool(ts, true);
        CHECK_EQ(solver_core(s, conditions, NULL, 4, core), 0);
    }
    solver_free(s);
    terms_free(ts);
}

// ---- the same every time ------------------------------------------------

static u128 fingerprint(uint64_t seed)
{
    struct world w;
    struct solver_options o = {.rlimit = 1000000};
    struct rng r = rng_of(seed);
    u128 print = 0;
    world_open(&w);
    struct solver *s = solver_new(w.ts, &o);
    for (int i = 0; i < 6; i++) {
        term c[] = {world_condition(&w, &r), world_condition(&w, &r)};
        struct model *m = NULL;
        print = print * 3 + solver_check(s, c, 2, &m);
        for (uint32_t v = 0; m && v < WORLD_VARS; v++)
            print = print * 17 + model_get(m, v);
        model_free(m);
    }
    solver_free(s);
    world_close(&w);
    return print;
}

TEST(a_path_loses_only_what_refutes)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    struct path p = {0};
    struct model *m = NULL;
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term five = term_const(ts, 32, 5), low = term_binary(ts, IR_ULT, y, five);
    term sum = term_binary(ts, IR_ADD, x, y);
    term odd = term_eq(ts, term_binary(ts, IR_AND, x, five), five);
    path_add(ts, &p, low);
    path_add(ts, &p, term_not(ts, odd));
    path_add(ts, &p, term_binary(ts, IR_ULT, x, term_const(ts, 32, 100)));
    term goal = term_and(ts, odd, term_eq(ts, sum, term_const(ts, 32, 40)));
    if (solver_has_z3()) {
        CHECK_EQ(solver_ask(s, &p, goal, &m), SOLVER_UNSAT);
        CHECK(solver_loosen(s, &p, goal));
        CHECK_EQ(p.n, 2);
        CHECK_EQ(solver_ask(s, &p, goal, &m), SOLVER_SAT);
        CHECK(term_judge(ts, low, m) == 1 && term_judge(ts, goal, m) == 1);
        model_free(m);
    }
    path_release(&p);
    solver_free(s);
    terms_free(ts);
}

TEST(equal_questions_get_equal_models)
{
    CHECK(fingerprint(1) == fingerprint(1));
    CHECK(fingerprint(1) != fingerprint(2));
}

// ---- steps --------------------------------------------------------------

// The step that answers one condition by itself.
static enum solver_step answered_by(struct terms *ts, term c,
                                    enum solver_answer expected)
{
    struct solver *s = solver_new(ts, NULL);
    enum solver_step by = SOLVER_STEPS_N;
    struct path p = {0};
    struct model *m = NULL;
    CHECK(solver_ask(s, &p, c, &m) == expected);
    CHECK(!m || term_judge(ts, c, m) == 1);
    const struct solver_figures *f = solver_figures(s);
    for (enum solver_step i = 0; i < SOLVER_STEPS_N; i++)
        if (f->sat[i] + f->unsat[i])
            by = i;
    model_free(m);
    solver_free(s);
    return by;
}

static term in_text(struct terms *ts, term c, char low, char high)
{
    return term_and(ts, term_binary(ts, IR_ULE, term_const(ts, 8, low), c),
                    term_binary(ts, IR_ULE, c, term_const(ts, 8, high)));
}

TEST(a_byte_is_answered_by_masks)
{
    struct terms *ts = terms_new();
    term c = term_var(ts, "c", 8, TERM_BYTE_TEXT);
    term digit = in_text(ts, c, '0', '9');
    CHECK_EQ(answered_by(ts, digit, SOLVER_SAT), SOLVER_STEP_BYTES);
    term odd = term_binary(ts, IR_UREM, c, term_const(ts, 8, 7));
    term no = term_and(
        ts, term_eq(ts, odd, term_const(ts, 8, 6)),
        term_eq(ts, term_binary(ts, IR_MUL, c, c), term_const(ts, 8, 2)));
    CHECK_EQ(answered_by(ts, no, SOLVER_UNSAT), SOLVER_STEP_BYTES);
    // Parts of more than 64 bits.
    term wide = term_convert(ts, IR_SEXT, 100, c);
    wide = term_binary(ts, IR_MUL, wide, wide);
    term minus = term_binary(ts, IR_SLT, c, term_const(ts, 8, 0));
    term square = term_eq(ts, wide, term_const(ts, 100, 49));
    CHECK_EQ(answered_by(ts, term_and(ts, square, minus), SOLVER_SAT),
             SOLVER_STEP_BYTES);
    terms_free(ts);
}

// A random term over one byte.
static term byte_term(struct terms *ts, term c, struct rng *r, unsigned deep)
{
    if (!deep || rng_below(r, 5) == 0)
        return rng_below(r, 3)
                   ? term_convert(ts, IR_ZEXT + rng_below(r, 2), 32, c)
                   : term_const(ts, 32, rng_below(r, 300));
    term a = byte_term(ts, c, r, deep - 1), b = byte_term(ts, c, r, deep - 1);
    if (rng_below(r, 6) == 0)
        return term_ite(ts, term_binary(ts, IR_ULT, a, b), b, a);
    return term_binary(ts, (enum ir_op)(IR_ADD + rng_below(r, 13)), a, b);
}

static bool has_solution(struct terms *ts, term t, uint32_t var)
{
    struct model *m = model_new(ts);
    bool some = false;
    for (unsigned v = 0; v < 256 && !some; v++) {
        model_set(m, var, v);
        some = term_judge(ts, t, m);
    }
    model_free(m);
    return some;
}

TEST(masks_of_a_byte_are_those_of_all_its_values)
{
    struct terms *ts = terms_new();
    struct solver_options o = {.without = ~(1u << SOLVER_STEP_BYTES)};
    struct solver *s = solver_new(ts, &o);
    struct rng r = rng_of(11);
    term c = term_var(ts, "c", 8, TERM_INT);
    uint32_t bad = 0, no = 0;
    for (uint64_t i = 0; i < test_share(3000); i++) {
        struct path p = {0};
        term t = term_binary(ts, (enum ir_op)(IR_EQ + rng_below(&r, 6)),
                             byte_term(ts, c, &r, 4), byte_term(ts, c, &r, 2));
        if (term_is_const(ts, t))
            continue;
        bool some = has_solution(ts, t, 0);
        bad += solver_ask(s, &p, t, NULL) != (some ? SOLVER_SAT : SOLVER_UNSAT);
        no += !some;
    }
    CHECK_EQ(bad, 0);
    CHECK(no > 50 || !test_whole());
    solver_free(s);
    terms_free(ts);
}

TEST(a_float_condition_is_answered_by_trying)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 64, TERM_FLOAT);
    term sum = term_binary(ts, IR_FADD, x, term_double(ts, 0.25));
    term c = term_fcmp(ts, IR_GREATER, sum, term_double(ts, 41.5));
    CHECK_EQ(answered_by(ts, c, SOLVER_SAT), SOLVER_STEP_TRIES);
    terms_free(ts);
}

TEST(a_pair_of_floats_is_answered_by_trying)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 64, TERM_FLOAT);
    term y = term_var(ts, "y", 64, TERM_FLOAT);
    term c = term_fcmp(ts, IR_EQUAL, term_binary(ts, IR_FMUL, x, y),
                       term_double(ts, 250));
    c = term_and(ts, c, term_fcmp(ts, IR_GREATER, y, term_double(ts, 1.5)));
    c = term_and(ts, c, term_fcmp(ts, IR_LESS, y, x));
    CHECK_EQ(answered_by(ts, c, SOLVER_SAT), SOLVER_STEP_TRIES);
    terms_free(ts);
}

TEST(products_of_floats_are_answered_by_reals)
{
    struct terms *ts = terms_new();
    term x = term_var(ts, "x", 64, TERM_FLOAT);
    term y = term_var(ts, "y", 64, TERM_FLOAT);
    term area = term_binary(ts, IR_FMUL, x, y);
    term rim = term_binary(ts, IR_FADD, x, y);
    term c =
        term_and(ts, term_fcmp(ts, IR_GREATER, area, term_double(ts, 30.509)),
                 term_fcmp(ts, IR_LESS, rim, term_double(ts, 11.0473)));
    c = term_and(ts, c, term_fcmp(ts, IR_LESS, x, y));
    c = term_and(ts, c, term_fcmp(ts, IR_GREATER, x, term_double(ts, 0)));
    if (solver_has_z3())
        CHECK_EQ(answered_by(ts, c, SOLVER_SAT), SOLVER_STEP_REALS);
    terms_free(ts);
}

TEST(products_are_answered_by_integers)
{
    struct terms *ts = terms_new();
    term a = term_var(ts, "a", 32, TERM_INT);
    term b = term_var(ts, "b", 32, TERM_INT);
    term product = term_binary(ts, IR_MUL, term_convert(ts, IR_SEXT, 64, a),
                               term_convert(ts, IR_SEXT, 64, b));
    term c = term_eq(ts, product, term_const(ts, 64, 380));
    c = term_and(ts, c, term_binary(ts, IR_SLT, b, a));
    c = term_and(ts, c,
                 term_binary(ts, IR_SLT, term_binary(ts, IR_SUB, a, b),
                             term_const(ts, 32, 3)));
    if (solver_has_z3())
        CHECK_EQ(answered_by(ts, c, SOLVER_SAT), SOLVER_STEP_LINEAR);
    terms_free(ts);
}

TEST(divisions_are_answered_by_linear_integers)
{
    struct terms *ts = terms_new();
    term days = term_var(ts, "days", 64, TERM_INT);
    term k400 = term_const(ts, 64, 146097), k7 = term_const(ts, 64, 7);
    term era = term_binary(ts, IR_SDIV, days, k400);
    term rest = term_binary(ts, IR_SREM, days, k400);
    term c = term_eq(ts, era, term_const(ts, 64, 5));
    c = term_and(
        ts, c,
        term_eq(ts, term_binary(ts, IR_SREM, rest, k7), term_const(ts, 64, 3)));
    c = term_and(
        ts, c,
        term_eq(ts, term_binary(ts, IR_SDIV, rest, term_const(ts, 64, 365)),
                term_const(ts, 64, 211)));
    if (solver_has_z3())
        CHECK_EQ(answered_by(ts, c, SOLVER_SAT), SOLVER_STEP_LINEAR);
    terms_free(ts);
}

TEST(a_refuted_slice_is_not_asked_twice)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term even = term_eq(ts, term_binary(ts, IR_ADD, x, y),
                        term_binary(ts, IR_SHL, y, term_const(ts, 32, 3)));
    term odd = term_eq(ts, term_slice(ts, term_binary(ts, IR_XOR, x, y), 0, 1),
                       term_bool(ts, true));
    struct path p = {0};
    if (solver_has_z3()) {
        path_add(ts, &p, even);
        CHECK(solver_ask(s, &p, odd, NULL) == SOLVER_UNSAT);
        uint64_t before = solver_figures(s)->unsat[SOLVER_STEP_CACHE];
        CHECK(solver_ask(s, &p, odd, NULL) == SOLVER_UNSAT);
        CHECK_EQ(solver_figures(s)->unsat[SOLVER_STEP_CACHE], before + 1);
        // More conditions do not make it satisfiable.
        path_add(ts, &p, term_binary(ts, IR_ULT, x, y));
        CHECK(solver_ask(s, &p, odd, NULL) == SOLVER_UNSAT);
        CHECK_EQ(solver_figures(s)->unsat[SOLVER_STEP_CACHE], before + 2);
    }
    path_release(&p);
    solver_free(s);
    terms_free(ts);
}

TEST(a_part_of_a_refuted_slice_is_asked)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term z = term_var(ts, "z", 32, TERM_INT);
    struct path p = {0}, q = {0};
    term c = term_binary(ts, IR_ULT, z, x);
    path_add(ts, &p, term_binary(ts, IR_ULT, x, y));
    path_add(ts, &p, term_binary(ts, IR_ULT, y, z));
    path_add(ts, &q, term_binary(ts, IR_ULT, x, y));
    if (solver_has_z3()) {
        CHECK(solver_ask(s, &p, c, NULL) == SOLVER_UNSAT);
        CHECK(solver_ask(s, &q, c, NULL) == SOLVER_SAT);
    }
    path_release(&p);
    path_release(&q);
    solver_free(s);
    terms_free(ts);
}

// ---- other programs -----------------------------------------------------

// What the step says that asks cvc5, if this is what cvc5 says.
static enum solver_answer second(const char *says, u128 *value)
{
    struct arena a = {0};
    struct diag d = {0};
    const char *folder = temp_new(&a, &d);
    const char *fake = arena_format(&a, "%s/cvc5", folder);
    const char *script = arena_format(&a, "#!/bin/sh\necho '%s'\n", says);
    CHECK(file_replace(fake, script, strlen(script)));
    CHECK(chmod(fake, 0700) == 0);
    struct terms *ts = terms_new();
    struct solver_options o = {.without = ~(1u << SOLVER_STEP_SECOND),
                               .cvc5 = fake};
    struct solver *s = solver_new(ts, &o);
    term x = term_var(ts, "x", 8, TERM_INT);
    term c = term_eq(ts, term_binary(ts, IR_UREM, x, term_const(ts, 8, 7)),
                     term_const(ts, 8, 5));
    struct model *m = NULL;
    enum solver_answer answer = solver_check(s, &c, 1, &m);
    *value = model_get(m, 0);
    model_free(m);
    solver_free(s);
    terms_free(ts);
    temp_remove(folder);
    arena_free(&a);
    return answer;
}

TEST(cvc5_is_a_second_opinion)
{
    u128 v;
    CHECK(second("unsat", &v) == SOLVER_UNSAT);
    CHECK(second("unknown", &v) == SOLVER_UNKNOWN);
    CHECK(second("", &v) == SOLVER_UNKNOWN);
    CHECK(second("sat ((define-fun v0 () (_ BitVec 8) #b00001100))", &v) ==
          SOLVER_SAT);
    CHECK_EQ(v, 12);
    CHECK(second("sat ((define-fun v0 () (_ BitVec 8) #x1a))", &v) ==
          SOLVER_SAT);
    CHECK_EQ(v, 26);
    // A model that does not hold is not believed.
    CHECK(second("sat ((define-fun v0 () (_ BitVec 8) #x1b))", &v) ==
          SOLVER_UNKNOWN);
}

TEST(queries_are_logged_as_scripts)
{
    struct arena a = {0};
    struct diag d = {0};
    char line[200] = "", all[4000] = "";
    const char *folder = temp_new(&a, &d);
    struct terms *ts = terms_new();
    struct solver_options o = {.without = only_z3, .log = folder};
    struct solver *s = solver_new(ts, &o);
    term x = term_var(ts, "x", 32, TERM_INT);
    term c = term_eq(ts, term_binary(ts, IR_MUL, x, x), term_const(ts, 32, 49));
    if (solver_has_z3()) {
        CHECK(solver_check(s, &c, 1, NULL) == SOLVER_SAT);
        FILE *f = fopen(arena_format(&a, "%s/000000.smt2", folder), "r");
        CHECK(f && fgets(line, sizeof line, f));
        CHECK(!strncmp(line, "; simple, sat in ", 17));
        CHECK(f && fread(all, 1, sizeof all - 1, f) > 0);
        CHECK(strstr(all, "(declare-fun v0 () (_ BitVec 32))") != NULL);
        CHECK(strstr(all, "(check-sat)") != NULL);
        if (f)
            fclose(f);
    }
    solver_free(s);
    terms_free(ts);
    temp_remove(folder);
    arena_free(&a);
}

// ---- plain values -------------------------------------------------------

TEST(labels_are_small_and_printable)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    term x = term_var(ts, "x", 32, TERM_INT);
    term y = term_var(ts, "y", 32, TERM_INT);
    term c = term_var(ts, "c", 8, TERM_BYTE_TEXT);
    term f = term_var(ts, "f", 64, TERM_FLOAT);
    struct path p = {0};
    path_add(ts, &p, term_binary(ts, IR_SLT, term_const(ts, 32, 5), x));
    path_add(ts, &p, term_binary(ts, IR_SLT, y, x));
    path_add(ts, &p, term_ne(ts, c, term_const(ts, 8, 0)));
    path_add(ts, &p, term_fcmp(ts, IR_GREATER, f, term_double(ts, 1.25)));
    path_set(ts, &p, x, 1999999999);
    path_set(ts, &p, y, 0x80000007);
    path_set(ts, &p, c, 0x93);
    path_set(ts, &p, f, term_value(ts, term_double(ts, 1234.5678)));
    solver_label(s, &p, NULL, 0);
    CHECK_EQ(model_get(p.model, 0), 6);
    CHECK_EQ(model_get(p.model, 1), 0);
    CHECK_EQ(model_get(p.model, 2), 'a');
    CHECK(model_get(p.model, 3) == term_value(ts, term_double(ts, 2)));
    path_release(&p);
    solver_free(s);
    terms_free(ts);
}

TEST(a_count_is_made_small_first)
{
    struct terms *ts = terms_new();
    struct solver *s = solver_new(ts, NULL);
    term n = term_var(ts, "n", 64, TERM_INT);
    term i = term_var(ts, "i", 64, TERM_INT);
    struct path p = {0};
    path_add(ts, &p, term_binary(ts, IR_ULT, i, n));
    path_add(ts, &p, term_binary(ts, IR_ULT, term_const(ts, 64, 2), i));
    path_set(ts, &p, n, 60000);
    path_set(ts, &p, i, 59999);
    solver_label(s, &p, &n, 1);
    if (solver_has_z3()) {
        CHECK_EQ(model_get(p.model, 0), 4);
        CHECK_EQ(model_get(p.model, 1), 3);
    }
    path_release(&p);
    solver_free(s);
    terms_free(ts);
}
TEST_MAIN()
