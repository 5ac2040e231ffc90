// Activations: cases with variables of their own.
//
// What is known from the start is put in at once, so that most comparisons of
// references fold: the actor itself, parameters, globals, timers, and cells of
// the first actors' states that no handler writes.
#include "reach/backward/backward.h"

#include <assert.h>
#include <string.h>

static term number(struct backward *b, unsigned bits, u128 v)
{
    return term_const(b->ts, bits, v);
}

static const struct sx_effect *effect_with(const struct summary_case *c,
                                           term result)
{
    for (uint32_t i = 0; i < c->path->n_effects; i++)
        if (c->path->effects[i].result == result)
            return &c->path->effects[i];
    return NULL;
}

static term parameter(struct backward *b, const struct summary_case *c,
                      const struct sx_cell *cell)
{
    uint32_t global = cell->place.index - SX_PARAMETERS;
    const struct sx_effect *e = effect_with(c, cell->value);
    const char *name = (const char *)b->ir->globals.at[global].bytes;
    if (!e || !name || !term_is_const(b->ts, e->args[2]))
        return TERM_NONE;
    int64_t otherwise = (int64_t)term_value(b->ts, e->args[2]);
    return number(b, cell->bytes * 8,
                  (uint64_t)start_param(&b->start, name, otherwise));
}

static term operation(struct backward *b, const struct instance *i,
                      const struct sx_cell *cell)
{
    uint32_t index = cell->place.index;
    if (index == SX_ME)
        return number(b, 64, i->actor);
    if (index == SX_SENDER)
        return TERM_NONE;
    if (index >= SX_PARAMETERS)
        return parameter(b, &i->c, cell);
    const struct sx_effect *e = effect_with(&i->c, cell->value);
    if (e && e->op == IR_AFTER)
        return number(b, cell->bytes * 8, b->next_timer++);
    return TERM_NONE;
}

// What the cell is for sure; TERM_NONE: a variable.
static term known_cell(struct backward *b, const struct instance *i,
                       const struct sx_cell *cell)
{
    u128 v;
    uint64_t offset = (uint64_t)cell->place.offset;
    if (cell->place.from == SX_OPERATION)
        return operation(b, i, cell);
    if (cell->place.from == SX_GLOBAL &&
        start_global(&b->start, cell->place.index, offset, cell->bytes, &v))
        return number(b, cell->bytes * 8, v);
    if (cell->place.from == SX_SELF && backward_is_initial(b, i->actor) &&
        backward_fixed(b, b->start.actors.at[i->actor - 1].cls, offset,
                       cell->bytes) &&
        start_read(&b->start, i->actor, offset, cell->bytes, &v))
        return number(b, cell->bytes * 8, v);
    return TERM_NONE;
}

struct instance *instance_new(struct backward *b, uint32_t actor,
                              uint32_t handler, const struct summary_case *c)
{
    struct instance *i = arena_zero(&b->arena, sizeof *i);
    const struct sx_path *p = c->path;
    i->id = b->instances.n;
    i->actor = actor;
    i->handler = handler;
    i->msg = handler == IR_NOTHING ? IR_NOTHING : b->handlers.at[handler].msg;
    i->c = *c;
    i->vars = arena_zero(&b->arena, (p->n_cells + 1) * sizeof *i->vars);
    i->here = term_subst_new(b->ts);
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *cell = &p->cells[k];
        term v = known_cell(b, i, cell);
        if (!v)
            v = term_var(
                b->ts, cell->name, term_bits(b->ts, cell->value),
                term_var_kind(b->ts, term_var_index(b->ts, cell->value)));
        i->vars[k] = v;
        term_subst_set(i->here, cell->value, v);
    }
    vec_push(&b->instances, i);
    return i;
}

term instance_term(const struct instance *i, term t)
{
    return t ? term_subst(i->here, t) : t;
}

term instance_cell(const struct instance *i, enum sx_from from, uint32_t index,
                   int64_t offset, uint32_t bytes)
{
    const struct sx_path *p = i->c.path;
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        if (c->place.from == from && c->place.index == index &&
            c->place.offset == offset && (!bytes || c->bytes == bytes))
            return i->vars[k];
    }
    return TERM_NONE;
}

uint32_t segment_state(const struct summary_case *c, uint32_t k)
{
    while (k > 0 && c->path->segments[k - 1].wait == IR_GET)
        k--;
    return k;
}

bool effect_sends(const struct sx_effect *e, term *to, uint32_t *msg)
{
    switch (e->op) {
    case IR_SEND:
    case IR_FORWARD:
    case IR_TRY_SEND:
    case IR_ASK:
        *to = e->args[1];
        break;
    case IR_AFTER:
        *to = e->args[2];
        break;
    default:
        return false;
    }
    *msg = e->msg;
    return e->msg != IR_NOTHING;
}

// ---- messages from outside ------------------------------------------------

static const struct leaf *reference_at(const struct model_msg *m,
                                       uint64_t offset)
{
    for (uint32_t i = 0; i < m->leaves.n; i++)
        if (m->leaves.at[i].kind == LEAF_REF &&
            m->leaves.at[i].offset == offset)
            return &m->leaves.at[i];
    return NULL;
}

static term receptionists(struct backward *b, term var, uint32_t cls)
{
    term any = term_eq(b->ts, var, number(b, 64, 0));
    for (uint32_t i = 0; i < b->start.actors.n; i++) {
        const struct start_actor *a = &b->start.actors.at[i];
        if (a->name && (cls == IR_NOTHING || a->cls == cls))
            any =
                term_or(b->ts, any, term_eq(b->ts, var, number(b, 64, i + 1)));
    }
    return any;
}

void node_outside(struct backward *b, struct node *n, struct instance *i)
{
    const struct model_msg *m = &b->model->msgs.at[i->msg];
    const struct sx_path *p = i->c.path;
    for (uint32_t k = 0; k < p->n_cells; k++) {
        const struct sx_cell *c = &p->cells[k];
        if (c->place.from != SX_MESSAGE || c->bytes != 8)
            continue;
        const struct leaf *l = reference_at(m, (uint64_t)c->place.offset);
        if (l && term_op(b->ts, i->vars[k]) == TERM_VAR)
            vec_push(&n->conditions, receptionists(b, i->vars[k], l->cls));
    }
    n->posts++;
}
