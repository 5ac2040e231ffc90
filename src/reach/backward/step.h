// A step that is being put in front of a path, as the files of the step share
// it: prepend.c has the state before it, effects.c what it sends and makes.
#ifndef REACH_BACKWARD_STEP_H
#define REACH_BACKWARD_STEP_H

#include "reach/backward/backward.h"

struct stepping {
    struct backward *b;
    struct node *n;
    struct step_plan *p;
    const struct summary_case *c;
    const struct sx_segment *segment;
    struct instance *of;
    uint32_t actor;
    uint32_t position;
    struct term_subst *news;  // numbers of actors that the step makes
    struct term_subst *olds;  // the node's variables, as of before the step
    VEC(struct demand) fresh; // cells that pass through the step
    VEC(term) later;          // conditions of the time after it
    bool bound[64];           // requests that the step fulfils
    bool shared;              // other nodes have the same instance
};

// A term of the case, as it is before the step.
static inline term step_before(const struct stepping *s, term t)
{
    return t ? term_subst(s->news, instance_term(s->of, t)) : t;
}

static inline term step_reference(const struct stepping *s, uint32_t actor)
{
    return term_const(s->b->ts, 64, actor);
}

static inline void step_require(struct stepping *s, term condition)
{
    vec_push(&s->n->conditions, condition);
}

// The binding of an effect; NULL: it has none.
const struct binding *step_binding(const struct stepping *s, uint32_t effect);

// One effect of the segment, which is bound as the plan says.
enum prepended step_effect(struct stepping *s, uint32_t effect);
// All effects, the last one first.
enum prepended step_effects(struct stepping *s);
// The effect of an activation that made the future a segment waits for.
uint32_t step_ask(const struct instance *i, uint32_t wait);

#endif
