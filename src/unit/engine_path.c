// What a path of the engine is worth: the sides and traps that no path before
// it has, and its inputs.
#include "unit/engine_run.h"

#include "base/map.h"
#include "unit/model.h"

#include <string.h>

void engine_note(struct engine *e, const char *text)
{
    for (uint32_t i = 0; i < e->out->notes.n; i++)
        if (strcmp(e->out->notes.at[i], text) == 0)
            return;
    vec_push(&e->out->notes, arena_text(e->a, text));
}

// ---- a path ---------------------------------------------------------------

// Is the trap that a parameter is null?
static bool is_null_parameter(struct engine *e, const struct sx_path *p)
{
    if (p->trap != IR_TRAP_NULL || !p->n_conditions)
        return false;
    term last = p->conditions[p->n_conditions - 1];
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(e->run, p->refs[i]);
        if (r->place.from == SX_PARAM &&
            last ==
                term_eq(e->ts, r->var, term_const(e->ts, SX_OBJECT_BITS, 0)))
            return true;
    }
    return false;
}

// What it reads was never written, so its native run may go another way: others
// are looked for as well.
static bool is_unsure(const struct sx_path *p)
{
    return p->labels & SX_UNINITIALISED;
}

// Each place once; where a parameter may be null, once more for other reasons.
bool engine_is_new_trap(struct engine *e, const struct sx_path *p)
{
    if (p->end != SX_TRAPPED)
        return false;
    bool parameter = is_null_parameter(e, p), unsure = is_unsure(p);
    uint64_t key = map_pair(p->fn, 4 * p->inst + 2 * unsure + parameter);
    for (uint32_t i = 0; i < e->traps.n; i++)
        if (e->traps.at[i] == key)
            return false;
    vec_push(&e->traps, key);
    if (parameter || unsure)
        sx_trap_again(e->run, p->fn, p->inst);
    return true;
}

// Does it end where the source says so?
bool engine_is_written(const struct sx_path *p)
{
    return p->end == SX_RETURNED ||
           (p->end == SX_TRAPPED &&
            (p->trap == IR_TRAP_ASSERT || p->trap == IR_TRAP_ABORT ||
             p->trap == IR_TRAP_EXIT));
}

bool engine_takes_new_side(struct engine *e, const struct sx_path *p)
{
    bool new = false, unsure = is_unsure(p);
    if (!engine_is_written(p))
        return false;
    for (uint32_t i = 0; i < p->n_goals; i++) {
        const struct sx_goal_met *g = &p->goals[i];
        for (uint32_t k = 0; k < e->sides->at.n; k++) {
            const struct side *s = &e->sides->at.at[k];
            if (g->fn != e->f->id || s->inst != g->inst || s->k != g->side ||
                e->taken[k] || (unsure && e->unsure[k]))
                continue;
            new = true;
            if (unsure) {
                e->unsure[k] = true;
                continue;
            }
            e->taken[k] = true;
            sx_goal(e->run, g->fn, g->inst, g->side, false);
        }
    }
    return new;
}

// A reader expects objects of their own: what the path follows is one object
// only where it must be.
static void keep_apart(struct engine *e, const struct sx_path *p,
                       struct path *path)
{
    enum { ASKED_MOST = 32 };
    uint32_t asked = 0;
    for (uint32_t i = 0; i < p->n_followed; i++)
        for (uint32_t k = 0; k < i && asked < ASKED_MOST; k++) {
            term a = sx_run_ref(e->run, p->followed[i].ref)->var;
            term b = sx_run_ref(e->run, p->followed[k].ref)->var;
            u128 at = term_eval(e->ts, a, path->model);
            struct model *m = NULL;
            if (a == b || !at || at != term_eval(e->ts, b, path->model))
                continue;
            asked++;
            if (solver_ask(e->solver, path, term_ne(e->ts, a, b), &m) !=
                SOLVER_SAT)
                continue;
            path_add(e->ts, path, term_ne(e->ts, a, b));
            path_take_model(path, m);
        }
}

// The C library is to be passed no null pointer, be it with no bytes: a
// sanitizer tells that.
static void avoid_null(struct engine *e, const struct sx_path *p,
                       struct path *path)
{
    for (uint32_t i = 0; i < p->n_refs; i++) {
        term v = sx_run_ref(e->run, p->refs[i])->var;
        term set = term_ne(e->ts, v, term_const(e->ts, SX_OBJECT_BITS, 0));
        struct model *m = NULL;
        if (solver_ask(e->solver, path, set, &m) != SOLVER_SAT)
            continue;
        path_add(e->ts, path, set);
        path_take_model(path, m);
    }
}

// The path's model with values as plain as its conditions allow.
// With classes: what the path follows is kept apart and together as they say.
static struct model *plain_model(struct engine *e, const struct sx_path *p,
                                 const uint32_t *classes,
                                 const struct model *of)
{
    struct path path = {0};
    VEC(term) first = {0};
    for (uint32_t i = 0; i < p->n_conditions; i++)
        path_add(e->ts, &path, p->conditions[i]);
    for (uint32_t i = 0; classes && i < p->n_followed; i++)
        for (uint32_t k = 0; k < i; k++) {
            term a = sx_run_ref(e->run, p->followed[i].ref)->var;
            term b = sx_run_ref(e->run, p->followed[k].ref)->var;
            if (classes[i] && classes[k] && a != b)
                path_add(e->ts, &path,
                         classes[i] == classes[k] ? term_eq(e->ts, a, b)
                                                  : term_ne(e->ts, a, b));
        }
    path_take_model(&path, model_copy(of));
    if (!e->o->all && p->end == SX_RETURNED && p->labels & SX_NO_BYTES)
        avoid_null(e, p, &path);
    if (!classes && !e->o->all)
        keep_apart(e, p, &path);
    for (uint32_t i = 0; i < p->n_refs; i++) {
        const struct sx_ref *r = sx_run_ref(e->run, p->refs[i]);
        if (r->count != TERM_NONE)
            vec_push(&first, r->count);
    }
    solver_label(e->solver, &path, first.at, first.n);
    struct model *m = model_copy(path.model);
    path_release(&path);
    vec_free(&first);
    return m;
}

// Is it an access outside of an object, or the like, which a plain run of the
// call may not show?
static bool is_silent(const struct sx_path *p)
{
    return p->end == SX_TRAPPED &&
           (p->trap == IR_TRAP_BOUNDS || p->trap == SX_TRAP_OVERFLOW);
}

static void add_found(struct engine *e, const struct sx_path *p,
                      const struct model *m)
{
    struct model_of of = {e->s, e->f, e->run, e->ts, p, m, &e->signature};
    struct engine_found f = {.returned = p->end == SX_RETURNED,
                             .trap = IR_NOTHING,
                             .fn = p->fn,
                             .inst = p->inst,
                             .labels = p->labels,
                             .loop = e->loop};
    const char *why = e->unnamed;
    if (p->end == SX_TRAPPED)
        f.kind = sx_trap_id(p->trap);
    if (p->end == SX_TRAPPED &&
        e->s->ir->fns.at[p->fn]->insts.at[p->inst].op == IR_TRAP)
        f.trap = e->s->ir->fns.at[p->fn]->insts.at[p->inst].site;
    if (!why && model_input(&of, e->a, &f.in, &why))
        vec_push(&e->out->found, f);
    else
        engine_note(e, why);
}

// A silent trap is told with pointers that are no null, and once more with
// numbers that are no zero: memory of no bytes may have some.
void engine_take_model(struct engine *e, const struct sx_path *p,
                       const uint32_t *classes, const struct model *from)
{
    struct model *m = plain_model(e, p, classes, from);
    struct model_of of = {e->s, e->f, e->run, e->ts, p, m, &e->signature};
    if (is_silent(p))
        model_fill(&of, m, false);
    model_name(&of, m);
    add_found(e, p, m);
    if (is_silent(p) && !e->o->all) {
        model_fill(&of, m, true);
        add_found(e, p, m);
    }
    model_free(m);
}

void engine_take_path(struct engine *e, const struct sx_path *p)
{
    engine_take_model(e, p, NULL, p->model);
}

// Count the path.  Is it worth a case?
bool engine_look_at(struct engine *e, const struct sx_path *p)
{
    if (e->hints.at.n > e->known)
        return false; // another run begins
    e->out->paths++;
    e->out->labels |= p->labels;
    if (p->end == SX_UNSUPPORTED && p->text)
        engine_note(e, p->text);
    e->unknown |= p->end == SX_UNKNOWN;
    if (p->end == SX_UNKNOWN)
        engine_note(e, "the solver gave no answer in time");
    if (p->end != SX_RETURNED && p->end != SX_TRAPPED)
        return false;
    bool new = engine_takes_new_side(e, p);
    new |= engine_is_new_trap(e, p);
    new |= !e->returned && p->end == SX_RETURNED;
    e->returned |= p->end == SX_RETURNED;
    if (new)
        engine_take_path(e, p);
    return new;
}
