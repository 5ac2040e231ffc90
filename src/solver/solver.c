// The way of a question through the steps.
#include "solver/query.h"

#include "base/die.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool solver_has_z3(void)
{
    return backend_exists();
}

const char *solver_z3_version(void)
{
    return backend_version();
}

const char *solver_step_text(enum solver_step step)
{
    static const char *const texts[] = {
#define SOLVER_STEP_(name, text) text,
        SOLVER_STEPS(SOLVER_STEP_)
#undef SOLVER_STEP_
    };
    return texts[step];
}

struct solver *solver_new(struct terms *ts, const struct solver_options *o)
{
    struct solver *s = need_zero(sizeof *s);
    s->ts = ts;
    if (o)
        s->options = *o;
    s->backend = backend_new(ts);
    s->reason = "";
    return s;
}

void solver_free(struct solver *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < RECENT_MOST; i++)
        model_free(s->recent[i]);
    backend_free(s->backend);
    vec_free(&s->query.conditions);
    vec_free(&s->query.vars);
    vec_free(&s->result.values);
    map_free(&s->masks_of);
    vec_free(&s->masks);
    map_free(&s->table_of);
    vec_free(&s->tables);
    map_free(&s->refuted_of);
    vec_free(&s->refuted);
    vec_free(&s->refuted_terms);
    free(s);
}

void solver_share(struct solver *s, double share)
{
    s->share = share;
}

void solver_until(struct solver *s, double moment)
{
    s->until = moment;
}

const char *solver_reason(const struct solver *s)
{
    return s->reason;
}

const struct solver_figures *solver_figures(const struct solver *s)
{
    return &s->figures;
}

static void remember(struct solver *s, struct model *m)
{
    model_free(s->recent[s->next_recent]);
    s->recent[s->next_recent] = model_share(m);
    s->next_recent = (s->next_recent + 1) % RECENT_MOST;
}

// ---- steps --------------------------------------------------------------

// Does a step make sense for this query?
static bool fits(const struct solver *s, enum solver_step step)
{
    bool floats = s->query.has & TERM_HAS_FLOAT;
    bool divides = s->query.has & TERM_HAS_DIVISION;
    bool products = s->query.has & TERM_HAS_PRODUCT;
    if (without(s, step) || (s->wish_ms > 0 && step >= SOLVER_STEP_FULL))
        return false;
    switch (step) {
    case SOLVER_STEP_LINEAR:
        return (divides || products) && !floats;
    case SOLVER_STEP_REALS:
        return floats;
    case SOLVER_STEP_SECOND:
        return s->options.cvc5 != NULL;
    default:
        return true;
    }
}

static enum solver_answer take(struct solver *s, enum solver_step step,
                               struct model **m)
{
    switch (step) {
    case SOLVER_STEP_RECENT:
        return step_recent(s, m);
    case SOLVER_STEP_BYTES:
        return step_bytes(s, m);
    case SOLVER_STEP_CACHE:
        return step_cache(s);
    case SOLVER_STEP_TRIES:
        return step_tries(s, false, m);
    case SOLVER_STEP_LINEAR:
    case SOLVER_STEP_REALS:
        return step_numbers(s, m);
    case SOLVER_STEP_SIMPLE:
    case SOLVER_STEP_FULL:
        return step_z3(s, step, m);
    case SOLVER_STEP_SECOND:
        return step_second(s, m);
    case SOLVER_STEP_FOLD:
    case SOLVER_STEP_FACTS:
    case SOLVER_STEP_MODEL:
    case SOLVER_STEPS_N:
        break;
    }
    return SOLVER_UNKNOWN;
}

static void count(struct solver *s, enum solver_step step, enum solver_answer a)
{
    if (a == SOLVER_SAT)
        s->figures.sat[step]++;
    else if (a == SOLVER_UNSAT)
        s->figures.unsat[step]++;
    else
        s->figures.unknown++;
}

// Nothing decided it: special values once more, and more of them.
static enum solver_answer try_last(struct solver *s, struct model **m)
{
    bool may = s->wish_ms <= 0 && !without(s, SOLVER_STEP_TRIES);
    enum solver_answer a = may ? step_tries(s, true, m) : SOLVER_UNKNOWN;
    count(s, SOLVER_STEP_TRIES, a);
    if (a == SOLVER_SAT)
        remember(s, *m);
    return a;
}

// Answer the query at hand.  SAT: *m is a new model of it.
static enum solver_answer answer(struct solver *s, struct model **m)
{
    *m = NULL;
    s->reason = "no step decides it";
    for (enum solver_step step = SOLVER_STEP_BYTES; step < SOLVER_STEPS_N;
         step++) {
        bool plain = step == SOLVER_STEP_LINEAR &&
                     !without(s, SOLVER_STEP_SIMPLE) && step_plain(s);
        if (!plain && !fits(s, step))
            continue;
        enum solver_answer a = plain ? SOLVER_UNSAT : take(s, step, m);
        if (a == SOLVER_UNKNOWN)
            continue;
        count(s, step, a);
        if (a == SOLVER_SAT)
            remember(s, *m);
        else if (step > SOLVER_STEP_CACHE)
            cache_refuted(s);
        return a;
    }
    return try_last(s, m);
}

// ---- questions on a path ------------------------------------------------

static enum solver_answer known(struct solver *s, enum solver_step step,
                                bool sat, const struct path *p,
                                struct model **m)
{
    enum solver_answer a = sat ? SOLVER_SAT : SOLVER_UNSAT;
    count(s, step, a);
    if (sat && m)
        *m = p->model ? model_share(p->model) : model_new(s->ts);
    return a;
}

enum solver_answer solver_ask(struct solver *s, const struct path *p,
                              term condition, struct model **m)
{
    struct model *found = NULL;
    if (m)
        *m = NULL;
    s->figures.questions++;
    s->reason = "";
    if (is_const(s->ts, condition))
        return known(s, SOLVER_STEP_FOLD, value_of(s->ts, condition), p, m);
    if (!without(s, SOLVER_STEP_MODEL) && path_holds(s->ts, p, condition))
        return known(s, SOLVER_STEP_MODEL, true, p, m);
    int d =
        without(s, SOLVER_STEP_FACTS) ? -1 : path_decides(s->ts, p, condition);
    if (d >= 0)
        return known(s, SOLVER_STEP_FACTS, d, p, m);
    query_slice(s, p, &condition, 1);
    enum solver_answer a = answer(s, &found);
    if (m)
        *m = found;
    else
        model_free(found);
    return a;
}

// ---- conjunctions -------------------------------------------------------

// All conditions as a path without a model; false if facts refute it.
static bool as_path(struct solver *s, const term *conditions, uint32_t n,
                    struct path *p)
{
    for (uint32_t i = 0; i < n; i++) {
        if (term_is_false(s->ts, conditions[i]))
            return false;
        if (!without(s, SOLVER_STEP_FACTS) &&
            path_decides(s->ts, p, conditions[i]) == 0)
            return false;
        path_add(s->ts, p, conditions[i]);
    }
    return true;
}

// The conditions that share variables with the first one that does not hold
// under the path's model get a model of their own.
static enum solver_answer mend(struct solver *s, struct path *p, uint32_t i)
{
    struct model *m = NULL;
    term c = path_condition(p, i);
    query_slice(s, p, &c, 1);
    enum solver_answer a = answer(s, &m);
    path_take_model(p, m);
    return a;
}

enum solver_answer solver_check(struct solver *s, const term *conditions,
                                uint32_t n, struct model **m)
{
    struct path p = {0};
    enum solver_answer a = SOLVER_SAT;
    if (m)
        *m = NULL;
    s->figures.questions++;
    s->reason = "";
    if (!as_path(s, conditions, n, &p)) {
        path_release(&p);
        return known(s, SOLVER_STEP_FACTS, false, NULL, m);
    }
    for (uint32_t i = 0; i < p.n && a == SOLVER_SAT; i++)
        if (!path_holds(s->ts, &p, path_condition(&p, i)))
            a = mend(s, &p, i);
    if (a == SOLVER_SAT && m)
        *m = p.model ? model_share(p.model) : model_new(s->ts);
    path_release(&p);
    return a;
}

// ---- cores --------------------------------------------------------------

struct groups {
    VEC(uint32_t) of; // group of each condition
    uint32_t n;
};

static struct groups group(const uint32_t *labels, uint32_t n)
{
    struct groups g = {0};
    struct map known_labels = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at =
            labels && labels[i] ? map_get(&known_labels, labels[i]) : MAP_NONE;
        if (at == MAP_NONE) {
            at = g.n++;
            if (labels && labels[i])
                map_put(&known_labels, labels[i], at);
        }
        vec_push(&g.of, at);
    }
    map_free(&known_labels);
    return g;
}

// A condition that is false by itself is a core.
static bool false_alone(struct solver *s, const term *conditions, uint32_t n,
                        uint32_t *core)
{
    for (uint32_t i = 0; i < n; i++)
        if (term_is_false(s->ts, conditions[i])) {
            core[0] = i;
            return true;
        }
    return false;
}

uint32_t solver_core(struct solver *s, const term *conditions,
                     const uint32_t *labels, uint32_t n, uint32_t *core)
{
    if (false_alone(s, conditions, n, core))
        return 1;
    const struct solver_options *o = &s->options;
    struct groups g = group(labels, n);
    VEC(bool) in = {0};
    uint32_t found = 0;
    struct backend_query q = {
        .way = BACKEND_FULL,
        .conditions = conditions,
        .n = n,
        .ms = o->full_ms > 0 ? o->full_ms : 1500,
        .wall_ms = o->full_ms > 0 ? o->full_ms * 3 : 4500,
        .rlimit = o->rlimit,
        .memory = o->memory ? o->memory : (uint64_t)1 << 30,
        .child = !o->rlimit,
    };
    vec_room(&in, g.n + 1);
    if (backend_core(s->backend, &q, g.of.at, g.n, in.at))
        for (uint32_t i = 0; i < n; i++)
            if (in.at[g.of.at[i]])
                core[found++] = i;
    vec_free(&in);
    vec_free(&g.of);
    return found;
}

// Is one of the condition's conjuncts among these?
static bool is_blamed(struct solver *s, const struct map *blamed, term c)
{
    struct query parts = {0};
    bool found = false;
    query_conjuncts(s->ts, c, &parts);
    for (uint32_t i = 0; i < parts.conditions.n && !found; i++)
        found = map_get(blamed, parts.conditions.at[i]) != MAP_NONE;
    vec_free(&parts.conditions);
    return found;
}

static void path_without(struct solver *s, struct path *p,
                         const struct map *blamed)
{
    struct path rest = {.model = p->model ? model_share(p->model) : NULL};
    for (uint32_t i = 0; i < p->n; i++)
        if (!is_blamed(s, blamed, path_condition(p, i)))
            path_add(s->ts, &rest, path_condition(p, i));
    path_release(p);
    *p = rest;
}

bool solver_loosen(struct solver *s, struct path *p, term condition)
{
    struct map blamed = {0};
    VEC(term) all = {0};
    VEC(uint32_t) core = {0};
    query_slice(s, p, &condition, 1);
    uint32_t asked = s->query.n_asked, before = p->n, found;
    for (uint32_t i = 0; i < s->query.conditions.n; i++)
        vec_push(&all, s->query.conditions.at[i]);
    vec_room(&core, all.n + 1);
    found = solver_core(s, all.at, NULL, all.n, core.at);
    for (uint32_t i = 0; i < found; i++)
        if (core.at[i] >= asked)
            map_put(&blamed, all.at[core.at[i]], 1);
    if (found)
        path_without(s, p, &blamed);
    map_free(&blamed);
    vec_free(&all);
    vec_free(&core);
    return p->n < before;
}
