// Special values: constants of the conditions and their neighbours, small
// numbers, ends of ranges; for floats also what floats are known for.
//
// One variable at a time from the base model first, then all at random.  It is
// the best step for floats, whose formulas are large and whose solutions are
// often plain.
#include "solver/query.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

enum {
    CONSTANTS_MOST = 24,
    TERMS_MOST = 400, // of the conditions, looked through for constants
    TRIES_INT = 400,
    TRIES_FLOAT = 4000,
    TRIES_LAST = 40000 // when no other step knows
};

struct candidates {
    VEC(u128) at;
};

// ---- constants ----------------------------------------------------------

// The constants in the conditions, of any width.
static void constants(struct solver *s, struct candidates *out)
{
    struct terms *ts = s->ts;
    uint32_t base = ts->stack.n, seen = 0;
    walk_begin(ts);
    for (uint32_t i = s->query.conditions.n; i-- > 0;)
        vec_push(&ts->stack, s->query.conditions.at[i]);
    while (ts->stack.n > base) {
        term t = vec_pop(&ts->stack);
        const struct node *n = node_of(ts, t);
        if (!walk_meet(ts, t) || seen++ > TERMS_MOST)
            continue;
        if (n->op == TERM_CONST && n->bits > 1 && out->at.n < CONSTANTS_MOST)
            vec_push(&out->at, value_of(ts, t));
        for (uint32_t i = 0; i < n_args(n); i++)
            vec_push(&ts->stack, arg_of(n, i));
    }
}

static void integer_values(struct solver *s,
                           const struct candidates *constants_, unsigned bits,
                           struct candidates *out)
{
    static const int small[] = {0, 1, -1, 2, 3, 10, 100};
    (void)s;
    for (unsigned i = 0; i < sizeof small / sizeof *small; i++)
        vec_push(&out->at, ir_cut((u128)(i128)small[i], bits));
    for (uint32_t i = 0; i < constants_->at.n; i++)
        for (int d = -1; d <= 1; d++)
            vec_push(&out->at,
                     ir_cut(constants_->at.at[i] + (u128)(i128)d, bits));
    vec_push(&out->at, (u128)1 << (bits - 1));
    vec_push(&out->at, ((u128)1 << (bits - 1)) - 1);
}

static void push_float(struct candidates *out, unsigned bits, double x)
{
    union ir_bits v = {.i = 0};
    if (bits == 32)
        v.f = (float)x;
    else
        v.d = x;
    vec_push(&out->at, v.i);
}

// A constant and its neighbours among floats.
static void push_near(struct candidates *out, unsigned bits, double x)
{
    double up = bits == 32 ? (double)nextafterf((float)x, INFINITY)
                           : nextafter(x, INFINITY);
    double down = bits == 32 ? (double)nextafterf((float)x, -INFINITY)
                             : nextafter(x, -INFINITY);
    double some[] = {x, up, down, -x, x + 1, x - 1, x / 2, x * 2, 1 / x};
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
        push_float(out, bits, some[i]);
}

static void float_values(const struct candidates *constants_, unsigned bits,
                         struct candidates *out)
{
    static const double some[] = {0.0,  1.0,   -1.0,   0.5,    2.0,  -2.0,
                                  10.0, 100.0, 1e-3,   1e6,    -1e6, 0.1,
                                  1e10, 1e300, 1e-300, -1e300, -0.0};
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
        push_float(out, bits, some[i]);
    push_float(out, bits, INFINITY);
    push_float(out, bits, -INFINITY);
    push_float(out, bits, NAN);
    for (uint32_t i = 0; i < constants_->at.n; i++) {
        union ir_bits v = {.i = constants_->at.at[i]};
        double x = bits == 32 ? (double)v.f : v.d;
        if (isfinite(x) && x != 0)
            push_near(out, bits, x);
    }
}

// ---- trying -------------------------------------------------------------

struct trial {
    struct solver *s;
    struct model *m;          // the base model with some changes
    struct candidates *lists; // per variable of the query
    uint32_t left;
};

static bool is_float(const struct solver *s, uint32_t var)
{
    const struct var *v = &s->ts->vars.at[var];
    unsigned bits = bits_of(s->ts, v->self);
    return v->kind == TERM_FLOAT && (bits == 32 || bits == 64);
}

static bool one_at_a_time(struct trial *t)
{
    const struct query *q = &t->s->query;
    for (uint32_t i = 0; i < q->vars.n; i++) {
        u128 old = model_get(t->m, q->vars.at[i]);
        for (uint32_t k = 0; k < t->lists[i].at.n; k++) {
            if (!t->left--)
                return false;
            model_set(t->m, q->vars.at[i], t->lists[i].at.at[k]);
            if (query_holds(t->s, t->m))
                return true;
        }
        model_set(t->m, q->vars.at[i], old);
    }
    return false;
}

// All pairs of two variables.
static bool pairs(struct trial *t)
{
    const struct query *q = &t->s->query;
    for (uint32_t i = 0; i < t->lists[0].at.n; i++) {
        model_set(t->m, q->vars.at[0], t->lists[0].at.at[i]);
        for (uint32_t k = 0; k < t->lists[1].at.n; k++) {
            if (!t->left--)
                return false;
            model_set(t->m, q->vars.at[1], t->lists[1].at.at[k]);
            if (query_holds(t->s, t->m))
                return true;
        }
    }
    return false;
}

static bool at_random(struct trial *t)
{
    const struct query *q = &t->s->query;
    struct rng r = rng_of(q->conditions.at[0]);
    while (t->left--) {
        for (uint32_t i = 0; i < q->vars.n; i++) {
            const struct candidates *list = &t->lists[i];
            model_set(t->m, q->vars.at[i],
                      list->at.at[rng_below(&r, list->at.n)]);
        }
        if (query_holds(t->s, t->m))
            return true;
    }
    return false;
}

static void make_lists(struct solver *s, struct candidates *lists)
{
    struct candidates found = {0};
    constants(s, &found);
    for (uint32_t i = 0; i < s->query.vars.n; i++) {
        uint32_t var = s->query.vars.at[i];
        unsigned bits = bits_of(s->ts, s->ts->vars.at[var].self);
        if (is_float(s, var))
            float_values(&found, bits, &lists[i]);
        else
            integer_values(s, &found, bits, &lists[i]);
    }
    vec_free(&found.at);
}

static struct model *judged(struct solver *s, const struct model *m)
{
    struct candidates values = {0};
    for (uint32_t i = 0; i < s->query.vars.n; i++)
        vec_push(&values.at, model_get(m, s->query.vars.at[i]));
    struct model *r = query_model(s, values.at.at);
    vec_free(&values.at);
    return r;
}

enum { VARS_MOST = 8 };

static bool found(struct trial *t)
{
    uint32_t n = t->s->query.vars.n;
    return one_at_a_time(t) || (n == 2 && pairs(t)) || (n > 2 && at_random(t));
}

enum solver_answer step_tries(struct solver *s, bool last, struct model **m)
{
    const struct query *q = &s->query;
    bool floats = q->has & TERM_HAS_FLOAT;
    uint32_t tries = last ? TRIES_LAST : floats ? TRIES_FLOAT : TRIES_INT;
    struct candidates lists[VARS_MOST] = {0};
    if (q->vars.n > (floats || last ? VARS_MOST : 2) || q->vars.n == 0)
        return SOLVER_UNKNOWN;
    struct trial t = {s, q->base ? model_copy(q->base) : model_new(s->ts),
                      lists, tries};
    make_lists(s, lists);
    if (found(&t))
        *m = judged(s, t.m);
    model_free(t.m);
    for (uint32_t i = 0; i < q->vars.n; i++)
        vec_free(&lists[i].at);
    return *m ? SOLVER_SAT : SOLVER_UNKNOWN;
}
