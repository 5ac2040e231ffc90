// The last step: ways of a handler to the target.
#include "reach/backward/expand.h"

static void try_root(struct expanding *x, uint32_t handler,
                     const struct summary_case *c)
{
    struct backward *b = x->b;
    struct must none = {BIND_REQUEST, IR_NOTHING};
    uint32_t cls = b->handlers.at[handler].cls;
    uint32_t last = c->path->n_segments - 1;
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->start.actors.n; k++) {
        const struct start_actor *a = &b->start.actors.at[k];
        if (a->cls != cls || a->stopped || (n >= EXPAND_STRANGERS && !a->name))
            continue;
        if (++n == EXPAND_STRANGERS)
            b->figures.cut |= CUT_ACTORS;
        expand_case(x, (struct who){k + 1, cls, true}, handler, c, last, none,
                    0.01 * n);
    }
    for (uint32_t d = 0; d < b->ir->classes.n; d++)
        if (flow_has(b->flow, d, cls, FLOW_CREATE, IR_NOTHING)) {
            expand_case(x, (struct who){ACTOR_NONE, cls, false}, handler, c,
                        last, none, 0);
            break;
        }
}

bool backward_root(struct backward *b, const struct ir_target *target)
{
    struct node *empty;
    struct expanding x = {b, NULL};
    while (b->root_handler < b->handlers.n) {
        if (!b->root)
            b->root = backward_ways(b, b->root_handler, target);
        const struct summary *s = b->root->from;
        const struct summary_case *c = cases_at(b, b->root, b->root_case);
        if (c) {
            struct summary_case copy = *c;
            x.n = empty = node_new(b);
            b->root_case++;
            try_root(&x, b->root_handler, &copy);
            node_free(empty);
            return true;
        }
        if (!s->done && !s->full)
            return true; // the time is up
        if (s->unsupported) {
            b->figures.cut |= CUT_UNSUPPORTED;
            b->unsupported = s->unsupported;
        }
        if (!summary_complete(s))
            b->figures.cut |= CUT_LOOP;
        b->root_handler++;
        b->root_case = 0;
        b->root = NULL;
    }
    return false;
}
