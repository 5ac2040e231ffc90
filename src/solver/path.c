// Paths share their log until both have added something: who adds first goes
// on in the shared one, since the other sees only what was there before; who
// adds second copies its own part.
//
// A fact about a term is found by the table, which knows the newest; each fact
// knows the one before it about the same term, and a path skips those that are
// newer than itself.
#include "solver/path.h"

#include "base/die.h"
#include "base/map.h"
#include "solver/fold.h"
#include "solver/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct fact {
    term about;
    uint32_t before; // the fact about the same term before this, MAP_NONE
    uint64_t lo, hi;
};

struct path_log {
    uint32_t owners;
    VEC(term) conditions;
    VEC(struct fact) facts;
    struct map newest; // term -> place in facts
};

// How far below a term facts are looked for.
enum { FACTS_DEEP = 5 };

// ---- owners -------------------------------------------------------------

struct path path_fork(const struct path *p)
{
    if (p->log)
        p->log->owners++;
    model_share(p->model);
    return *p;
}

static void release_log(struct path_log *l)
{
    if (!l || --l->owners)
        return;
    vec_free(&l->conditions);
    vec_free(&l->facts);
    map_free(&l->newest);
    free(l);
}

void path_release(struct path *p)
{
    release_log(p->log);
    model_free(p->model);
    *p = (struct path){0};
}

static void put_fact(struct path_log *l, term t, uint64_t lo, uint64_t hi)
{
    uint32_t *at = map_at(&l->newest, t);
    struct fact f = {t, *at, lo, hi};
    *at = l->facts.n;
    vec_push(&l->facts, f);
}

static struct path_log *copy_log(const struct path *p)
{
    struct path_log *l = need_zero(sizeof *l);
    assert(p->log || (!p->n && !p->n_facts));
    l->owners = 1;
    for (uint32_t i = 0; i < p->n; i++)
        vec_push(&l->conditions, p->log->conditions.at[i]);
    for (uint32_t i = 0; i < p->n_facts; i++) {
        const struct fact *f = &p->log->facts.at[i];
        put_fact(l, f->about, f->lo, f->hi);
    }
    return l;
}

// See to it that this path can add to its log.
static void own(struct path *p)
{
    if (p->log && p->log->conditions.n == p->n && p->log->facts.n == p->n_facts)
        return;
    struct path_log *l = copy_log(p);
    release_log(p->log);
    p->log = l;
}

// ---- looking up ---------------------------------------------------------

static const struct fact *fact_of(const struct path *p, term t)
{
    if (!p->n_facts)
        return NULL;
    uint32_t at = map_get(&p->log->newest, t);
    while (at != MAP_NONE && at >= p->n_facts)
        at = p->log->facts.at[at].before;
    return at == MAP_NONE ? NULL : &p->log->facts.at[at];
}

static struct known known_here(struct terms *ts, const struct path *p, term t,
                               unsigned deep)
{
    struct known k = ts->known.at[t];
    const struct node *n = node_of(ts, t);
    const struct fact *f = fact_of(p, t);
    if (f)
        k = known_narrow(k, f->lo, f->hi);
    if (k.lo == k.hi || !deep || n_args(n) == 0 || n->bits > 64 || !p->n_facts)
        return k;
    struct known args[3] = {{0}};
    for (uint32_t i = 0; i < n_args(n); i++)
        args[i] = known_here(ts, p, arg_of(n, i), deep - 1);
    struct known r = known_with(ts, n, args);
    k.zeros |= r.zeros;
    k.ones |= r.ones;
    return known_narrow(k, r.lo, r.hi);
}

struct term_range path_range(struct terms *ts, const struct path *p, term t)
{
    struct known k = known_here(ts, p, t, FACTS_DEEP);
    return (struct term_range){k.lo, k.hi};
}

int path_decides(struct terms *ts, const struct path *p, term t)
{
    assert(bits_of(ts, t) == 1);
    struct known k = known_here(ts, p, t, FACTS_DEEP);
    return k.lo == k.hi ? (int)k.lo : -1;
}

term path_value(struct terms *ts, const struct path *p, term t)
{
    if (is_const(ts, t) || bits_of(ts, t) > 64)
        return t;
    struct known k = known_here(ts, p, t, FACTS_DEEP);
    return k.lo == k.hi ? term_const(ts, bits_of(ts, t), k.lo) : t;
}

term path_condition(const struct path *p, uint32_t i)
{
    assert(i < p->n);
    return p->log->conditions.at[i];
}

// ---- learning -----------------------------------------------------------

// Note that t lies in lo..hi.  If t is x + constant, note the range of x, too.
static void learn_range(struct terms *ts, struct path *p, term t, uint64_t lo,
                        uint64_t hi)
{
    const struct node *n = node_of(ts, t);
    if (n->bits > 64 || is_const(ts, t))
        return;
    struct known k = known_here(ts, p, t, 1);
    struct known now = known_narrow(k, lo, hi);
    if (now.lo == k.lo && now.hi == k.hi)
        return;
    put_fact(p->log, t, now.lo, now.hi);
    p->n_facts = p->log->facts.n;
    if (n->op == IR_ADD && is_const(ts, n->b)) {
        uint64_t c = (uint64_t)value_of(ts, n->b), mask = mask_of(n->bits);
        uint64_t from = (now.lo - c) & mask, to = (now.hi - c) & mask;
        if (from <= to)
            learn_range(ts, p, n->a, from, to);
    }
}

// x != c: of use if c is an end of what x can be.
static void learn_unequal(struct terms *ts, struct path *p, term x, uint64_t c)
{
    struct known k = known_here(ts, p, x, 1);
    if (k.lo == c && k.lo < k.hi)
        learn_range(ts, p, x, c + 1, k.hi);
    else if (k.hi == c && k.lo < k.hi)
        learn_range(ts, p, x, k.lo, c - 1);
}

// a < b, unsigned.
static void learn_below(struct terms *ts, struct path *p, term a, term b)
{
    struct known x = known_here(ts, p, a, 1), y = known_here(ts, p, b, 1);
    if (y.hi > 0)
        learn_range(ts, p, a, 0, y.hi - 1);
    if (x.lo < UINT64_MAX)
        learn_range(ts, p, b, x.lo + 1, UINT64_MAX);
}

// a <= b, unsigned.
static void learn_at_most(struct terms *ts, struct path *p, term a, term b)
{
    struct known x = known_here(ts, p, a, 1), y = known_here(ts, p, b, 1);
    learn_range(ts, p, a, 0, y.hi);
    learn_range(ts, p, b, x.lo, UINT64_MAX);
}

// x < c, signed, or its negation: a range of unsigned numbers if what is left
// has one sign.
static void learn_less(struct terms *ts, struct path *p, term x, uint64_t c,
                       bool holds)
{
    uint64_t sign = (uint64_t)1 << (bits_of(ts, x) - 1);
    struct known k = known_here(ts, p, x, 1);
    bool plus = k.hi < sign, minus = k.lo >= sign;
    if (holds && (c == 0 || c >= sign))
        learn_range(ts, p, x, sign, c == 0 ? UINT64_MAX : c - 1);
    else if (holds && plus)
        learn_range(ts, p, x, 0, c - 1);
    else if (!holds && c < sign)
        learn_range(ts, p, x, c, sign - 1);
    else if (!holds && minus)
        learn_range(ts, p, x, c, UINT64_MAX);
}

static void learn_comparison(struct terms *ts, struct path *p, struct node n,
                             bool holds)
{
    bool constant = is_const(ts, n.b);
    uint64_t c = constant ? (uint64_t)value_of(ts, n.b) : 0;
    if (bits_of(ts, n.a) > 64)
        return;
    if (n.op == IR_EQ && constant && holds) {
        learn_range(ts, p, n.a, c, c);
    } else if (n.op == IR_EQ && constant) {
        learn_unequal(ts, p, n.a, c);
    } else if (n.op == IR_EQ && holds) {
        learn_at_most(ts, p, n.a, n.b);
        learn_at_most(ts, p, n.b, n.a);
    } else if (n.op == IR_ULT && holds) {
        learn_below(ts, p, n.a, n.b);
    } else if (n.op == IR_ULT) {
        learn_at_most(ts, p, n.b, n.a);
    } else if (n.op == IR_SLT && constant) {
        learn_less(ts, p, n.a, c, holds);
    }
}

static void learn(struct terms *ts, struct path *p, term condition)
{
    bool holds = !is_not(ts, condition);
    term t = holds ? condition : node_of(ts, condition)->a;
    learn_range(ts, p, condition, 1, 1);
    learn_range(ts, p, t, holds, holds);
    const struct node n = *node_of(ts, t);
    if (n.op == IR_EQ || n.op == IR_ULT || n.op == IR_SLT)
        learn_comparison(ts, p, n, holds);
}

// ---- adding -------------------------------------------------------------

static void add_one(struct terms *ts, struct path *p, term condition)
{
    const struct fact *f = fact_of(p, condition);
    if (term_is_true(ts, condition) || (f && f->lo == 1))
        return;
    own(p);
    vec_push(&p->log->conditions, condition);
    p->n = p->log->conditions.n;
    learn(ts, p, condition);
}

void path_add(struct terms *ts, struct path *p, term condition)
{
    uint32_t base = ts->stack.n;
    assert(bits_of(ts, condition) == 1);
    vec_push(&ts->stack, condition);
    for (term t; conjunct_next(ts, base, &t);)
        add_one(ts, p, t);
}

// ---- the model ----------------------------------------------------------

bool path_holds(struct terms *ts, const struct path *p, term condition)
{
    return term_eval(ts, condition, p->model) != 0;
}

void path_take_model(struct path *p, struct model *m)
{
    if (!m)
        return;
    model_free(p->model);
    p->model = m;
}

void path_set(struct terms *ts, struct path *p, term var, u128 value)
{
    if (!p->model) {
        p->model = model_new(ts);
    } else if (model_shared(p->model)) {
        struct model *m = model_copy(p->model);
        path_take_model(p, m);
    }
    model_set(p->model, term_var_index(ts, var), value);
}
