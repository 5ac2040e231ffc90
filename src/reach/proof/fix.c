// The fixed point: rules are asked until none of them leads out of the facts.
//
// A rule holds if its conditions, the facts of its ifs and the negation of a
// fact of its thens cannot be together.  A model is a state or message that may
// be: all facts that it breaks are weakened at once (as Houdini does: Flanagan
// and Leino, FME 2001).  Each chain of facts has an end, so this comes to one.
#include "reach/proof/proof.h"

#include "base/clock.h"

enum {
    ROUNDS_MOST = 200,
    BUSY = 4 // seconds that pass in one of processor time, at most
};

bool proofs_late(struct proofs *p)
{
    return proofs_now() >= p->until || clock_now() >= p->wall ||
           reach_over(p->r);
}

double proofs_now(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

void proofs_until(struct proofs *p, double moment)
{
    double wall = clock_now() + BUSY * (moment - proofs_now());
    p->until = moment;
    p->wall = wall;
    solver_until(p->solver, wall);
    solver_until(p->second, wall);
}

// ---- questions ----------------------------------------------------------

struct gathering {
    struct proofs *p;
    struct question *q;
    bool *var; // by number: in the question
    bool grew;
};

static void note_vars(struct gathering *g, term t)
{
    struct term_vars all = term_vars(g->p->ts, t);
    for (uint32_t i = 0; i < all.n; i++) {
        g->grew |= !g->var[all.at[i]];
        g->var[all.at[i]] = true;
    }
}

static bool shares(const struct gathering *g, term t)
{
    struct term_vars all = term_vars(g->p->ts, t);
    for (uint32_t i = 0; i < all.n; i++)
        if (g->var[all.at[i]])
            return true;
    return false;
}

// What is left out of the premises makes a rule stronger, so that what is found
// without it is found with it.
static void gather(struct gathering *g, term t, term fact)
{
    if (term_has(g->p->ts, t) & g->p->without) {
        g->p->left_out = true;
        return;
    }
    vec_push(&g->q->at, t);
    vec_push(&g->q->facts, fact);
}

bool rule_is_brought(const struct proofs *p, const struct rule *r,
                     const struct brought *b)
{
    for (uint32_t i = 0; i < r->n_ifs; i++) {
        const struct subject *s = &p->subjects.at[r->ifs[i].subject];
        if (s->about == ABOUT_MESSAGE && s->cls == b->cls && s->id == b->msg)
            return true;
    }
    return b->msg == IR_NOTHING;
}

static void gather_brought(struct gathering *g, const struct rule *r)
{
    struct proofs *p = g->p;
    for (uint32_t i = 0; i < p->brought.n; i++) {
        const struct brought *b = &p->brought.at[i];
        bool more = rule_is_brought(p, r, b);
        for (uint32_t k = r->n_ifs; more && k-- > 0;) {
            const struct subject *s = subject_of(p, r->ifs[k].subject);
            if (s->about != ABOUT_STATE || s->cls != b->cls)
                continue;
            gather(g, term_subst(r->ifs[k].subst, b->fact), b->fact);
            more = b->msg != IR_NOTHING; // else of the last state alone
        }
    }
}

static bool gather_all(struct gathering *g, const struct rule *r)
{
    struct proofs *p = g->p;
    bool can = true;
    for (uint32_t i = 0; i < r->n_conditions; i++)
        gather(g, r->conditions[i], TERM_NONE);
    for (uint32_t i = 0; i < r->n_ifs; i++) {
        const struct subject *s = subject_of(p, r->ifs[i].subject);
        can &= !s->none;
        for (uint32_t k = 0; k < s->chains.n; k++) {
            const struct chain *c = &s->chains.at[k];
            term t = c->pos == c->n
                         ? TERM_NONE
                         : term_subst(r->ifs[i].subst, c->at[c->pos]);
            if (t && !term_is_true(p->ts, t))
                gather(g, t, c->at[c->pos]);
        }
    }
    gather_brought(g, r);
    return can;
}

// Keep what shares variables with the goals, and with each other.
static void keep_shared(struct gathering *g)
{
    struct question *q = g->q;
    bool *in = arena_zero(&g->p->scratch, q->at.n + 1);
    uint32_t n = 0;
    do {
        g->grew = false;
        for (uint32_t i = 0; i < q->at.n; i++)
            if (!in[i] && shares(g, q->at.at[i])) {
                in[i] = true;
                note_vars(g, q->at.at[i]);
            }
    } while (g->grew);
    for (uint32_t i = 0; i < q->at.n; i++)
        if (in[i] || term_is_false(g->p->ts, q->at.at[i])) {
            q->at.at[n] = q->at.at[i];
            q->facts.at[n++] = q->facts.at[i];
        }
    q->at.n = q->facts.n = n;
}

bool question_begin(struct proofs *p, const struct rule *r, const term *goals,
                    uint32_t n_goals, bool whole, struct question *q)
{
    struct gathering g = {.p = p, .q = q};
    *q = (struct question){0};
    bool can = gather_all(&g, r);
    if (whole)
        return can;
    g.var = arena_zero(&p->scratch, terms_variables(p->ts) + 1);
    for (uint32_t i = 0; i < n_goals; i++)
        note_vars(&g, goals[i]);
    keep_shared(&g);
    arena_clear(&p->scratch);
    return can;
}

void question_free(struct question *q)
{
    vec_free(&q->at);
    vec_free(&q->facts);
}

// ---- goals --------------------------------------------------------------

struct goal {
    uint32_t use, chain; // of the rule's thens
    term fact;           // said of the values
};
struct goals {
    VEC(struct goal) at;
    VEC(term) terms;
};

// Is the fact one of the rule's own premises, word for word?
static bool is_given(struct proofs *p, const struct rule *r, term fact)
{
    for (uint32_t i = 0; i < r->n_ifs; i++) {
        const struct subject *s = subject_of(p, r->ifs[i].subject);
        for (uint32_t k = 0; k < s->chains.n; k++) {
            const struct chain *c = &s->chains.at[k];
            if (c->pos < c->n &&
                term_subst(r->ifs[i].subst, c->at[c->pos]) == fact)
                return true;
        }
    }
    for (uint32_t i = 0; i < r->n_conditions; i++)
        if (r->conditions[i] == fact)
            return true;
    return false;
}

static void goals_of(struct proofs *p, const struct rule *r, struct goals *g)
{
    g->at.n = g->terms.n = 0;
    for (uint32_t i = 0; i < r->n_thens; i++) {
        const struct subject *s = subject_of(p, r->thens[i].subject);
        for (uint32_t k = 0; k < s->chains.n; k++) {
            const struct chain *c = &s->chains.at[k];
            if (c->pos == c->n)
                continue;
            term t = term_subst(r->thens[i].subst, c->at[c->pos]);
            if (term_is_true(p->ts, t) || is_given(p, r, t))
                continue;
            vec_push(&g->at, ((struct goal){i, k, t}));
            vec_push(&g->terms, t);
        }
    }
}

static void goals_free(struct goals *g)
{
    vec_free(&g->at);
    vec_free(&g->terms);
}

// ---- one rule -----------------------------------------------------------

static void meet_first(struct proofs *p, const struct rule *r,
                       const struct model *m)
{
    for (uint32_t i = 0; i < r->n_thens; i++) {
        struct subject *s = subject_of(p, r->thens[i].subject);
        u128 values[CELLS_MOST];
        for (uint32_t k = 0; k < s->shape->n; k++)
            values[k] = term_judge(p->ts, r->thens[i].values[k], m);
        subject_meet(p, s, values);
    }
}

// Facts that the model breaks are weakened until it keeps them.
static void meet_goals(struct proofs *p, const struct rule *r,
                       const struct goals *g, const struct model *m)
{
    for (uint32_t i = 0; i < g->at.n; i++) {
        const struct use *u = &r->thens[g->at.at[i].use];
        struct subject *s = subject_of(p, u->subject);
        if (s->any)
            continue;
        struct chain *c = &s->chains.at[g->at.at[i].chain];
        while (c->pos < c->n &&
               !term_judge(p->ts, term_subst(u->subst, c->at[c->pos]), m)) {
            c->pos++;
            s->version++;
        }
    }
}

static bool awaits_first(struct proofs *p, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_thens; i++)
        if (subject_of(p, r->thens[i].subject)->none)
            return true;
    return false;
}

static enum solver_answer ask(struct proofs *p, struct solver *solver,
                              const struct rule *r, const term *goals,
                              uint32_t n, bool whole, struct model **m)
{
    struct question q;
    enum solver_answer a = SOLVER_UNSAT;
    if (question_begin(p, r, goals, n, whole, &q)) {
        term broken = term_bool(p->ts, n == 0);
        for (uint32_t i = 0; i < n; i++)
            broken = term_or(p->ts, broken, term_not(p->ts, goals[i]));
        vec_push(&q.at, broken);
        a = solver_check(solver, q.at.at, q.at.n, m);
    }
    question_free(&q);
    return a;
}

// Divisions, products and floats are what solvers leave open.
static bool is_hard(struct proofs *p, term t)
{
    return term_has(p->ts, t) != 0;
}

// Ask the solver for some of the goals; true if facts changed.
static bool weaken_some(struct proofs *p, const struct rule *r,
                        const struct goals *g, bool drop)
{
    struct model *m = NULL;
    enum solver_answer a =
        ask(p, p->solver, r, g->terms.at, g->terms.n, false, &m);
    if (a == SOLVER_SAT) {
        meet_goals(p, r, g, m);
        model_free(m);
        return true;
    }
    for (uint32_t i = 0; a == SOLVER_UNKNOWN && drop && i < g->at.n; i++) {
        struct subject *s = subject_of(p, r->thens[g->at.at[i].use].subject);
        if (!s->any) {
            s->chains.at[g->at.at[i].chain].pos++;
            s->version++;
        }
    }
    return a == SOLVER_UNKNOWN && drop;
}

// All goals together were too hard: ask for the easy ones first, then for one
// after the other.  A goal that stays open is weakened.
static void weaken_apart(struct proofs *p, const struct rule *r,
                         const struct goals *g)
{
    struct goals part = {0};
    bool changed = false;
    for (uint32_t i = 0; i < g->at.n; i++)
        if (!is_hard(p, g->terms.at[i])) {
            vec_push(&part.at, g->at.at[i]);
            vec_push(&part.terms, g->terms.at[i]);
        }
    if (part.at.n && part.at.n < g->at.n)
        changed = weaken_some(p, r, &part, false);
    for (uint32_t i = 0; !changed && i < g->at.n && !proofs_late(p); i++) {
        part.at.n = part.terms.n = 0;
        vec_push(&part.at, g->at.at[i]);
        vec_push(&part.terms, g->terms.at[i]);
        changed = weaken_some(p, r, &part, true);
    }
    goals_free(&part);
}

// Can the premises of the rule hold at all?  If not, the rule holds.
static bool is_feasible(struct proofs *p, struct rule *r)
{
    struct model *m = NULL;
    bool first = awaits_first(p, r);
    if (r->feasible && !first)
        return true;
    enum solver_answer a = ask(p, p->solver, r, NULL, 0, true, &m);
    if (a == SOLVER_UNSAT)
        return false;
    r->feasible = true;
    if (a == SOLVER_SAT) {
        meet_first(p, r, m);
        model_free(m);
    }
    for (uint32_t i = 0; a == SOLVER_UNKNOWN && i < r->n_thens; i++) {
        struct subject *s = subject_of(p, r->thens[i].subject);
        if (s->none)
            subject_any(s);
    }
    return true;
}

// Weaken facts until the rule holds.  True: it does.
static bool rule_settle(struct proofs *p, struct rule *r)
{
    struct goals g = {0};
    bool holds = false;
    for (uint32_t turn = 0; turn < ROUNDS_MOST && !proofs_late(p); turn++) {
        goals_of(p, r, &g);
        holds = (!g.at.n && !awaits_first(p, r)) || !is_feasible(p, r);
        if (holds)
            break;
        goals_of(p, r, &g);
        struct model *m = NULL;
        enum solver_answer a =
            g.at.n ? ask(p, p->solver, r, g.terms.at, g.terms.n, false, &m)
                   : SOLVER_UNSAT;
        holds = a == SOLVER_UNSAT;
        if (holds)
            break;
        if (a == SOLVER_SAT) {
            meet_goals(p, r, &g, m);
            model_free(m);
        } else {
            weaken_apart(p, r, &g);
        }
    }
    goals_free(&g);
    return holds;
}

static uint64_t versions(struct proofs *p, const struct rule *r)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->n_ifs; i++)
        sum += subject_of(p, r->ifs[i].subject)->version;
    for (uint32_t i = 0; i < r->n_thens; i++)
        sum += subject_of(p, r->thens[i].subject)->version;
    return sum;
}

bool rule_can_be(const struct proofs *p, const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_ifs; i++)
        if (p->subjects.at[r->ifs[i].subject].none)
            return false;
    return true;
}

bool facts_find(struct proofs *p)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < p->rules.n; i++) {
            struct rule *r = &p->rules.at[i];
            if (!rule_can_be(p, r) || r->done == versions(p, r))
                continue;
            if (proofs_late(p))
                return false;
            again = true;
            if (rule_settle(p, r))
                r->done = versions(p, r);
        }
    }
    return true;
}

bool facts_confirm(struct proofs *p)
{
    struct goals g = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < p->rules.n; i++) {
        const struct rule *r = &p->rules.at[i];
        if (!rule_can_be(p, r))
            continue;
        goals_of(p, r, &g);
        bool first = awaits_first(p, r);
        if (!first && !g.at.n)
            continue;
        ok = !proofs_late(p) &&
             ((!first && ask(p, p->second, r, g.terms.at, g.terms.n, false,
                             NULL) == SOLVER_UNSAT) ||
              ask(p, p->second, r, NULL, 0, true, NULL) == SOLVER_UNSAT);
    }
    goals_free(&g);
    return ok;
}

bool rule_gives(struct proofs *p, const struct rule *r, term goal)
{
    return !proofs_late(p) &&
           ask(p, p->solver, r, &goal, 1, false, NULL) == SOLVER_UNSAT &&
           ask(p, p->second, r, &goal, 1, false, NULL) == SOLVER_UNSAT;
}
