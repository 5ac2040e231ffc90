// Which conditions a question is about.
#include "solver/query.h"

#include "solver/store.h"

void query_conjuncts(struct terms *ts, term condition, struct query *q)
{
    uint32_t base = ts->stack.n;
    vec_push(&ts->stack, condition);
    for (term t; conjunct_next(ts, base, &t);)
        vec_push(&q->conditions, t);
}

static bool shares(struct terms *ts, struct term_vars v)
{
    for (uint32_t i = 0; i < v.n; i++) {
        term var = ts->vars.at[v.at[i]].self;
        if (var < ts->met.n && ts->met.at[var] == ts->now)
            return true;
    }
    return false;
}

static void take_vars(struct solver *s, struct term_vars v)
{
    struct terms *ts = s->ts;
    for (uint32_t i = 0; i < v.n; i++)
        if (walk_meet(ts, ts->vars.at[v.at[i]].self))
            vec_push(&s->query.vars, v.at[i]);
}

// Conditions of the path that are not in the slice yet.
struct other {
    term condition;
    struct term_vars vars;
};

struct rest {
    VEC(struct other) at;
};

// One pass; true if something came in.
static bool take_sharing(struct solver *s, struct rest *rest)
{
    uint32_t kept = 0, before = rest->at.n;
    for (uint32_t i = 0; i < before; i++) {
        struct other o = rest->at.at[i];
        if (!s->options.whole && !shares(s->ts, o.vars)) {
            rest->at.at[kept++] = o;
            continue;
        }
        vec_push(&s->query.conditions, o.condition);
        take_vars(s, o.vars);
    }
    rest->at.n = kept;
    return kept < before;
}

void query_slice(struct solver *s, const struct path *p, const term *asked,
                 uint32_t n_asked)
{
    struct query *q = &s->query;
    struct rest rest = {0};
    vec_clear(&q->conditions);
    vec_clear(&q->vars);
    vec_room(&rest.at, p ? p->n : 0);
    q->base = p ? p->model : NULL;
    q->has = 0;
    for (uint32_t i = 0; i < n_asked; i++)
        query_conjuncts(s->ts, asked[i], q);
    q->n_asked = q->conditions.n;
    // Variables are found before the walk, which finding them would disturb.
    for (uint32_t i = 0; i < q->n_asked; i++)
        term_vars(s->ts, q->conditions.at[i]);
    for (uint32_t i = 0; p && i < p->n; i++) {
        struct other o = {path_condition(p, i), {0}};
        o.vars = term_vars(s->ts, o.condition);
        vec_push(&rest.at, o);
    }
    walk_begin(s->ts);
    for (uint32_t i = 0; i < q->n_asked; i++)
        take_vars(s, term_vars(s->ts, q->conditions.at[i]));
    while (take_sharing(s, &rest))
        continue;
    for (uint32_t i = 0; i < q->conditions.n; i++)
        q->has |= node_of(s->ts, q->conditions.at[i])->has;
    vec_free(&rest.at);
}

bool query_holds(struct solver *s, const struct model *m)
{
    for (uint32_t i = 0; i < s->query.conditions.n; i++)
        if (!term_try(s->ts, s->query.conditions.at[i], m))
            return false;
    return true;
}

struct model *query_model(struct solver *s, const u128 *values)
{
    const struct query *q = &s->query;
    struct model *m = q->base ? model_copy(q->base) : model_new(s->ts);
    bool ok = true;
    for (uint32_t i = 0; i < q->vars.n; i++)
        model_set(m, q->vars.at[i], values[i]);
    for (uint32_t i = 0; i < q->conditions.n && ok; i++)
        ok = term_judge(s->ts, q->conditions.at[i], m) != 0;
    if (ok)
        return m;
    model_free(m);
    return NULL;
}
