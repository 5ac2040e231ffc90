// One step more, in all ways in which it may be bound.
#include "reach/backward/expand.h"

#include <string.h>

uint32_t expand_class(const struct node *n, uint32_t actor)
{
    for (uint32_t i = 0; i < n->cast.n; i++)
        if (n->cast.at[i].number == actor)
            return n->cast.at[i].cls;
    return IR_NOTHING;
}

bool expand_repeated(struct backward *b, uint32_t handler, uint32_t i,
                     uint32_t segment)
{
    const struct sx_path *p = backward_case(b, handler, i)->path;
    for (uint32_t k = 0; segment + 1 < p->n_segments && k < i; k++) {
        const struct sx_path *q = backward_case(b, handler, k)->path;
        uint32_t end = segment + 1 < p->n_segments
                           ? p->segments[segment + 1].conditions
                           : p->n_conditions;
        uint32_t effects = segment + 1 < p->n_segments
                               ? p->segments[segment + 1].effects
                               : p->n_effects;
        if (segment + 1 >= p->n_segments || segment + 1 >= q->n_segments ||
            q->segments[segment + 1].conditions != end ||
            q->segments[segment + 1].effects != effects)
            continue;
        if (memcmp(p->conditions, q->conditions, end * sizeof(term)) == 0)
            return true;
    }
    return false;
}

bool expand_outside(const struct backward *b, struct who who, uint32_t msg)
{
    return who.initial && who.number &&
           b->start.actors.at[who.number - 1].name &&
           backward_accepts(b, who.cls, msg);
}

bool expand_inside(const struct backward *b, struct who who, uint32_t msg)
{
    for (uint32_t c = 0; c < b->ir->classes.n; c++)
        if (flow_sends(b->flow, c, who.cls, msg))
            return true;
    for (uint32_t i = 0; i < b->start.flights.n; i++)
        if (b->start.flights.at[i].msg == msg)
            return true;
    return false;
}

bool expand_too_long(struct expanding *x, const struct node *n, bool outside)
{
    struct backward *b = x->b;
    uint32_t cut = 0;
    if (outside && n->posts >= b->bounds.messages)
        cut |= CUT_MESSAGES;
    if (n->length >= b->bounds.steps)
        cut |= CUT_STEPS;
    b->figures.cut |= cut;
    return cut != 0;
}

void expand_plan(struct expanding *x, struct who who, struct step_plan plan,
                 double penalty)
{
    struct backward *b = x->b;
    struct node *n = node_copy(b, x->n);
    if (who.number == ACTOR_NONE) {
        if (n->unknown >= b->bounds.actors) {
            b->figures.cut |= CUT_ACTORS;
            node_free(n);
            return;
        }
        who.number = backward_actor(b);
        penalty += NEW_ACTOR;
    }
    plan.cast = node_cast(b, n, who.number, who.cls, who.initial);
    enum prepended how = NOT_POSSIBLE;
    if (!expand_too_long(x, n, plan.outside))
        how = backward_small_steps(b) ? node_begin(b, n, &plan)
                                      : node_prepend(b, n, &plan);
    if (how == PREPENDED && backward_needs(b, n) > b->bounds.messages + 1e-6) {
        b->figures.cut |= CUT_MESSAGES;
        how = NOT_POSSIBLE;
    }
    if (how == PREPENDED)
        backward_push(b, n, penalty);
    else
        node_free(n);
    if (plan.blocked_by)
        expand_fill(x, plan.blocked_by, plan.blocked_msg);
}

// Small steps take their source at their end: it is no part of the plan.
static void expand_sources(struct expanding *x, struct who who,
                           struct step_plan plan, double penalty)
{
    struct backward *b = x->b;
    uint32_t msg = b->handlers.at[plan.handler].msg;
    if (backward_small_steps(b) || plan.of || plan.segment > 0) {
        expand_plan(x, who, plan, penalty);
        return;
    }
    plan.outside = true;
    if (expand_outside(b, who, msg))
        expand_plan(x, who, plan, penalty);
    plan.outside = false;
    if (expand_inside(b, who, msg))
        expand_plan(x, who, plan, penalty);
}

void expand_case(struct expanding *x, struct who who, uint32_t handler,
                 const struct summary_case *c, uint32_t segment,
                 struct must must, double penalty)
{
    struct choosing g = {
        .x = x, .c = c, .segment = segment, .actor = who.number, .must = must};
    if (c->heap) {
        x->b->figures.cut |= CUT_HEAP;
        return;
    }
    if (backward_small_steps(x->b)) {
        g.spawns = true;
        if (must.kind != BIND_ACTOR)
            g.must.to = IR_NOTHING; // bound when the effect is walked through
    }
    expand_choose(&g);
    for (uint32_t i = 0; i < g.n; i++) {
        struct step_plan p = {
            .handler = handler, .c = c, .segment = segment, .bound = g.all[i]};
        expand_sources(x, who, p, penalty + 0.05 * i);
    }
}

void expand_part(struct expanding *x, const struct pending *w)
{
    struct instance *of = w->of;
    struct choosing g = {.x = x,
                         .c = &of->c,
                         .of = of,
                         .segment = w->segment,
                         .actor = of->actor,
                         .must = {BIND_REQUEST, IR_NOTHING}};
    if (w->paused && !w->between)
        return;
    g.spawns = backward_small_steps(x->b);
    expand_choose(&g);
    for (uint32_t i = 0; i < g.n; i++) {
        struct step_plan p = {.handler = of->handler,
                              .of = of,
                              .segment = w->segment,
                              .bound = g.all[i]};
        struct who who = {of->actor, expand_class(x->n, of->actor),
                          backward_is_initial(x->b, of->actor)};
        if (w->segment > 0 || backward_small_steps(x->b)) {
            expand_plan(x, who, p, 0);
            continue;
        }
        // The first part of it receives the message.
        p.outside = expand_outside(x->b, who, of->msg) && !of->asked;
        if (p.outside)
            expand_plan(x, who, p, 0);
        p.outside = false;
        expand_plan(x, who, p, 0.05);
    }
}

// ---- what is in the way ---------------------------------------------------

void expand_fill(struct expanding *x, uint32_t actor, uint32_t msg)
{
    struct backward *b = x->b;
    uint32_t cls = expand_class(x->n, actor);
    for (uint32_t h = 0; h < b->handlers.n; h++) {
        const struct handler *row = &b->handlers.at[h];
        const struct summary_case *c;
        if (row->cls != cls || row->msg != msg)
            continue;
        struct who who = {actor, cls, backward_is_initial(b, actor)};
        for (uint32_t i = 0; (c = backward_case(b, h, i)); i++) {
            struct summary_case copy = *c;
            struct step_plan p = {.handler = h, .c = &copy};
            if (copy.heap || expand_repeated(b, h, i, 0))
                continue;
            expand_plan(x, who, p, FILLER);
        }
    }
}
