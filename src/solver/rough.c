// Floats roughly: results of arithmetic are anything within their range.
//
// Sums and products of floats make circuits that take Z3 seconds, where often
// their ranges and how they compare to each other are enough to see that the
// conditions cannot hold.  So each result of float arithmetic becomes a
// variable of its own, the same for the same term, within the interval that
// follows from those of its operands; what is left are comparisons.  More
// values are allowed than before: if these conditions cannot hold, the given
// ones cannot.
#include "solver/solver.h"

#include "base/map.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { PASSES = 3 };

struct interval {
    double lo, hi;
    bool nan; // it may be no number
};

struct rough {
    struct terms *ts;
    struct map known; // variable -> place in facts
    VEC(struct interval) facts;
    struct map done; // term -> place in ranges
    VEC(struct interval) ranges;
    struct map seen;
    VEC(term) results; // of arithmetic
};

static const struct interval anything = {-INFINITY, INFINITY, true};

static bool is_double(const struct terms *ts, term t)
{
    return term_bits(ts, t) == 64;
}

static double constant(const struct terms *ts, term t)
{
    uint64_t bits = (uint64_t)term_value(ts, t);
    uint32_t low = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    return is_double(ts, t) ? d : (double)f;
}

// ---- intervals ------------------------------------------------------------

// Rounded outwards.
static struct interval wider(struct interval i, bool is_double_)
{
    if (is_double_) {
        i.lo = nextafter(i.lo, -INFINITY);
        i.hi = nextafter(i.hi, INFINITY);
    } else {
        i.lo = (double)nextafterf((float)i.lo, -INFINITY);
        i.hi = (double)nextafterf((float)i.hi, INFINITY);
    }
    return i;
}

static struct interval sum(struct interval a, struct interval b)
{
    struct interval r = {a.lo + b.lo, a.hi + b.hi, a.nan || b.nan};
    r.nan |= (isinf(a.lo) && isinf(b.hi)) || (isinf(a.hi) && isinf(b.lo));
    if (isnan(r.lo))
        r.lo = -INFINITY;
    if (isnan(r.hi))
        r.hi = INFINITY;
    return r;
}

static struct interval minus(struct interval a)
{
    return (struct interval){-a.hi, -a.lo, a.nan};
}

static struct interval product(struct interval a, struct interval b)
{
    double x[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    struct interval r = {x[0], x[0], a.nan || b.nan};
    for (int i = 0; i < 4; i++) {
        if (isnan(x[i]) || isinf(a.lo) || isinf(a.hi) || isinf(b.lo) ||
            isinf(b.hi))
            return anything;
        r.lo = x[i] < r.lo ? x[i] : r.lo;
        r.hi = x[i] > r.hi ? x[i] : r.hi;
    }
    return r;
}

static struct interval either(struct interval a, struct interval b)
{
    return (struct interval){a.lo < b.lo ? a.lo : b.lo,
                             a.hi > b.hi ? a.hi : b.hi, a.nan || b.nan};
}

static struct interval range(struct rough *g, term t);

static struct interval compute(struct rough *g, term t)
{
    struct terms *ts = g->ts;
    uint32_t at;
    switch (term_op(ts, t)) {
    case TERM_CONST: {
        double c = constant(ts, t);
        return isnan(c) ? anything : (struct interval){c, c, false};
    }
    case TERM_VAR:
        at = map_get(&g->known, t);
        return at == MAP_NONE ? anything : g->facts.at[at];
    case IR_FADD:
        return wider(
            sum(range(g, term_arg(ts, t, 0)), range(g, term_arg(ts, t, 1))),
            is_double(ts, t));
    case IR_FSUB:
        return wider(sum(range(g, term_arg(ts, t, 0)),
                         minus(range(g, term_arg(ts, t, 1)))),
                     is_double(ts, t));
    case IR_FMUL:
        return wider(
            product(range(g, term_arg(ts, t, 0)), range(g, term_arg(ts, t, 1))),
            is_double(ts, t));
    case IR_FNEG:
        return minus(range(g, term_arg(ts, t, 0)));
    case IR_SITOFP:
        return (struct interval){-0x1p127, 0x1p127, false};
    case IR_UITOFP:
        return (struct interval){0, INFINITY, false};
    case IR_SELECT:
        return either(range(g, term_arg(ts, t, 1)),
                      range(g, term_arg(ts, t, 2)));
    default:
        return anything;
    }
}

static struct interval range(struct rough *g, term t)
{
    uint32_t at = map_get(&g->done, t);
    if (at != MAP_NONE)
        return g->ranges.at[at];
    struct interval i = compute(g, t);
    map_put(&g->done, t, g->ranges.n);
    vec_push(&g->ranges, i);
    return i;
}

// ---- what conditions say of variables -------------------------------------

static void narrow(struct rough *g, term var, struct interval to)
{
    if (term_op(g->ts, var) != TERM_VAR)
        return;
    uint32_t at = map_get(&g->known, var);
    if (at == MAP_NONE) {
        at = g->facts.n;
        map_put(&g->known, var, at);
        vec_push(&g->facts, anything);
    }
    struct interval *f = &g->facts.at[at];
    f->lo = to.lo > f->lo ? to.lo : f->lo;
    f->hi = to.hi < f->hi ? to.hi : f->hi;
    f->nan &= to.nan;
}

// a relates to b in one of the ways of the mask.
static void learn(struct rough *g, uint8_t mask, term a, term b)
{
    struct interval x = range(g, a), y = range(g, b);
    if (mask & IR_UNORDERED && (x.nan || y.nan))
        return;
    struct interval below = {-INFINITY, y.hi, false};
    struct interval above = {y.lo, INFINITY, false};
    if (!(mask & IR_GREATER))
        narrow(g, a, below);
    if (!(mask & IR_LESS))
        narrow(g, a, above);
    below.hi = x.hi;
    above.lo = x.lo;
    if (!(mask & IR_LESS))
        narrow(g, b, below);
    if (!(mask & IR_GREATER))
        narrow(g, b, above);
    struct interval number = {-INFINITY, INFINITY, false};
    narrow(g, a, number);
    narrow(g, b, number);
}

static void learn_condition(struct rough *g, term c)
{
    struct terms *ts = g->ts;
    bool not = false;
    if (term_op(ts, c) == IR_XOR && term_is(ts, term_arg(ts, c, 1), 1)) {
        c = term_arg(ts, c, 0);
        not = true;
    }
    if (term_op(ts, c) == IR_FCMP)
        learn(g, (uint8_t)(not ? term_sub(ts, c) ^ 15 : term_sub(ts, c)),
              term_arg(ts, c, 0), term_arg(ts, c, 1));
}

// ---- order ----------------------------------------------------------------

// The order of the floats that conditions compare.  Often a cycle of "less or
// equal" with one "less" in it is enough to refute them.
enum { ORDERED_MOST = 80, NOT_BELOW = 0, BELOW_OR_EQUAL, BELOW };

struct order {
    struct rough *g;
    uint32_t n;
    term at[ORDERED_MOST];
    uint8_t below[ORDERED_MOST][ORDERED_MOST];
    bool full;
};

static uint32_t place_of(struct order *o, term t)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->at[i] == t)
            return i;
    if (o->n == ORDERED_MOST) {
        o->full = true;
        return 0;
    }
    o->at[o->n] = t;
    return o->n++;
}

static void put_below(struct order *o, term a, term b, uint8_t how)
{
    uint32_t x = place_of(o, a), y = place_of(o, b);
    if (!o->full && o->below[x][y] < how)
        o->below[x][y] = how;
}

static void order_condition(struct order *o, term c)
{
    struct terms *ts = o->g->ts;
    bool not = false;
    if (term_op(ts, c) == IR_XOR && term_is(ts, term_arg(ts, c, 1), 1)) {
        c = term_arg(ts, c, 0);
        not = true;
    }
    if (term_op(ts, c) != IR_FCMP)
        return;
    uint8_t mask = (uint8_t)(not ? term_sub(ts, c) ^ 15 : term_sub(ts, c));
    term a = term_arg(ts, c, 0), b = term_arg(ts, c, 1);
    if (mask & IR_UNORDERED && (range(o->g, a).nan || range(o->g, b).nan))
        return;
    mask &= IR_EQUAL | IR_LESS | IR_GREATER;
    if (!(mask & IR_GREATER))
        put_below(o, a, b, mask & IR_EQUAL ? BELOW_OR_EQUAL : BELOW);
    if (!(mask & IR_LESS))
        put_below(o, b, a, mask & IR_EQUAL ? BELOW_OR_EQUAL : BELOW);
}

// By their ranges alone.
static void order_ranges(struct order *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t k = 0; k < o->n; k++) {
            struct interval x = range(o->g, o->at[i]);
            struct interval y = range(o->g, o->at[k]);
            if (i == k || x.nan || y.nan || x.hi > y.lo)
                continue;
            uint8_t how = x.hi < y.lo ? BELOW : BELOW_OR_EQUAL;
            if (o->below[i][k] < how)
                o->below[i][k] = how;
        }
}

static bool has_ring(struct order *o)
{
    for (uint32_t k = 0; k < o->n; k++)
        for (uint32_t i = 0; i < o->n; i++)
            for (uint32_t j = 0; o->below[i][k] && j < o->n; j++) {
                uint8_t a = o->below[i][k], b = o->below[k][j];
                uint8_t how = !b                         ? NOT_BELOW
                              : a == BELOW || b == BELOW ? BELOW
                                                         : BELOW_OR_EQUAL;
                if (o->below[i][j] < how)
                    o->below[i][j] = how;
            }
    for (uint32_t i = 0; i < o->n; i++)
        if (o->below[i][i] == BELOW)
            return true;
    return false;
}

static bool refuted_by_order(struct rough *g, const term *conditions,
                             uint32_t n)
{
    struct order o = {.g = g};
    for (uint32_t i = 0; i < n; i++)
        order_condition(&o, conditions[i]);
    if (o.full || !o.n)
        return false;
    order_ranges(&o);
    return has_ring(&o);
}

// ---- results of arithmetic ------------------------------------------------

static bool is_arithmetic(uint8_t op)
{
    return op == IR_FADD || op == IR_FSUB || op == IR_FMUL || op == IR_FDIV ||
           op == IR_FREM || op == IR_SITOFP || op == IR_UITOFP;
}

static void gather(struct rough *g, term t)
{
    if (!(term_has(g->ts, t) & TERM_HAS_FLOAT) ||
        map_get(&g->seen, t) != MAP_NONE)
        return;
    map_put(&g->seen, t, 1);
    if (is_arithmetic(term_op(g->ts, t))) {
        vec_push(&g->results, t);
        return;
    }
    for (uint32_t i = 0; i < term_n_args(g->ts, t); i++)
        gather(g, term_arg(g->ts, t, i));
}

static term number(struct terms *ts, term like, double v)
{
    float f = (float)v;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &f, sizeof low);
    memcpy(&bits, &v, sizeof bits);
    return is_double(ts, like) ? term_const(ts, 64, bits)
                               : term_const(ts, 32, low);
}

// With variables for the results, by the solver.
static bool refuted_by_ranges(struct rough *g, struct solver *s,
                              const term *conditions, uint32_t n)
{
    struct terms *ts = g->ts;
    VEC(term) all = {0};
    struct term_subst *to = term_subst_new(ts);
    for (uint32_t i = 0; i < g->results.n; i++) {
        term t = g->results.at[i];
        struct interval r = range(g, t);
        term v = term_var(ts, "rough", term_bits(ts, t), TERM_FLOAT);
        term_subst_set(to, t, v);
        if (r.nan)
            continue;
        vec_push(&all,
                 term_fcmp(ts, IR_EQUAL | IR_LESS, v, number(ts, t, r.hi)));
        vec_push(&all,
                 term_fcmp(ts, IR_EQUAL | IR_GREATER, v, number(ts, t, r.lo)));
    }
    for (uint32_t i = 0; i < n; i++)
        vec_push(&all, term_subst(to, conditions[i]));
    bool unsat = solver_check(s, all.at, all.n, NULL) == SOLVER_UNSAT;
    term_subst_free(to);
    vec_free(&all);
    return unsat;
}

static void forget_ranges(struct rough *g)
{
    map_clear(&g->done);
    vec_clear(&g->ranges);
}

bool solver_refutes_roughly(struct solver *s, struct terms *ts,
                            const term *conditions, uint32_t n)
{
    struct rough g = {.ts = ts};
    for (uint32_t i = 0; i < n; i++)
        gather(&g, conditions[i]);
    for (int pass = 0; g.results.n && pass < PASSES; pass++) {
        forget_ranges(&g);
        for (uint32_t i = 0; i < n; i++)
            learn_condition(&g, conditions[i]);
    }
    forget_ranges(&g);
    bool unsat =
        g.results.n && (refuted_by_order(&g, conditions, n) ||
                        (s && refuted_by_ranges(&g, s, conditions, n)));
    map_free(&g.known);
    map_free(&g.done);
    map_free(&g.seen);
    vec_free(&g.facts);
    vec_free(&g.ranges);
    vec_free(&g.results);
    return unsat;
}
