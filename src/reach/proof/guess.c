// Facts that may hold: of one cell, of two, and those that conditions of the
// program suggest.  All of them hold for the first values that were seen; what
// later ones break is dropped.
#include "reach/proof/guess.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 48, MODULI_MOST = 5, PAIRS_MOST = 12 };

// ---- constants of the program -------------------------------------------

static void add_number(struct proofs *p, int64_t v)
{
    for (uint32_t i = 0; i < p->numbers.n; i++)
        if (p->numbers.at[i] == v)
            return;
    if (p->numbers.n < NUMBERS_MOST)
        vec_push(&p->numbers, v);
}

static void add_modulus(struct proofs *p, uint64_t v)
{
    if (v < 2 || v > 1000)
        return;
    for (uint32_t i = 0; i < p->moduli.n; i++)
        if (p->moduli.at[i] == v)
            return;
    if (p->moduli.n < MODULI_MOST)
        vec_push(&p->moduli, (uint32_t)v);
}

static int64_t as_signed(const struct ir_const *c)
{
    unsigned bits = c->type.bits;
    uint64_t v = c->lo;
    if (bits && bits < 64 && v >> (bits - 1) & 1)
        v |= ~UINT64_C(0) << bits;
    return (int64_t)v;
}

static double as_double(const struct ir_const *c)
{
    double d = 0;
    float f;
    uint32_t low = (uint32_t)c->lo;
    if (c->type.bits == 32) {
        memcpy(&f, &low, sizeof f);
        d = (double)f;
    } else if (c->type.bits == 64) {
        memcpy(&d, &c->lo, sizeof d);
    }
    return d;
}

static void add_constant(struct proofs *p, const struct ir_inst *i, ir_id arg)
{
    if (!ir_is_const(arg))
        return;
    const struct ir_const *c = ir_const_at(p->ir, arg);
    if (c->kind == IR_C_FLOAT) {
        vec_push(&p->floats, as_double(c));
        return;
    }
    if (c->kind != IR_C_INT || c->type.kind != IR_INT || c->type.bits < 8)
        return;
    int64_t v = as_signed(c);
    add_number(p, v);
    add_number(p, v - 1);
    add_number(p, v + 1);
    if (i->op == IR_UREM || i->op == IR_SREM || i->op == IR_MUL ||
        i->op == IR_ADD)
        add_modulus(p, (uint64_t)v);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int by_float(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void numbers_collect(struct proofs *p)
{
    add_number(p, 0);
    add_number(p, 1);
    vec_push(&p->floats, 0.0);
    vec_push(&p->floats, 1.0);
    add_modulus(p, 2);
    for (uint32_t k = 0; k < p->ir->fns.n; k++) {
        const struct ir_fn *f = p->ir->fns.at[k];
        for (uint32_t i = 0; f->defined && i < f->insts.n; i++) {
            const struct ir_inst *in = &f->insts.at[i];
            enum ir_group g = ir_op_group((enum ir_op)in->op);
            if (in->op == IR_INDEX || in->op == IR_FIELD ||
                in->op == IR_ALLOCA || in->op == IR_COPY || (g == IR_G_ACTOR))
                continue;
            for (uint32_t a = 0; a < in->n; a++)
                add_constant(p, in, ir_args(f, in)[a]);
        }
    }
    qsort(p->numbers.at, p->numbers.n, sizeof *p->numbers.at, by_number);
    qsort(p->floats.at, p->floats.n, sizeof *p->floats.at, by_float);
}

// ---- chains -------------------------------------------------------------

void guess_chain(struct making *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->facts.n; i++) {
        term t = g->facts.at[i];
        if (term_has(g->p->ts, t) & g->p->without)
            g->p->left_out = true;
        else if (!term_is_true(g->p->ts, t) && term_judge(g->p->ts, t, g->m))
            g->facts.at[n++] = t;
    }
    if (n) {
        struct chain c = {.n = n};
        c.at = arena_copy(&g->p->arena, g->facts.at, n * sizeof *g->facts.at);
        vec_push(&g->s->chains, c);
    }
    g->facts.n = 0;
}

void guess_fact(struct making *g, term t)
{
    vec_push(&g->facts, t);
}

static void single(struct making *g, term t)
{
    guess_fact(g, t);
    guess_chain(g);
}

term guess_number(struct making *g, const struct cell *c, uint64_t v)
{
    return term_const(g->p->ts, c->bytes * 8, v);
}

static bool fits(const struct cell *c, int64_t v)
{
    unsigned bits = c->bytes * 8;
    if (c->kind == CELL_UNSIGNED)
        return v >= 0 && (bits >= 63 || v < INT64_C(1) << bits);
    return bits == 64 ||
           (v >= -(INT64_C(1) << (bits - 1)) && v < INT64_C(1) << (bits - 1));
}

static void bounds(struct making *g, const struct cell *c)
{
    struct terms *ts = g->p->ts;
    enum ir_op le = c->kind == CELL_SIGNED ? IR_SLE : IR_ULE;
    uint32_t n = g->p->numbers.n;
    for (uint32_t i = 0; i < n; i++)
        if (fits(c, g->p->numbers.at[i]))
            guess_fact(
                g,
                term_binary(ts, le, c->var,
                            guess_number(g, c, (uint64_t)g->p->numbers.at[i])));
    guess_chain(g);
    for (uint32_t i = n; i-- > 0;)
        if (fits(c, g->p->numbers.at[i]))
            guess_fact(g, term_binary(
                              ts, le,
                              guess_number(g, c, (uint64_t)g->p->numbers.at[i]),
                              c->var));
    guess_chain(g);
}

static void remainders(struct making *g, const struct cell *c, u128 value)
{
    struct terms *ts = g->p->ts;
    for (uint32_t i = 0; i < g->p->moduli.n; i++) {
        uint32_t m = g->p->moduli.at[i];
        bool power = !(m & (m - 1));
        if (c->bytes == 1 && m > 255)
            continue;
        enum ir_op op = c->kind == CELL_SIGNED && !power ? IR_SREM : IR_UREM;
        term rest = term_binary(ts, op, c->var, guess_number(g, c, m));
        term now = term_binary(ts, op, guess_number(g, c, (uint64_t)value),
                               guess_number(g, c, m));
        single(g, term_eq(ts, rest, now));
    }
}

static void float_bounds(struct making *g, const struct cell *c)
{
    struct terms *ts = g->p->ts;
    for (int up = 1; up >= 0; up--) {
        for (uint32_t i = 0; i < g->p->floats.n; i++) {
            uint32_t at = up ? i : g->p->floats.n - 1 - i;
            double v = g->p->floats.at[at];
            float f = (float)v;
            uint32_t low;
            memcpy(&low, &f, sizeof low);
            term k =
                c->bytes == 8 ? term_double(ts, v) : term_const(ts, 32, low);
            guess_fact(g, term_fcmp(ts, (up ? IR_LESS : IR_GREATER) | IR_EQUAL,
                                    c->var, k));
        }
        guess_chain(g);
    }
}

static void of_one(struct making *g, uint32_t i)
{
    const struct cell *c = &g->s->shape->at[i];
    struct terms *ts = g->p->ts;
    term zero = guess_number(g, c, 0);
    if (c->kind != CELL_POINTER || g->values[i] == 0)
        single(g,
               term_eq(ts, c->var, term_const(ts, c->bytes * 8, g->values[i])));
    switch (c->kind) {
    case CELL_POINTER:
        single(g, term_ne(ts, c->var, zero));
        break;
    case CELL_FLOAT:
        float_bounds(g, c);
        break;
    case CELL_SIGNED:
    case CELL_UNSIGNED:
        bounds(g, c);
        remainders(g, c, g->values[i]);
        break;
    }
}

bool guess_is_number(const struct cell *c)
{
    return c->kind == CELL_SIGNED || c->kind == CELL_UNSIGNED;
}

static void order(struct making *g, const struct cell *a, const struct cell *b)
{
    struct terms *ts = g->p->ts;
    bool is_signed = a->kind == CELL_SIGNED && b->kind == CELL_SIGNED;
    enum ir_op lt = is_signed ? IR_SLT : IR_ULT;
    enum ir_op le = is_signed ? IR_SLE : IR_ULE;
    guess_fact(g, term_binary(ts, lt, a->var, b->var));
    guess_fact(g, term_binary(ts, le, a->var, b->var));
    guess_chain(g);
}

// Counters that only grow, and may wrap: one is ahead of the other by at most a
// constant.
static void ahead(struct making *g, const struct cell *a, const struct cell *b)
{
    struct terms *ts = g->p->ts;
    term diff = term_binary(ts, IR_SUB, a->var, b->var);
    if (a->kind != CELL_UNSIGNED || b->kind != CELL_UNSIGNED)
        return;
    for (uint32_t i = 0; i < g->p->numbers.n; i++)
        if (fits(a, g->p->numbers.at[i]))
            guess_fact(
                g,
                term_binary(ts, IR_ULE, diff,
                            guess_number(g, a, (uint64_t)g->p->numbers.at[i])));
    guess_chain(g);
}

// Sums, differences and orders of two numbers.
static void of_two(struct making *g, const struct cell *a, const struct cell *b)
{
    struct terms *ts = g->p->ts;
    term two = term_const(ts, 8, 1);
    if (!guess_is_number(a) || !guess_is_number(b) || a->bytes != b->bytes ||
        a->bytes < 2)
        return;
    term one = term_convert(ts, IR_ZEXT, a->bytes * 8, two);
    term sum = term_binary(ts, IR_ADD, a->var, b->var);
    term diff = term_binary(ts, IR_SUB, a->var, b->var);
    single(g, term_eq(ts, sum,
                      term_const(ts, a->bytes * 8, term_judge(ts, sum, g->m))));
    single(g,
           term_eq(ts, diff,
                   term_const(ts, a->bytes * 8, term_judge(ts, diff, g->m))));
    single(g, term_eq(ts, a->var, term_binary(ts, IR_SHL, b->var, one)));
    single(g, term_eq(ts, b->var, term_binary(ts, IR_SHL, a->var, one)));
    order(g, a, b);
    order(g, b, a);
    ahead(g, a, b);
    ahead(g, b, a);
}

// One is zero only if the other is, and so on.
static void of_zeros(struct making *g, const struct cell *a,
                     const struct cell *b)
{
    struct terms *ts = g->p->ts;
    if (a->kind == CELL_FLOAT || b->kind == CELL_FLOAT)
        return;
    term za = term_eq(ts, a->var, guess_number(g, a, 0));
    term zb = term_eq(ts, b->var, guess_number(g, b, 0));
    term na = term_not(ts, za), nb = term_not(ts, zb);
    single(g, term_or(ts, za, zb));
    single(g, term_or(ts, za, nb));
    single(g, term_or(ts, na, zb));
    single(g, term_or(ts, na, nb));
}

static bool is_wanted(struct proofs *p, const struct shape *shape, term t)
{
    struct term_vars v = term_vars(p->ts, t);
    for (uint32_t i = 0; i < v.n; i++)
        for (uint32_t k = 0; k < shape->n; k++)
            if (term_var_index(p->ts, shape->at[k].var) == v.at[i] &&
                !shape->wanted[k])
                return false;
    return true;
}

void guess_facts(struct proofs *p, struct subject *s, const u128 *values)
{
    struct making g = {.p = p, .s = s, .values = values};
    const struct shape *shape = s->shape;
    g.m = model_new(p->ts);
    for (uint32_t i = 0; i < shape->n; i++)
        model_set(g.m, term_var_index(p->ts, shape->at[i].var), values[i]);
    uint32_t cells[PAIRS_MOST], n = 0;
    for (uint32_t i = 0; i < shape->n; i++) {
        if (!shape->wanted[i])
            continue;
        of_one(&g, i);
        if (n < PAIRS_MOST)
            cells[n++] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            of_two(&g, &shape->at[cells[i]], &shape->at[cells[k]]);
            of_zeros(&g, &shape->at[cells[i]], &shape->at[cells[k]]);
        }
    for (uint32_t i = 0; i < p->hints.n; i++)
        if (p->hints.at[i].shape == shape &&
            is_wanted(p, shape, p->hints.at[i].fact))
            single(&g, p->hints.at[i].fact);
    if (p->conditional)
        guess_conditional(&g);
    model_free(g.m);
    vec_free(&g.facts);
}
