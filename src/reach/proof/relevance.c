// Which cells matter: those on the ways to the target, those that their new
// values are made of, and those in the conditions under which they change.
#include "reach/proof/proof.h"

#include <string.h>

struct wanting {
    struct proofs *p;
    bool grew;
    bool narrow;
};

static void want(struct wanting *w, const struct shape *shape, uint32_t i)
{
    w->grew |= !shape->wanted[i];
    shape->wanted[i] = true;
}

// The cells of the ifs whose values are in the term.
static void want_term(struct wanting *w, const struct rule *r, term t)
{
    struct term_vars v = term_vars(w->p->ts, t);
    for (uint32_t i = 0; i < r->n_ifs; i++) {
        const struct shape *shape = subject_of(w->p, r->ifs[i].subject)->shape;
        for (uint32_t k = 0; k < shape->n; k++) {
            struct term_vars of = term_vars(w->p->ts, r->ifs[i].values[k]);
            bool in = false;
            for (uint32_t a = 0; a < of.n; a++)
                for (uint32_t b = 0; b < v.n; b++)
                    in |= of.at[a] == v.at[b];
            if (in)
                want(w, shape, k);
        }
    }
}

static void want_conditions(struct wanting *w, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_conditions; i++)
        want_term(w, r, r->conditions[i]);
}

static bool has_condition(const struct rule *r, term c)
{
    for (uint32_t i = 0; i < r->n_conditions; i++)
        if (r->conditions[i] == c)
            return true;
    return false;
}

// Does another way through the same function, on which the condition does not
// hold, leave the same in all wanted cells?
static bool is_idle(struct proofs *p, const struct rule *r, const struct use *u,
                    term condition)
{
    const struct shape *shape = subject_of(p, u->subject)->shape;
    term other = term_not(p->ts, condition);
    for (uint32_t i = 0; i < p->rules.n; i++) {
        const struct rule *x = &p->rules.at[i];
        if (x->name != r->name || !has_condition(x, other))
            continue;
        for (uint32_t k = 0; k < x->n_thens; k++) {
            bool same = x->thens[k].subject == u->subject;
            for (uint32_t c = 0; same && c < shape->n; c++)
                same =
                    !shape->wanted[c] || x->thens[k].values[c] == u->values[c];
            if (same)
                return true;
        }
    }
    return false;
}

static void want_deciding(struct wanting *w, const struct rule *r,
                          const struct use *u)
{
    for (uint32_t i = 0; i < r->n_conditions; i++)
        if (!is_idle(w->p, r, u, r->conditions[i]))
            want_term(w, r, r->conditions[i]);
}

static bool is_kept(struct proofs *p, const struct rule *r,
                    const struct use *then, uint32_t cell)
{
    for (uint32_t i = 0; i < r->n_ifs; i++)
        if (subject_of(p, r->ifs[i].subject)->shape ==
                subject_of(p, then->subject)->shape &&
            r->ifs[i].values[cell] == then->values[cell])
            return true;
    return false;
}

static bool changes_behaviour(struct proofs *p, const struct rule *r,
                              const struct use *then)
{
    if (subject_of(p, then->subject)->about != ABOUT_STATE)
        return false;
    for (uint32_t i = 0; i < r->n_ifs; i++)
        if (r->ifs[i].subject == then->subject)
            return false;
    return true;
}

static void spread(struct wanting *w, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_thens; i++) {
        const struct use *u = &r->thens[i];
        const struct shape *shape = subject_of(w->p, u->subject)->shape;
        bool changes = false, any = false;
        for (uint32_t k = 0; k < shape->n; k++) {
            any |= shape->wanted[k];
            if (!shape->wanted[k] || is_kept(w->p, r, u, k))
                continue;
            changes = true;
            want_term(w, r, u->values[k]);
        }
        if (!w->narrow && (changes || (any && changes_behaviour(w->p, r, u))))
            want_deciding(w, r, u);
    }
}

static void want_ways(struct wanting *w, const struct root *root,
                      const struct reach_target *t)
{
    struct proofs *p = w->p;
    struct summary *s = ways_to(p, root, t);
    const struct summary_case *c;
    for (uint32_t i = 0; (c = summary_case(p->summaries, s, i)); i++) {
        struct summary_case kept = *c;
        // A hook at the end is of no behaviour: an actor ends in any.
        for (uint32_t b = 0; b < p->ir->behaviours.n; b++) {
            bool here = root->kind == ROOT_HANDLER
                            ? b == root->behaviour
                            : root->cls != IR_NOTHING &&
                                  state_subject(p, root->cls, b) != IR_NOTHING;
            if (!here)
                continue;
            struct rule r = rule_to(p, root, &kept, b);
            want_conditions(w, &r);
            rule_free(&r);
        }
    }
    // What brings the message here at all.
    uint32_t msg = root->kind == ROOT_HANDLER
                       ? message_subject(p, root->cls, root->msg)
                       : IR_NOTHING;
    for (uint32_t i = 0; !w->narrow && msg != IR_NOTHING && i < p->rules.n; i++)
        for (uint32_t k = 0; k < p->rules.at[i].n_thens; k++)
            if (p->rules.at[i].thens[k].subject == msg)
                want_conditions(w, &p->rules.at[i]);
}

static void clear(struct proofs *p)
{
    for (uint32_t i = 0; i < p->subjects.n; i++) {
        const struct shape *s = p->subjects.at[i].shape;
        if (s->n)
            memset(s->wanted, 0, s->n);
    }
}

// Is the set another one than before?
static bool note_change(struct proofs *p)
{
    uint32_t n = 0;
    bool changed = false;
    for (uint32_t i = 0; i < p->subjects.n; i++) {
        const struct shape *s = p->subjects.at[i].shape;
        for (uint32_t k = 0; k < s->n; k++, n++) {
            if (n == p->known_of.n)
                vec_push(&p->known_of, 2);
            changed |= p->known_of.at[n] != s->wanted[k];
            p->known_of.at[n] = s->wanted[k];
        }
    }
    return changed;
}

bool cells_want(struct proofs *p, const struct reach_target *t, bool narrow)
{
    struct wanting w = {.p = p, .narrow = narrow};
    clear(p);
    for (uint32_t i = 0; i < p->roots.n; i++)
        if (proofs_calls(p, p->roots.at[i].fn, t->at.fn))
            want_ways(&w, &p->roots.at[i], t);
    do {
        w.grew = false;
        for (uint32_t i = 0; i < p->rules.n; i++)
            spread(&w, &p->rules.at[i]);
    } while (w.grew);
    return note_change(p);
}
