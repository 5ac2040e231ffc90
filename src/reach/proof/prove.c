// The order of work: targets that are refuted without facts first, then the
// facts, then targets that the facts refute.
#include "reach/proof/proof.h"

#include "solver/solver.h"

enum {
    LOOP_TURNS = 4,
    LOOP_MORE = 12,
    PARTS = 6,
    COUNTED_SECONDS = 60, // at most where only counts bound a search: a second
    RUNS_A_SECOND = 1000, // for so many native runs
    COUNTED_UNITS = 2000000,
    QUICK_MS = 200 // of the first solver: there are many questions
};

static bool stop(void *self)
{
    return proofs_late(self);
}

static bool is_open(const struct reach_target *t)
{
    return t->wanted && t->status == REACH_OPEN;
}

// Facts are about states that only their own handlers write.
static bool is_frozen(struct proofs *p)
{
    bool frozen = p->flow->doubts.n > 0;
    for (uint32_t i = 0; i < p->flow->handlers.n; i++) {
        const struct flow_handler *h = &p->flow->handlers.at[i];
        for (uint32_t k = 0; h->live && k < h->n; k++)
            frozen |= h->accesses[k].write && !h->accesses[k].global &&
                      h->accesses[k].of != h->cls;
    }
    return frozen;
}

// Is there memory that all actors may change at any moment?
static bool has_shared(const struct reach *r)
{
    for (uint32_t i = 0; i < r->flow->handlers.n; i++) {
        const struct flow_handler *h = &r->flow->handlers.at[i];
        for (uint32_t k = 0; h->live && k < h->n; k++)
            if (h->accesses[k].write && h->accesses[k].global)
                return true;
    }
    return false;
}

static uint32_t left(const struct reach *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->targets.n; i++)
        n += is_open(&r->targets.at[i]);
    return n;
}

// True: nothing more can be said of this target.
static bool refute(struct proofs *p, struct reach_target *t)
{
    bool cut;
    const char *why = target_refute(p, t, &cut);
    if (!why)
        return cut;
    t->status = REACH_INFEASIBLE;
    t->why = why;
    return true;
}

static bool is_left(const struct reach *r, const struct reach_target *t)
{
    return is_open(t) && !r->pool->hit[t->at.hit];
}

// Each target has a part of what is left of the time, its share if there are
// fewer of them: so that easy ones behind a hard one come to their turn.
static void refute_open(struct proofs *p, uint32_t parts)
{
    struct reach *r = p->r;
    double end = p->until;
    for (uint32_t i = 0; i < r->targets.n && !proofs_late(p); i++) {
        if (!is_left(r, &r->targets.at[i]))
            continue;
        uint32_t n = left(r) < parts ? left(r) : parts;
        proofs_until(p, proofs_now() + (end - proofs_now()) / n);
        refute(p, &r->targets.at[i]);
        p->gave_up |= proofs_late(p);
        proofs_until(p, end);
    }
}

// How facts against a target are looked for, the cheapest way first: most
// questions that take long are of divisions, products and floats.
static const struct search {
    bool narrow; // only about the cells of the target's conditions
    bool plain;  // without hard operations, unless the target has them
    bool more;   // also facts that hold under a condition
} searches[] = {{.narrow = true, .plain = true},
                {.plain = true},
                {.plain = true, .more = true},
                {.narrow = false}};

static uint8_t hard_terms(struct proofs *p)
{
    uint8_t all = TERM_HAS_FLOAT | TERM_HAS_DIVISION | TERM_HAS_PRODUCT;
    for (uint32_t i = p->n_hints; i < p->hints.n; i++)
        all &= (uint8_t)~term_has(p->ts, p->hints.at[i].fact);
    return all;
}

// Look for facts about what matters to this target.  False: those of the search
// before are the same.
static bool facts_for(struct proofs *p, const struct reach_target *t,
                      const struct search *s)
{
    uint8_t without = s->plain ? hard_terms(p) : 0;
    bool other = cells_want(p, t, s->narrow);
    if (!other && p->facts_ok && s->more <= p->conditional &&
        (without == p->made_without || !p->left_out))
        return false;
    p->conditional = s->more;
    p->without = p->made_without = without;
    p->left_out = false;
    subjects_reset(p, false);
    p->facts_ok = facts_find(p) && facts_confirm(p);
    p->without = 0; // the way to the target has all its conditions
    return true;
}

static void refute_with_facts(struct proofs *p, struct reach_target *t)
{
    p->hints.n = p->n_hints;
    p->asked.n = p->brought.n = 0;
    p->facts_ok &= !hints_of_target(p, t);
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        if (proofs_late(p) || !is_open(t))
            return;
        bool found = facts_for(p, t, &searches[i]) || i == 0;
        if (!found || !p->facts_ok || refute(p, t) || !brought_find(p, t) ||
            refute(p, t))
            continue;
        // What messages bring may be what other facts rest on.
        subjects_reset(p, false);
        p->facts_ok = facts_find(p) && facts_confirm(p);
        if (p->facts_ok)
            refute(p, t);
    }
}

// Each target has a third of what is left of the time, or its share if there
// are few.
static void refute_by_facts(struct proofs *p)
{
    struct reach *r = p->r;
    double end = p->until;
    bool late = false;
    shapes_make(p);
    subjects_make(p);
    numbers_collect(p);
    rules_make(p);
    subjects_reset(p, true);
    p->n_hints = p->hints.n;
    for (uint32_t i = 0; i < r->targets.n && !proofs_late(p); i++) {
        if (!is_left(r, &r->targets.at[i]))
            continue;
        uint32_t n = left(r) < 3 ? left(r) : 3;
        proofs_until(p, proofs_now() + (end - proofs_now()) / n);
        refute_with_facts(p, &r->targets.at[i]);
        late |= proofs_late(p);
        proofs_until(p, end);
    }
    p->gave_up |= late;
}

static void open_all(struct proofs *p, double seconds, uint32_t rlimit)
{
    struct solver_options first = {.rlimit = rlimit}, second = first;
    struct summary_options so = {.loop = LOOP_TURNS,
                                 .undefined_any = true,
                                 .skip = true,
                                 .stop = stop,
                                 .user = p};
    for (int k = 0; k < SOLVER_STEPS_N; k++)
        if (k != SOLVER_STEP_SIMPLE && k != SOLVER_STEP_FULL)
            second.without |= 1u << k;
    p->ts = terms_new();
    first.simple_ms = QUICK_MS;
    first.full_ms = QUICK_MS;
    p->solver = solver_new(p->ts, &first);
    p->second = solver_new(p->ts, &second);
    proofs_until(p, proofs_now() + seconds);
    p->summaries = summaries_new(p->ir, p->ts, p->solver, &so);
}

static void close_all(struct proofs *p)
{
    for (uint32_t i = 0; i < p->rules.n; i++)
        rule_free(&p->rules.at[i]);
    for (uint32_t i = 0; i < p->subjects.n; i++)
        vec_free(&p->subjects.at[i].chains);
    summaries_free(p->summaries);
    solver_free(p->second);
    solver_free(p->solver);
    terms_free(p->ts);
    vec_free(&p->subjects);
    vec_free(&p->roots);
    vec_free(&p->rules);
    vec_free(&p->hints);
    vec_free(&p->asked);
    vec_free(&p->brought);
    vec_free(&p->numbers);
    vec_free(&p->floats);
    vec_free(&p->moduli);
    vec_free(&p->known_of);
    arena_free(&p->arena);
    arena_free(&p->scratch);
}

// A search of one run asks for little.
static double counted_seconds(const struct reach *r)
{
    double s = (double)r->o.runs / RUNS_A_SECOND;
    return s > COUNTED_SECONDS ? COUNTED_SECONDS : s;
}

bool reach_prove(struct reach *r, const struct reach_turn *turn, struct diag *d)
{
    struct proofs p = {.r = r, .ir = r->ir, .flow = r->flow};
    bool timed = turn->seconds > 0;
    (void)d;
    if (!r->flow || r->proved || !left(r) || !solver_has_z3() || has_shared(r))
        return true;
    open_all(&p, timed ? turn->seconds : counted_seconds(r),
             timed ? 0 : COUNTED_UNITS);
    roots_collect(&p);
    proofs_find_kept(&p);
    refute_open(&p, UINT32_MAX);
    if (left(r) && !proofs_late(&p) &&
        (summaries_raise(p.summaries, LOOP_MORE) || p.gave_up)) {
        p.gave_up = false;
        refute_open(&p, PARTS);
    }
    p.frozen = is_frozen(&p);
    if (left(r) && !proofs_late(&p) && !p.frozen)
        refute_by_facts(&p);
    r->proved = !proofs_late(&p) && !p.gave_up;
    close_all(&p);
    return true;
}

void reach_doubt(struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++) {
        struct reach_target *t = &r->targets.at[i];
        bool never =
            t->status == REACH_UNREACHABLE || t->status == REACH_INFEASIBLE;
        if (!t->wanted || !never || !r->pool->hit[t->at.hit])
            continue;
        t->why =
            arena_format(&r->arena, "a run passes it, but it was called %s: %s",
                         reach_status_text(t->status), t->why);
        t->status = REACH_UNCONFIRMED;
    }
}
