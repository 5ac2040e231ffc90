// Models, and the values of terms under them.
//
// term_eval() keeps what it computed until another model is asked about or the
// model changes: a path asks about one condition after the other under one
// model, and they share most of their parts.
#include "solver/store.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct model {
    struct terms *terms;
    uint64_t serial; // another one after each change
    uint32_t owners;
    VEC(u128) at;
    VEC(bool) has;
};

struct model *model_new(struct terms *ts)
{
    struct model *m = need_zero(sizeof *m);
    m->terms = ts;
    m->serial = ++ts->last_serial;
    m->owners = 1;
    return m;
}

struct model *model_copy(const struct model *m)
{
    struct model *c = model_new(m->terms);
    if (!m->at.n)
        return c;
    vec_room(&c->at, m->at.n);
    vec_room(&c->has, m->has.n);
    memcpy(c->at.at, m->at.at, m->at.n * sizeof *m->at.at);
    memcpy(c->has.at, m->has.at, m->has.n * sizeof *m->has.at);
    c->at.n = m->at.n;
    c->has.n = m->has.n;
    return c;
}

struct model *model_share(struct model *m)
{
    if (m)
        m->owners++;
    return m;
}

bool model_shared(const struct model *m)
{
    return m->owners > 1;
}

void model_free(struct model *m)
{
    if (!m || --m->owners)
        return;
    vec_free(&m->at);
    vec_free(&m->has);
    free(m);
}

void model_set(struct model *m, uint32_t var, u128 value)
{
    while (m->at.n <= var) {
        vec_push(&m->at, 0);
        vec_push(&m->has, false);
    }
    m->at.at[var] = value;
    m->has.at[var] = true;
    m->serial = ++m->terms->last_serial;
}

bool model_has(const struct model *m, uint32_t var)
{
    return m && var < m->has.n && m->has.at[var];
}

u128 model_get(const struct model *m, uint32_t var)
{
    return m && var < m->at.n ? m->at.at[var] : 0;
}

uint32_t model_size(const struct model *m)
{
    return m ? m->at.n : 0;
}

// ---- evaluation ---------------------------------------------------------

// Forget all values if they are those of another model.
static void begin(const struct terms *ts, struct values *v, uint64_t model)
{
    while (v->at.n < ts->nodes.n) {
        vec_push(&v->at, 0);
        vec_push(&v->when, 0);
    }
    if (v->model == model)
        return;
    v->model = model;
    if (++v->epoch == 0) {
        memset(v->when.at, 0, v->when.n * sizeof *v->when.at);
        v->epoch = 1;
    }
}

static bool has_value(const struct values *v, term t)
{
    return v->when.at[t] == v->epoch;
}

// Push the arguments that have no value yet; false if there are none.
static bool push_args(struct terms *ts, const struct values *v,
                      const struct node *n)
{
    uint32_t before = ts->stack.n;
    for (uint32_t i = 0; i < n_args(n); i++)
        if (!has_value(v, arg_of(n, i)))
            vec_push(&ts->stack, arg_of(n, i));
    return ts->stack.n > before;
}

// The arm of an ite that its condition chooses: the other needs no value.
static bool push_arm(struct terms *ts, const struct values *v,
                     const struct node *n)
{
    term next = !has_value(v, n->a) ? n->a : v->at.at[n->a] ? n->b : n->c;
    if (has_value(v, next))
        return false;
    vec_push(&ts->stack, next);
    return true;
}

typedef u128 valuer(const struct node *n, const uint8_t *bits,
                    const u128 *args);

static u128 compute(const struct terms *ts, const struct values *v,
                    const struct node *n, const struct model *m, valuer *value)
{
    uint8_t bits[3] = {0};
    u128 args[3] = {0};
    if (n->op == TERM_VAR)
        return ir_cut(model_get(m, n->a), n->bits);
    for (uint32_t i = 0; i < n_args(n); i++) {
        term a = arg_of(n, i);
        bits[i] = (uint8_t)bits_of(ts, a);
        args[i] = has_value(v, a) ? v->at.at[a] : 0;
    }
    return value(n, bits, args);
}

static u128 evaluate(struct terms *ts, struct values *v, term t,
                     const struct model *m, valuer *value)
{
    uint32_t base = ts->stack.n;
    begin(ts, v, m ? m->serial : 0);
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_last(&ts->stack);
        const struct node *n = node_of(ts, top);
        if (!has_value(v, top)) {
            if (n->op == IR_SELECT ? push_arm(ts, v, n) : push_args(ts, v, n))
                continue;
            v->at.at[top] = n->op == TERM_CONST ? value_of(ts, top)
                                                : compute(ts, v, n, m, value);
            v->when.at[top] = v->epoch;
        }
        ts->stack.n--;
    }
    return v->at.at[t];
}

u128 term_eval(struct terms *ts, term t, const struct model *m)
{
    if (is_const(ts, t))
        return value_of(ts, t);
    return evaluate(ts, &ts->values[VALUES_OF_PATH], t, m, node_value);
}

u128 term_try(struct terms *ts, term t, const struct model *m)
{
    return evaluate(ts, &ts->values[VALUES_TRIED], t, m, node_value);
}

u128 term_judge(struct terms *ts, term t, const struct model *m)
{
    return evaluate(ts, &ts->values[VALUES_JUDGED], t, m, node_judge);
}
