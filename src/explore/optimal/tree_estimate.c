// How large the tree is (by descents, Knuth 1975), and how much of it is done.
//
// Both count the children of the nodes on one path, each at its own graph:
// nothing is kept up to date while the search runs.
//
// A descent that takes each child with a chance of its own is one in as many as
// the product of one through each; the mean of these products is the size of
// the tree, whatever the chances are.  It comes closer with fewer descents if
// children with more below them are taken more often, so descents learn from
// those before.  With equal chances (Knuth's first way) the products of a ring
// of seven have a standard deviation of 42 times their mean.
#include "explore/optimal/optimal_inner.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"

#include <math.h>

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

// ---- guessing which child is large
// --------------------------------------------

// What descents saw below the children of nodes of one kind, at one depth, with
// the same number of children: the mean of the logarithms of what they found.
struct below {
    double sum;
    uint32_t n;
};

struct step_down {
    uint32_t first, child; // its siblings are first, first + 1, ... in `below`
    double odds;           // the chance of this child is 1 / odds
};

struct guesses {
    struct map index; // of a kind of node: its first child, in `below`
    VEC(struct below) below;
    VEC(struct step_down) down; // of the descent under way
    VEC(double) weight;
};

enum { SLICE = 3 }; // of depths that count as one

static uint32_t children_of(struct guesses *g, const struct node *f,
                            uint32_t depth, uint32_t n)
{
    uint64_t key = hash_join((uint64_t)f->kind << 32 | depth / SLICE, n);
    uint32_t *at = map_at(&g->index, key);
    if (*at == MAP_NONE) {
        *at = g->below.n;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&g->below, ((struct below){0}));
    }
    return *at;
}

// Children under which descents found much get more of them; part of the chance
// is shared equally, since what is not known yet may be larger.
enum { SHRINK = 2 };
#define EQUALLY 0.25

static void weigh(struct guesses *g, uint32_t first, uint32_t n)
{
    double sum = 0, all = 0, most = -1;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += g->below.at[first + i].sum;
        seen += g->below.at[first + i].n;
    }
    double mean = seen ? sum / seen : 0;
    vec_clear(&g->weight);
    for (uint32_t i = 0; i < n; i++) {
        const struct below *b = &g->below.at[first + i];
        vec_push(&g->weight, (b->sum + SHRINK * mean) / (b->n + SHRINK));
        most = vec_last(&g->weight) > most ? vec_last(&g->weight) : most;
    }
    for (uint32_t i = 0; i < n; i++)
        all += g->weight.at[i] = exp(g->weight.at[i] - most);
    for (uint32_t i = 0; i < n; i++)
        g->weight.at[i] = EQUALLY / n + (1 - EQUALLY) * g->weight.at[i] / all;
}

static uint32_t draw(struct guesses *g, struct rng *rng, const struct node *f,
                     uint32_t depth, uint32_t n)
{
    struct step_down s = {.first = children_of(g, f, depth, n)};
    weigh(g, s.first, n);
    double at = rng_unit(rng);
    while (s.child + 1 < n && at >= g->weight.at[s.child])
        at -= g->weight.at[s.child++];
    s.odds = 1 / g->weight.at[s.child];
    vec_push(&g->down, s);
    return s.child;
}

// The descent is over: learn from it.  Returns the product of the odds.
static double learn(struct guesses *g)
{
    double product = 1;
    while (g->down.n) {
        struct step_down s = vec_pop(&g->down);
        struct below *b = &g->below.at[s.first + s.child];
        b->sum += log(product);
        b->n++;
        product *= s.odds;
    }
    return product;
}

static void guesses_free(struct guesses *g)
{
    map_free(&g->index);
    vec_free(&g->below);
    vec_free(&g->down);
    vec_free(&g->weight);
}

// ---- descents
// -------------------------------------------------------------------

// One random descent: in how many is it one?
static double descend(struct search *s, struct path *p, struct guesses *g,
                      struct rng *rng)
{
    while (!s->over && path_push(p)) {
        struct node *f = &vec_last(&p->nodes);
        uint32_t n = node_count(p, f, NULL);
        for (uint32_t i = draw(g, rng, f, p->nodes.n, n) + 1; i-- > 0;)
            node_next(p, f);
        node_apply(p, f);
        if (p->graph.receives >= s->steps)
            break;
        if (p->nodes.n % LOOK_AFTER == 0)
            search_look(s);
    }
    return learn(g);
}

// A test body that goes on after single receives is not explored this way.
static bool steps_alone(const struct graph *g)
{
    return g->body != NO_RUN &&
           run_at(g, g->body)->effect->flags & EFFECT_BODY_ONE;
}

struct spread optimal_estimate(struct search *s, uint32_t samples,
                               uint64_t seed)
{
    struct path p;
    struct rng rng = rng_of(seed);
    struct guesses guesses = {0};
    VEC(double) probes = {0};
    bool alone = false;
    path_begin(&p, s->play, s->options->delivery);
    while (probes.n < samples && !s->over && !alone) {
        double odds = descend(s, &p, &guesses, &rng);
        if (!s->over) // a descent that was cut short says nothing
            vec_push(&probes, odds);
        alone = steps_alone(&p.graph);
        path_back(&p, 0);
        while (p.nodes.n)
            path_pop(&p);
        if (play_full(s->play))
            graph_forget(&p.graph);
    }
    path_end(&p);
    guesses_free(&guesses);
    struct spread found = spread_of(probes.at, alone ? 0 : probes.n);
    vec_free(&probes);
    return found;
}
