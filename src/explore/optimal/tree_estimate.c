// How large the tree is, and how much of it is done.
//
// Both count the children of the nodes on one path, each at its own graph:
// nothing is kept up to date while the search runs.
#include "explore/optimal/optimal_inner.h"

#include "base/rng.h"

double optimal_progress(struct optimal *o)
{
    struct path *p = &o->path;
    double done = 0, weight = 1;
    path_back(p, 0);
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        struct node *f = &p->nodes.at[i];
        uint32_t before = 0, n = 1;
        if (f->begun && !f->fixed)
            n = node_count(p, f, &before);
        if (f->closed)
            n = before + 1;
        done += weight * before / n;
        weight /= n ? n : 1;
        path_step_again(p, i);
    }
    return p->nodes.n ? done : 1;
}

// One random descent; the product of the numbers of children.
static double descend(struct path *p, struct rng *rng, uint32_t steps)
{
    double product = 1;
    while (path_push(p)) {
        struct node *f = &vec_last(&p->nodes);
        uint32_t n = node_count(p, f, NULL);
        product *= n;
        for (uint32_t i = rng_below(rng, n) + 1; i-- > 0;)
            node_next(p, f);
        node_apply(p, f);
        if (p->graph.receives >= steps)
            break;
    }
    return product;
}

// A test body that goes on after single receives is not explored this way.
static bool steps_alone(const struct graph *g)
{
    return g->body != NO_RUN &&
           run_at(g, g->body)->effect->flags & EFFECT_BODY_ONE;
}

double optimal_estimate(struct search *s, uint32_t samples, uint64_t seed)
{
    struct path p;
    struct rng rng = rng_of(seed);
    double sum = 0;
    path_init(&p, s->play, s->options->delivery);
    for (uint32_t i = 0; i < samples && sum >= 0; i++) {
        sum += descend(&p, &rng, s->steps);
        if (steps_alone(&p.graph))
            sum = -(double)samples;
        path_back(&p, 0);
        while (p.nodes.n)
            path_pop(&p);
        if (play_full(s->play))
            graph_forget(&p.graph);
    }
    path_release(&p);
    return samples ? sum / samples : 0;
}
