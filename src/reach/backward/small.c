// TAP without its first heuristic: the transitions of a handler one by one, and
// those of other actors between them.  A node may have several handlers that
// are half walked through; the statements of one are in order, those of
// different actors are not.
#include "reach/backward/expand.h"

static void next_effect(struct expanding *x, uint32_t opened, uint32_t request,
                        double penalty)
{
    struct node *n = node_copy(x->b, x->n);
    struct step_plan p = {0};
    enum prepended how = node_effect(x->b, n, opened, request, &p);
    if (how == PREPENDED)
        backward_push(x->b, n, penalty);
    else
        node_free(n);
    if (p.blocked_by)
        expand_fill(x, p.blocked_by, p.blocked_msg);
}

// Messaging Event Matching-Internal, or the event stays unmatched.
static void match(struct expanding *x, uint32_t opened)
{
    const struct opened *o = &x->n->opened.at[opened];
    struct choosing g = {.x = x,
                         .c = &o->of->c,
                         .of = o->of,
                         .segment = o->segment,
                         .actor = o->of->actor};
    for (uint32_t i = 0; i < x->n->requests.n; i++)
        if (expand_fits(&g, o->left - 1, &x->n->requests.at[i]))
            next_effect(x, opened, i, 0);
    next_effect(x, opened, IR_NOTHING, MISSED);
}

// Actor Entry, and Messaging Event Matching-External.
static void enter(struct expanding *x, uint32_t opened, bool outside)
{
    struct node *n = node_copy(x->b, x->n);
    enum prepended how = NOT_POSSIBLE;
    if (!expand_too_long(x, n, outside))
        how = node_end(x->b, n, opened, outside);
    if (how == PREPENDED &&
        backward_needs(x->b, n) > x->b->bounds.messages + 1e-6) {
        x->b->figures.cut |= CUT_MESSAGES;
        how = NOT_POSSIBLE;
    }
    if (how == PREPENDED)
        backward_push(x->b, n, 0);
    else
        node_free(n);
}

void expand_opened(struct expanding *x)
{
    for (uint32_t i = 0; i < x->n->opened.n; i++) {
        const struct opened *o = &x->n->opened.at[i];
        struct summary_effects all = case_effects(&o->of->c, o->segment);
        uint32_t first = (uint32_t)(all.at - o->of->c.path->effects);
        struct who who = {o->of->actor, expand_class(x->n, o->of->actor),
                          backward_is_initial(x->b, o->of->actor)};
        if (o->left > first) {
            match(x, i);
            continue;
        }
        if (o->segment > 0) {
            enter(x, i, false);
            continue;
        }
        if (!o->of->asked && expand_outside(x->b, who, o->of->msg))
            enter(x, i, true);
        if (o->of->asked || expand_inside(x->b, who, o->of->msg))
            enter(x, i, false);
    }
}
