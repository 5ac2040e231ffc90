// Facts that conditions of the program suggest.
#include "reach/proof/proof.h"

enum { HINTS_MOST = 300, ASKED_MOST = 40 };

static void add_hint(struct proofs *p, const struct shape *shape, term t)
{
    if (term_is_true(p->ts, t) || term_is_false(p->ts, t) ||
        p->hints.n >= HINTS_MOST)
        return;
    for (uint32_t i = 0; i < p->hints.n; i++)
        if (p->hints.at[i].shape == shape && p->hints.at[i].fact == t)
            return;
    vec_push(&p->hints, ((struct hint){shape, t}));
}

struct hinting {
    struct proofs *p;
    const struct shape *shape;
    struct term_subst *back;
    VEC(uint32_t) vars; // that have a cell
};

static void hinting_begin(struct hinting *h, const struct sx_path *path,
                          enum sx_from from, uint32_t index)
{
    h->back = term_subst_new(h->p->ts);
    for (uint32_t i = 0; i < h->shape->n; i++) {
        const struct cell *cell = &h->shape->at[i];
        const struct sx_cell *c = cell_over(path, from, index, cell->offset);
        if (!c || (uint64_t)c->place.offset != cell->offset ||
            c->bytes != cell->bytes ||
            term_bits(h->p->ts, c->value) != cell->bytes * 8 ||
            term_op(h->p->ts, c->value) != TERM_VAR)
            continue;
        term_subst_set(h->back, c->value, cell->var);
        vec_push(&h->vars, term_var_index(h->p->ts, c->value));
    }
}

static bool speaks_of(struct hinting *h, term t)
{
    struct term_vars v = term_vars(h->p->ts, t);
    for (uint32_t i = 0; i < v.n; i++) {
        uint32_t k = 0;
        while (k < h->vars.n && h->vars.at[k] != v.at[i])
            k++;
        if (k == h->vars.n)
            return false;
    }
    return v.n > 0;
}

// What would refute the target at hand, if it were a fact.
static void ask_hint(struct proofs *p, const struct shape *shape, term t)
{
    for (uint32_t i = 0; i < p->asked.n; i++)
        if (p->asked.at[i].shape == shape && p->asked.at[i].fact == t)
            return;
    if (!term_is_true(p->ts, t) && p->asked.n < ASKED_MOST)
        vec_push(&p->asked, ((struct hint){shape, t}));
}

// Each condition that speaks of this shape alone.  `negated`: that they do not
// hold, one by one, two by two, and together.
static void hint_place(struct proofs *p, const struct shape *shape,
                       const struct sx_path *path, enum sx_from from,
                       uint32_t index, bool negated)
{
    struct hinting h = {.p = p, .shape = shape};
    VEC(term) found = {0};
    hinting_begin(&h, path, from, index);
    for (uint32_t i = 0; i < path->n_conditions; i++)
        if (speaks_of(&h, path->conditions[i]))
            vec_push(&found, term_subst(h.back, path->conditions[i]));
    term all = term_bool(p->ts, true);
    for (uint32_t i = 0; i < found.n; i++) {
        add_hint(p, shape, term_not(p->ts, found.at[i]));
        if (negated)
            ask_hint(p, shape, term_not(p->ts, found.at[i]));
        if (!negated)
            add_hint(p, shape, found.at[i]);
        all = term_and(p->ts, all, found.at[i]);
        for (uint32_t k = 0; negated && found.n <= 6 && k < i; k++)
            add_hint(
                p, shape,
                term_not(p->ts, term_and(p->ts, found.at[i], found.at[k])));
    }
    if (negated) {
        add_hint(p, shape, term_not(p->ts, all));
        ask_hint(p, shape, term_not(p->ts, all));
    }
    term_subst_free(h.back);
    vec_free(&h.vars);
    vec_free(&found);
}

void hints_from(struct proofs *p, const struct root *root,
                const struct summary_case *c, bool negated)
{
    const struct sx_path *path = c->path;
    if (root->cls == IR_NOTHING)
        return;
    hint_place(p, &p->states[root->cls], path, SX_SELF, 0, negated);
    if (root->msg != IR_NOTHING)
        hint_place(p, &p->messages[root->msg], path, SX_MESSAGE, 0, negated);
    for (uint32_t k = 0; k + 1 < path->n_segments; k++) {
        uint32_t msg = asked_by(path, path->segments[k].future);
        if (path->segments[k].wait != IR_GET)
            hint_place(p, &p->states[root->cls], path, SX_SELF, k + 1, negated);
        if (msg != IR_NOTHING)
            hint_place(p, &p->answers[msg], path, SX_ANSWER, k, negated);
    }
}
