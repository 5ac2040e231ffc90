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
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        die("no memory");
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
static void begin(struct terms *ts, uint64_t of)
{
    while (ts->values.n < ts->nodes.n) {
        vec_push(&ts->values, 0);
        vec_push(&ts->valued, 0);
    }
    if (ts->epoch_model == of)
        return;
    ts->epoch_model = of;
    if (++ts->epoch == 0) {
        memset(ts->valued.at, 0, ts->valued.n * sizeof *ts->valued.at);
        ts->epoch = 1;
    }
}

static bool has_value(const struct terms *ts, term t)
{
    return ts->valued.at[t] == ts->epoch;
}

// Push the arguments that have no value yet; false if there are none.
static bool push_args(struct terms *ts, const struct node *n)
{
    uint32_t before = ts->stack.n;
    for (uint32_t i = 0; i < n_args(n); i++)
        if (!has_value(ts, arg_of(n, i)))
            vec_push(&ts->stack, arg_of(n, i));
    return ts->stack.n > before;
}

// The arm of an ite that its condition chooses: the other needs no value.
static bool push_arm(struct terms *ts, const struct node *n)
{
    if (!has_value(ts, n->a)) {
        vec_push(&ts->stack, n->a);
        return true;
    }
    term arm = ts->values.at[n->a] ? n->b : n->c;
    if (has_value(ts, arm))
        return false;
    vec_push(&ts->stack, arm);
    return true;
}

typedef u128 valuer(const struct node *n, const uint8_t *bits,
                    const u128 *args);

static u128 compute(const struct terms *ts, const struct node *n,
                    const struct model *m, valuer *value)
{
    uint8_t bits[3] = {0};
    u128 args[3] = {0};
    if (n->op == TERM_VAR)
        return ir_cut(model_get(m, n->a), n->bits);
    for (uint32_t i = 0; i < n_args(n); i++) {
        term a = arg_of(n, i);
        bits[i] = (uint8_t)bits_of(ts, a);
        args[i] = has_value(ts, a) ? ts->values.at[a] : 0;
    }
    return value(n, bits, args);
}

static u128 evaluate(struct terms *ts, term t, const struct model *m,
                     valuer *value)
{
    uint32_t base = ts->stack.n;
    vec_push(&ts->stack, t);
    while (ts->stack.n > base) {
        term top = vec_last(&ts->stack);
        const struct node *n = node_of(ts, top);
        if (has_value(ts, top)) {
            ts->stack.n--;
            continue;
        }
        if (n->op == IR_SELECT ? push_arm(ts, n) : push_args(ts, n))
            continue;
        ts->values.at[top] =
            n->op == TERM_CONST ? value_of(ts, top) : compute(ts, n, m, value);
        ts->valued.at[top] = ts->epoch;
        ts->stack.n--;
    }
    return ts->values.at[t];
}

u128 term_eval(struct terms *ts, term t, const struct model *m)
{
    if (is_const(ts, t))
        return value_of(ts, t);
    begin(ts, m ? m->serial * 2 : 0);
    return evaluate(ts, t, m, node_value);
}

u128 term_judge(struct terms *ts, term t, const struct model *m)
{
    begin(ts, m ? m->serial * 2 + 1 : 1);
    return evaluate(ts, t, m, node_judge);
}
