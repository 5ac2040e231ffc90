// How large the tree is, and how much of it is done.
//
// Both count the children of the nodes on one path, each at its own graph:
// nothing is kept up to date while the search runs.
#include "explore/optimal/optimal_inner.h"

#include "base/rng.h"

#define LEAST 1e-12 // a part of the tree that does not matter
enum { MOST_COST = 1000000 };

double optimal_progress(struct optimal *o)
{
    struct path *p = &o->path;
    double done = 0, weight = 1;
    uint64_t cost = 0;
    path_back(p, 0);
    for (uint32_t i = 0; i < p->nodes.n; i++) {
        struct node *f = &p->nodes.at[i];
        uint32_t before = 0, n = 1;
        bool counts = f->begun && !f->fixed && weight > LEAST;
        cost += counts ? node_cost(p, f) : 0;
        if (counts && cost < MOST_COST)
            n = node_count(p, f, &before);
        if (f->closed)
            n = before + 1;
        done += weight * before / n;
        weight /= n ? n : 1;
        path_step_again(p, i);
    }
    return cost >= MOST_COST ? -1 : p->nodes.n ? done : 1;
}

enum { LOOK_AFTER = 16 }; // nodes: a node may have many children

// One random descent; the product of the numbers of children.
static double descend(struct search *s, struct path *p, struct rng *rng)
{
    double product = 1;
    while (!s->over && path_push(p)) {
        struct node *f = &vec_last(&p->nodes);
        uint32_t n = node_count(p, f, NULL);
        product *= n;
        for (uint32_t i = rng_below(rng, n) + 1; i-- > 0;)
            node_next(p, f);
        node_apply(p, f);
        if (p->graph.receives >= s->steps)
            break;
        if (p->nodes.n % LOOK_AFTER == 0)
            search_look(s);
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
    uint32_t n = 0;
    bool alone = false;
    path_begin(&p, s->play, s->options->delivery);
    while (n < samples && !s->over && !alone) {
        double product = descend(s, &p, &rng);
        sum += s->over ? 0 : product; // of a descent that was cut short nothing
        n += !s->over;
        alone = steps_alone(&p.graph);
        path_back(&p, 0);
        while (p.nodes.n)
            path_pop(&p);
        if (play_full(s->play))
            graph_forget(&p.graph);
    }
    path_end(&p);
    return n && !alone ? sum / n : -1;
}
