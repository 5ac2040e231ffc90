// Steps that change what a path demands of states.
#include "reach/backward/expand.h"

#include "base/die.h"

#include <stdlib.h>

static bool writes_demand(struct expanding *x, const struct summary_case *c,
                          uint32_t segment, uint32_t actor, const bool *core,
                          bool in_core)
{
    const struct sx_segment *s = &c->path->segments[segment];
    for (uint32_t i = 0; i < x->n->demands.n; i++) {
        const struct demand *d = &x->n->demands.at[i];
        if (d->actor == actor && (!core || core[i] == in_core) &&
            writes_touch(x->b->ts, s->writes, s->n_writes, d->offset, d->bytes))
            return true;
    }
    return false;
}

// Does the actor need a behaviour that this row does not have?
static bool leads(const struct cast *a, const struct sx_segment *s)
{
    return a->behaviour != IR_NOTHING && s->behaviour == a->behaviour;
}

static void use_writer(struct expanding *x, uint32_t place, uint32_t handler,
                       const bool *core)
{
    struct backward *b = x->b;
    const struct cast *a = &x->n->cast.at[place];
    const struct summary_case *c;
    struct who who = {a->number, a->cls, a->initial};
    struct must none = {BIND_REQUEST, IR_NOTHING};
    for (uint32_t i = 0; (c = backward_case(b, handler, i)); i++) {
        struct summary_case copy = *c;
        for (uint32_t k = 0; k < copy.path->n_segments; k++) {
            const struct sx_segment *s = &copy.path->segments[k];
            double penalty = 0;
            if (!writes_demand(x, &copy, k, a->number, core, true) &&
                !leads(a, s)) {
                if (!core ||
                    !writes_demand(x, &copy, k, a->number, core, false))
                    continue;
                penalty = SECOND_HELPING;
            }
            if (!expand_repeated(b, handler, i, k))
                expand_case(x, who, handler, &copy, k, none, penalty);
        }
    }
}

static bool is_demanded(const struct node *n, uint32_t place)
{
    const struct cast *a = &n->cast.at[place];
    for (uint32_t i = 0; i < n->demands.n; i++)
        if (n->demands.at[i].actor == a->number)
            return true;
    return a->behaviour != IR_NOTHING;
}

static void count_up(struct expanding *x, uint32_t place, uint32_t handler)
{
    struct backward *b = x->b;
    const struct cast *a = &x->n->cast.at[place];
    if (!a->initial || !b->start.actors.at[a->number - 1].name ||
        !backward_accepts(b, a->cls, b->handlers.at[handler].msg) ||
        x->n->repeated == handler || node_is_opened(x->n, a->number) ||
        expand_too_long(x, x->n, true))
        return;
    for (uint32_t which = 0; which < 4; which++) {
        struct node *n = node_repeat(b, x->n, place, handler, which);
        if (n)
            backward_push(b, n, 0.1);
    }
}

// What comes before is not known yet: the part before a wait, or the creation.
static bool is_open(const struct node *n, uint32_t place)
{
    const struct cast *a = &n->cast.at[place];
    for (uint32_t i = 0; i < n->pendings.n; i++)
        if (n->pendings.at[i].of->actor == a->number && !n->pendings.at[i].held)
            return true;
    return !a->initial;
}

// Steps that change what is demanded.  Where the start agrees (there is no
// core), only those of actors of which the start does not tell.
void expand_writers(struct expanding *x, const bool *core)
{
    struct backward *b = x->b;
    bool *none = need_zero((x->n->demands.n + 1) * sizeof *none);
    for (uint32_t i = 0; i < x->n->cast.n; i++)
        for (uint32_t h = 0; h < b->handlers.n; h++) {
            if (b->handlers.at[h].cls != x->n->cast.at[i].cls ||
                x->n->cast.at[i].made || !is_demanded(x->n, i) ||
                (!core && !is_open(x->n, i)))
                continue;
            if (core)
                count_up(x, i, h);
            use_writer(x, i, h, core ? core : none);
        }
    free(none);
}
