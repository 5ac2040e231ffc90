// Walks over terms: conjuncts, variables, replacing them, the shape of sums.
// Terms may be thousands deep, so a walk keeps its own stack.
#include "solver/fold.h"

#include "base/die.h"
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void walk_begin(struct terms *ts)
{
    if (++ts->now)
        return;
    memset(ts->met.at, 0, ts->met.n * sizeof *ts->met.at);
    ts->now = 1;
}

bool walk_meet(struct terms *ts, term t)
{
    while (ts->met.n <= t)
        vec_push(&ts->met, 0);
    if (ts->met.at[t] == ts->now)
        return false;
    ts->met.at[t] = ts->now;
    return true;
}

// ---- conjunctions -------------------------------------------------------

bool conjunct_next(struct terms *ts, uint32_t base, term *out)
{
    while (ts->stack.n > base) {
        *out = vec_pop(&ts->stack);
        bool negated = is_not(ts, *out);
        const struct node n =
            *node_of(ts, negated ? node_of(ts, *out)->a : *out);
        if (n.op != (negated ? IR_OR : IR_AND))
            return true;
        vec_push(&ts->stack, negated ? term_not(ts, n.b) : n.b);
        vec_push(&ts->stack, negated ? term_not(ts, n.a) : n.a);
    }
    return false;
}

// ---- variables ----------------------------------------------------------

struct collected {
    VEC(uint32_t) at;
};

// All variables of a list that were not met yet.
static void collect_list(struct terms *ts, struct term_vars vars,
                         struct collected *out)
{
    for (uint32_t i = 0; i < vars.n; i++)
        if (walk_meet(ts, ts->vars.at[vars.at[i]].self))
            vec_push(&out->at, vars.at[i]);
}

static uint32_t vars_place(const struct terms *ts, term t)
{
    return t < ts->vars_of.n ? ts->vars_of.at[t] : 0;
}

static void collect(struct terms *ts, term t, struct collected *out)
{
    uint32_t base = ts->stack.n, known;
    walk_begin(ts);
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_pop(&ts->stack);
        const struct node *n = node_of(ts, top);
        if (n->op == TERM_CONST || !walk_meet(ts, top))
            continue;
        if (n->op == TERM_VAR)
            vec_push(&out->at, n->a);
        else if ((known = vars_place(ts, top)))
            collect_list(ts, ts->var_lists.at[known], out);
        else
            for (uint32_t i = 0; i < n_args(n); i++)
                vec_push(&ts->stack, arg_of(n, i));
    }
}

static int rising(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

struct term_vars term_vars(struct terms *ts, term t)
{
    uint32_t known = vars_place(ts, t);
    if (known)
        return ts->var_lists.at[known];
    struct collected found = {0};
    collect(ts, t, &found);
    struct term_vars v = {NULL, found.at.n};
    if (v.n) {
        qsort(found.at.at, v.n, sizeof *found.at.at, rising);
        v.at = arena_copy(&ts->arena, found.at.at, v.n * sizeof *v.at);
    }
    vec_free(&found.at);
    while (ts->vars_of.n <= t)
        vec_push(&ts->vars_of, 0);
    ts->vars_of.at[t] = ts->var_lists.n;
    vec_push(&ts->var_lists, v);
    return v;
}

// ---- replacing ----------------------------------------------------------

struct term_subst {
    struct terms *ts;
    struct map done; // term -> what it becomes
    term first;      // no variable to be replaced is older
};

struct term_subst *term_subst_new(struct terms *ts)
{
    struct term_subst *s = need_zero(sizeof *s);
    s->ts = ts;
    s->first = UINT32_MAX;
    return s;
}

void term_subst_free(struct term_subst *s)
{
    if (!s)
        return;
    map_free(&s->done);
    free(s);
}

void term_subst_set(struct term_subst *s, term var, term by)
{
    assert(bits_of(s->ts, var) == bits_of(s->ts, by));
    map_put(&s->done, var, by);
    if (var < s->first)
        s->first = var;
}

// What t becomes, if that is known; TERM_NONE: not yet.
static term becomes(const struct term_subst *s, term t)
{
    if (t < s->first)
        return t; // older than all that is replaced
    uint32_t d = map_get(&s->done, t);
    if (d != MAP_NONE)
        return d;
    uint8_t op = node_of(s->ts, t)->op;
    return op == TERM_CONST || op == TERM_VAR ? t : TERM_NONE;
}

term fold_again(struct terms *ts, const struct node *old, const term *a)
{
    const struct node n = *old;
    if (n.op == TERM_SLICE)
        return term_slice(ts, a[0], n.sub, n.bits);
    if (n.op == TERM_CONCAT)
        return term_concat(ts, a[0], a[1]);
    if (n.op == IR_SELECT)
        return term_ite(ts, a[0], a[1], a[2]);
    if (n.op == IR_FCMP)
        return term_fcmp(ts, n.sub, a[0], a[1]);
    if (n.op == IR_MATH)
        return term_math(ts, (enum ir_math)n.sub, n.bits, n_args(&n), a);
    if (n.b)
        return term_binary(ts, (enum ir_op)n.op, a[0], a[1]);
    return term_convert(ts, (enum ir_op)n.op, n.bits, a[0]);
}

// The term with replaced arguments; TERM_NONE if one is not known yet: then it
// lies on the stack.
static term replaced(struct term_subst *s, term t)
{
    struct terms *ts = s->ts;
    const struct node n = *node_of(ts, t);
    term args[3] = {0};
    bool ready = true, same = true;
    for (uint32_t i = 0; i < n_args(&n); i++) {
        args[i] = becomes(s, arg_of(&n, i));
        same &= args[i] == arg_of(&n, i);
        if (args[i])
            continue;
        vec_push(&ts->stack, arg_of(&n, i));
        ready = false;
    }
    return !ready ? TERM_NONE : same ? t : fold_again(ts, &n, args);
}

term term_subst(struct term_subst *s, term t)
{
    struct terms *ts = s->ts;
    uint32_t base = ts->stack.n;
    term r = becomes(s, t);
    if (r)
        return r;
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_last(&ts->stack);
        if (!becomes(s, top)) {
            if (!(r = replaced(s, top)))
                continue;
            map_put(&s->done, top, r);
        }
        ts->stack.n--;
    }
    return becomes(s, t);
}

// ---- sums ---------------------------------------------------------------

struct term_sum term_as_sum(const struct terms *ts, term t)
{
    const struct node *n = node_of(ts, t);
    if (n->op == TERM_CONST)
        return (struct term_sum){TERM_NONE, (uint64_t)value_of(ts, t)};
    if (n->op == IR_ADD && is_const(ts, n->b))
        return (struct term_sum){n->a, (uint64_t)value_of(ts, n->b)};
    return (struct term_sum){t, 0};
}

static uint64_t common(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// Of a number, without its sign.
static uint64_t size(u128 v, unsigned bits)
{
    i128 x = ir_signed(v, bits);
    return (uint64_t)(x < 0 ? -x : x);
}

// The factor of a part that is not itself a sum.
static uint64_t factor(const struct terms *ts, term t)
{
    const struct node *n = node_of(ts, t);
    uint64_t zeros = ts->known.at[t].zeros;
    if (n->op == IR_MUL && is_const(ts, n->b))
        return size(value_of(ts, n->b), n->bits);
    if (n->op == TERM_CONST)
        return size(value_of(ts, t), n->bits);
    if (n->bits > 64 || !(zeros & 1))
        return 1;
    return ~zeros ? (uint64_t)1 << __builtin_ctzll(~zeros) : 0;
}

uint64_t term_stride(const struct terms *ts, term t)
{
    term parts[16];
    uint32_t n = 0;
    uint64_t stride = 0;
    t = term_as_sum(ts, t).base;
    if (!t)
        return 0;
    parts[n++] = t;
    while (n > 0) {
        const struct node *p = node_of(ts, parts[--n]);
        bool sum = p->op == IR_ADD || p->op == IR_SUB;
        bool ite = p->op == IR_SELECT;
        if ((!sum && !ite) || n + 2 > 16) {
            stride = common(stride, factor(ts, parts[n]));
            continue;
        }
        term b = ite ? p->c : p->b;
        parts[n++] = ite ? p->b : p->a;
        parts[n++] = b;
    }
    return stride;
}
