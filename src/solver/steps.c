// Steps that look back: recent models, what was refuted before.
#include "solver/query.h"

#include <string.h>

// ---- recent models ------------------------------------------------------

static struct model *from_model(struct solver *s, const struct model *m)
{
    VEC(u128) values = {0};
    for (uint32_t i = 0; i < s->query.vars.n; i++)
        vec_push(&values, model_get(m, s->query.vars.at[i]));
    struct model *r = query_model(s, values.at);
    vec_free(&values);
    return r;
}

enum solver_answer step_recent(struct solver *s, struct model **m)
{
    for (uint32_t i = 1; i <= RECENT_MOST; i++) {
        uint32_t at = (s->next_recent + RECENT_MOST - i) % RECENT_MOST;
        const struct model *old = s->recent[at];
        if (old && query_holds(s, old) && (*m = from_model(s, old)))
            return SOLVER_SAT;
    }
    return SOLVER_UNKNOWN;
}

// ---- what was refuted before --------------------------------------------

enum solver_answer step_cache(struct solver *s)
{
    const struct query *q = &s->query;
    walk_begin(s->ts);
    for (uint32_t i = 0; i < q->conditions.n; i++)
        walk_meet(s->ts, q->conditions.at[i]);
    for (uint32_t i = 0; i < q->n_asked; i++) {
        uint32_t at = map_get(&s->refuted_of, q->conditions.at[i]);
        for (; at != MAP_NONE; at = s->refuted.at[at].before) {
            const struct refuted *r = &s->refuted.at[at];
            uint32_t k = 0;
            while (k < r->n) {
                term t = s->refuted_terms.at[r->first + k];
                if (t >= s->ts->met.n || s->ts->met.at[t] != s->ts->now)
                    break;
                k++;
            }
            if (k == r->n)
                return SOLVER_UNSAT;
        }
    }
    return SOLVER_UNKNOWN;
}

void cache_refuted(struct solver *s)
{
    const struct query *q = &s->query;
    uint32_t *at = map_at(&s->refuted_of, q->conditions.at[0]);
    struct refuted r = {s->refuted_terms.n, q->conditions.n - 1, *at};
    *at = s->refuted.n;
    vec_push(&s->refuted, r);
    for (uint32_t i = 1; i < q->conditions.n; i++)
        vec_push(&s->refuted_terms, q->conditions.at[i]);
}
