// Plain values: what a reader of a test would have chosen.
//
// A variable takes the first of a list of plain values under which the
// conditions that mention it still hold; no solver is needed for that.  What is
// still large afterwards is asked for within bounds, all at once, then one by
// one.
#include "solver/query.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 20, WISH_MS = 100, UNKNOWN_MOST = 2 };

struct labelling {
    struct solver *s;
    struct path *p;
    VEC(uint32_t) vars;       // in the path's conditions, rising
    VEC(uint32_t) first;      // per variable: its first place in uses
    VEC(term) uses;           // conditions by variable
    uint32_t unknown;         // wishes that the solver could not decide
    struct byte_mask allowed; // of the variable at hand, if it is a byte
};

// ---- who mentions whom --------------------------------------------------

struct use {
    uint32_t var;
    term condition;
};

static int by_var(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->var != y->var)
        return x->var < y->var ? -1 : 1;
    return (x->condition > y->condition) - (x->condition < y->condition);
}

static void index_uses(struct labelling *l)
{
    VEC(struct use) all = {0};
    for (uint32_t i = 0; i < l->p->n; i++) {
        term c = path_condition(l->p, i);
        struct term_vars v = term_vars(l->s->ts, c);
        for (uint32_t k = 0; k < v.n; k++) {
            struct use u = {v.at[k], c};
            vec_push(&all, u);
        }
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_var);
    for (uint32_t i = 0; i < all.n; i++) {
        if (!i || all.at[i].var != all.at[i - 1].var) {
            vec_push(&l->vars, all.at[i].var);
            vec_push(&l->first, i);
        }
        vec_push(&l->uses, all.at[i].condition);
    }
    vec_push(&l->first, all.n);
    vec_free(&all);
}

// ---- trying values ------------------------------------------------------

static bool still_holds(struct labelling *l, uint32_t at)
{
    for (uint32_t i = l->first.at[at]; i < l->first.at[at + 1]; i++)
        if (!path_holds(l->s->ts, l->p, l->uses.at[i]))
            return false;
    return true;
}

// The values of a byte that the conditions about it alone allow.
static void mask_bytes(struct labelling *l, uint32_t at)
{
    struct terms *ts = l->s->ts;
    uint32_t var = l->vars.at[at];
    memset(&l->allowed, 0xff, sizeof l->allowed);
    if (bits_of(ts, ts->vars.at[var].self) > 8)
        return;
    for (uint32_t i = l->first.at[at]; i < l->first.at[at + 1]; i++) {
        if (term_vars(ts, l->uses.at[i]).n != 1)
            continue;
        struct byte_mask k = byte_mask(l->s, l->uses.at[i], var);
        for (unsigned w = 0; w < 4; w++)
            l->allowed.at[w] &= k.at[w];
    }
}

static bool is_allowed(const struct labelling *l, unsigned bits, u128 value)
{
    return bits > 8 || l->allowed.at[value / 64] >> value % 64 & 1;
}

// Give the variable this value if the path allows.
static bool take_value(struct labelling *l, uint32_t at, u128 value)
{
    term var = l->s->ts->vars.at[l->vars.at[at]].self;
    u128 old = model_get(l->p->model, l->vars.at[at]);
    unsigned bits = bits_of(l->s->ts, var);
    value = ir_cut(value, bits);
    if (value == old)
        return true;
    if (!is_allowed(l, bits, value))
        return false;
    path_set(l->s->ts, l->p, var, value);
    if (still_holds(l, at))
        return true;
    path_set(l->s->ts, l->p, var, old);
    return false;
}

static bool label_text(struct labelling *l, uint32_t at)
{
    static const char first[] = "ab01 ";
    if (take_value(l, at, 0))
        return true;
    for (const char *c = first; *c; c++)
        if (take_value(l, at, (u128)*c))
            return true;
    for (int c = 'c'; c <= 'z'; c++)
        if (take_value(l, at, (u128)c))
            return true;
    for (int c = 33; c < 127; c++)
        if (take_value(l, at, (u128)c))
            return true;
    return false;
}

static bool label_float(struct labelling *l, uint32_t at, unsigned bits)
{
    static const double some[] = {0, 1, -1, 2, 0.5, 3, -2, 4, 5, 10, 100};
    union ir_bits old = {.i = model_get(l->p->model, l->vars.at[at])};
    double x = bits == 32 ? (double)old.f : old.d;
    double also[] = {rint(x), floor(x), ceil(x), rint(x * 2) / 2,
                     rint(x * 10) / 10};
    for (unsigned i = 0; i < 16; i++) {
        union ir_bits v = {.i = 0};
        double d = i < 11 ? some[i] : also[i - 11];
        if (bits == 32)
            v.f = (float)d;
        else
            v.d = d;
        if (take_value(l, at, v.i))
            return true;
    }
    return false;
}

// 0, 1, -1, 2, 3... then half of what it is, as long as that goes.
static bool label_integer(struct labelling *l, uint32_t at, unsigned bits)
{
    if (take_value(l, at, 0))
        return true;
    for (int i = 1; i <= 10; i++)
        if (take_value(l, at, (u128)i) ||
            (i == 1 && take_value(l, at, ~(u128)0)))
            return true;
    for (unsigned i = 0; i < bits; i++) {
        i128 now = ir_signed(model_get(l->p->model, l->vars.at[at]), bits);
        if (!take_value(l, at, (u128)(now / 2)))
            break;
    }
    return false;
}

static void label_one(struct labelling *l, uint32_t at)
{
    const struct terms *ts = l->s->ts;
    const struct var *v = &ts->vars.at[l->vars.at[at]];
    unsigned bits = bits_of(ts, v->self);
    mask_bytes(l, at);
    if (v->kind == TERM_FLOAT && (bits == 32 || bits == 64))
        label_float(l, at, bits);
    else if (v->kind == TERM_BYTE_TEXT)
        label_text(l, at);
    else if (v->kind == TERM_REFERENCE)
        take_value(l, at, 0);
    else
        label_integer(l, at, bits);
}

static void label_all(struct labelling *l)
{
    for (uint32_t i = 0; i < l->vars.n; i++)
        label_one(l, i);
}

// ---- wishes -------------------------------------------------------------

// -most <= var <= most.
static term within(struct terms *ts, term var, uint64_t most)
{
    unsigned bits = bits_of(ts, var);
    term sum = term_binary(ts, IR_ADD, var, term_const(ts, bits, most));
    return term_binary(ts, IR_ULE, sum, term_const(ts, bits, most * 2));
}

static bool is_plain(struct labelling *l, uint32_t at)
{
    const struct terms *ts = l->s->ts;
    const struct var *v = &ts->vars.at[l->vars.at[at]];
    unsigned bits = bits_of(ts, v->self);
    u128 value = model_get(l->p->model, l->vars.at[at]);
    if (v->kind == TERM_REFERENCE || v->kind == TERM_FLOAT || bits < 8)
        return true;
    if (v->kind == TERM_BYTE_TEXT)
        return value == 0 || (value < 127 && isprint((int)value));
    i128 x = ir_signed(value, bits);
    return x <= PLAIN && x >= -PLAIN;
}

static bool wish(struct labelling *l, term condition)
{
    struct model *m = NULL;
    if (l->unknown >= UNKNOWN_MOST)
        return false;
    enum solver_answer a = solver_ask(l->s, l->p, condition, &m);
    l->unknown += a == SOLVER_UNKNOWN;
    path_take_model(l->p, m);
    return a == SOLVER_SAT;
}

static term bounded(struct labelling *l, uint32_t at, uint64_t most)
{
    struct terms *ts = l->s->ts;
    term var = ts->vars.at[l->vars.at[at]].self;
    if (bits_of(ts, var) <= 16 && most >= 100)
        return term_bool(ts, true);
    return within(ts, var, most);
}

// Ask for large variables to be at most 10, else at most 1000: all together,
// then one by one.  True if the model changed.
static bool wish_bounds(struct labelling *l)
{
    static const uint64_t bounds[] = {10, 1000};
    struct terms *ts = l->s->ts;
    VEC(uint32_t) large = {0};
    for (uint32_t i = 0; i < l->vars.n; i++)
        if (!is_plain(l, i))
            vec_push(&large, i);
    bool done = large.n == 0, some = false;
    for (unsigned b = 0; b < 2 && !done; b++) {
        term all = term_bool(ts, true);
        for (uint32_t i = 0; i < large.n; i++)
            all = term_and(ts, all, bounded(l, large.at[i], bounds[b]));
        some = done = wish(l, all);
    }
    for (uint32_t i = 0; i < large.n && !done; i++)
        for (unsigned b = 0; b < 2; b++)
            if (wish(l, bounded(l, large.at[i], bounds[b]))) {
                some = true;
                break;
            }
    vec_free(&large);
    return some;
}

// Make the term as small as possible, by powers of two.
static void minimise(struct labelling *l, term t)
{
    struct terms *ts = l->s->ts;
    unsigned bits = bits_of(ts, t);
    for (uint64_t most = 0; most <= 65536; most = most ? most * 2 : 1) {
        u128 now = term_eval(ts, t, l->p->model);
        if (now <= most || most > mask_of(bits))
            return;
        term c = term_binary(ts, IR_ULE, t, term_const(ts, bits, most));
        if (wish(l, c)) {
            path_add(ts, l->p, c);
            return;
        }
    }
}

void solver_label(struct solver *s, struct path *p, const term *first,
                  uint32_t n_first)
{
    double old = s->wish_ms;
    struct path wished = path_fork(p);
    struct labelling l = {.s = s, .p = &wished};
    s->wish_ms = WISH_MS;
    for (uint32_t i = 0; i < n_first; i++)
        minimise(&l, first[i]);
    index_uses(&l);
    label_all(&l);
    if (wish_bounds(&l))
        label_all(&l);
    s->wish_ms = old;
    path_take_model(p, model_share(wished.model));
    path_release(&wished);
    vec_free(&l.vars);
    vec_free(&l.first);
    vec_free(&l.uses);
}
