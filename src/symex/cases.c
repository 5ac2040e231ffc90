// The cases of a path: which of the references that it follows are one object.
//
// A pattern says for each followed reference whether it is followed after all
// (under its condition, and not null) and which earlier one it equals.  Models
// of the path are taken one after the other, the pattern of each is excluded
// from the next.
#include "symex/engine.h"

#include "base/die.h"

#include <stdlib.h>

struct casing {
    struct sx_run *r;
    const struct sx_path *p;
    uint32_t n;       // references
    uint32_t *refs;   // each once
    term *conditions; // under which it is followed
    uint32_t *classes;
};

// Each followed reference once, conditions joined.
static void collect(struct casing *c)
{
    const struct sx_path *p = c->p;
    c->refs = need((p->n_followed + 1) * sizeof *c->refs);
    c->conditions = need((p->n_followed + 1) * sizeof *c->conditions);
    c->classes = need((p->n_followed + 1) * sizeof *c->classes);
    for (uint32_t i = 0; i < p->n_followed; i++) {
        uint32_t k = 0;
        while (k < c->n && c->refs[k] != p->followed[i].ref)
            k++;
        if (k == c->n) {
            c->refs[c->n] = p->followed[i].ref;
            c->conditions[c->n++] = p->followed[i].condition;
        } else {
            c->conditions[k] =
                term_or(c->r->ts, c->conditions[k], p->followed[i].condition);
        }
    }
}

static term ref_var(const struct casing *c, uint32_t i)
{
    return c->r->refs.at[c->refs[i]].var;
}

static bool one_region(const struct casing *c, uint32_t i, uint32_t k)
{
    return c->r->refs.at[c->refs[i]].region == c->r->refs.at[c->refs[k]].region;
}

// The pattern that a model has, and the condition that expresses it.
static term pattern_of(struct casing *c, const struct model *m)
{
    struct terms *ts = c->r->ts;
    term all = term_bool(ts, true);
    for (uint32_t i = 0; i < c->n; i++) {
        term null =
            term_eq(ts, ref_var(c, i), term_const(ts, SX_OBJECT_BITS, 0));
        term is = term_and(ts, c->conditions[i], term_not(ts, null));
        bool followed = term_eval(ts, is, m) != 0;
        c->classes[i] = followed ? i + 1 : 0;
        all = term_and(ts, all, followed ? is : term_not(ts, is));
        for (uint32_t k = 0; followed && k < i; k++) {
            if (c->classes[k] != k + 1 || !one_region(c, i, k))
                continue;
            term same = term_eq(ts, ref_var(c, i), ref_var(c, k));
            bool equal = term_eval(ts, same, m) != 0;
            all = term_and(ts, all, equal ? same : term_not(ts, same));
            if (equal)
                c->classes[i] = c->classes[k];
        }
    }
    return all;
}

uint32_t sx_cases(struct sx_run *r, const struct sx_path *p, uint32_t max,
                  sx_case *each, void *self)
{
    struct casing c = {.r = r, .p = p};
    struct path path = path_fork(&p->state->path);
    uint32_t n = 0;
    collect(&c);
    while (n < max) {
        struct model *m = NULL;
        const struct model *now = path.model ? path.model : r->zero;
        term pattern = pattern_of(&c, now);
        if (each)
            each(self, c.classes, now);
        n++;
        term other = term_not(r->ts, pattern);
        if (n == max || term_is_false(r->ts, other) ||
            solver_ask(r->solver, &path, other, &m) != SOLVER_SAT)
            break;
        path_add(r->ts, &path, other);
        path_take_model(&path, m);
    }
    path_release(&path);
    free(c.refs);
    free(c.conditions);
    free(c.classes);
    return n;
}
