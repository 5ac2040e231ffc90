// Eta's decision tree with the next branch taken anywhere in it: RAND of
// figures 3 and 5.
//
// Each execution begins with a branch drawn from all that are open, and goes
// on at random.  The tree is kept in memory, but for the parts that are wholly
// explored: unlike all other strategies, space grows with the executions made,
// as the paper says.  In return the estimate soon is steady.
//
// A node where the run asks for choose(n) is a node with n children and no
// step of its own.
#include "explore/search.h"

#include "explore/eta_siblings.h"

#define CLOSED 0xfffffffeu // instead of a child's node: wholly explored

struct tree_node {
    uint32_t parent, place; // it is this child of its parent
    struct siblings siblings;
    VEC(uint32_t) nodes; // of the children; PLAY_NONE: not visited
    bool picking;        // children are answers to choose()
    uint32_t open;       // children marked and not closed
    uint32_t visited;
    double sum;  // sizes of the visited children
    double size; // estimated, as the parent knows it; < 0: not yet
};

struct branch {
    uint32_t node, place;
};

struct eta_random {
    struct search *search;
    bool reduce;
    struct world world;
    struct order order;
    VEC(struct tree_node) nodes;
    VEC(uint32_t) unused;            // nodes that were closed
    VEC(struct branch) branches;     // open
    VEC(uint32_t) way;               // children from the root to the branch
    VEC(struct siblings *) taken_at; // by step
    VEC(uint32_t) taken_node;        // by step
    choices scratch;
    struct schedule schedule;
};

// ---- nodes ----------------------------------------------------------------

static uint32_t node_new(struct eta_random *x, uint32_t parent, uint32_t place)
{
    uint32_t i = x->nodes.n;
    if (x->unused.n)
        i = vec_pop(&x->unused);
    else
        vec_push(&x->nodes, ((struct tree_node){0}));
    x->nodes.at[i] =
        (struct tree_node){.parent = parent, .place = place, .size = -1};
    return i;
}

static void node_add(struct tree_node *n, struct choice c, enum mark mark)
{
    vec_push(&n->siblings.list, ((struct child){c, mark}));
    vec_push(&n->nodes, PLAY_NONE);
}

static void node_drop(struct eta_random *x, uint32_t i)
{
    vec_free(&x->nodes.at[i].siblings.list);
    vec_free(&x->nodes.at[i].nodes);
    vec_push(&x->unused, i);
}

// Put newly marked children among the open branches.
static void open_marked(struct eta_random *x, uint32_t i)
{
    struct tree_node *n = &x->nodes.at[i];
    for (uint32_t k = 0; k < n->siblings.list.n; k++) {
        if (n->siblings.list.at[k].mark != MARKED)
            continue;
        n->siblings.list.at[k].mark = TAKEN;
        n->open++;
        vec_push(&x->branches, ((struct branch){i, k}));
    }
}

// All of this node is explored; so may be its parent.
static void close_up(struct eta_random *x, uint32_t i)
{
    while (x->nodes.at[i].open == 0) {
        uint32_t parent = x->nodes.at[i].parent, place = x->nodes.at[i].place;
        if (parent == PLAY_NONE)
            return;
        x->nodes.at[parent].nodes.at[place] = CLOSED;
        x->nodes.at[parent].open--;
        node_drop(x, i);
        i = parent;
    }
}

// ---- sizes ----------------------------------------------------------------

// A child of node i was `before` large, if at all, and is `now`.
static void resize(struct eta_random *x, uint32_t i, double before, double now)
{
    while (i != PLAY_NONE) {
        struct tree_node *n = &x->nodes.at[i];
        n->sum += now - (before > 0 ? before : 0);
        n->visited += before <= 0;
        before = n->size;
        now = n->size = n->sum / n->visited * n->siblings.list.n;
        i = n->parent;
    }
}

static void guess(void *self, struct explore_result *r)
{
    struct eta_random *x = self;
    r->estimate = x->nodes.n ? x->nodes.at[0].size : -1;
    r->progress = r->estimate > 0 ? (double)r->executions / r->estimate : -1;
    if (r->progress > 1 || (x->nodes.n && !x->branches.n))
        r->progress = 1;
}

// ---- one execution --------------------------------------------------------

// The children of the node for the world as it is.
static void fill_node(struct eta_random *x, uint32_t i)
{
    struct tree_node *n = &x->nodes.at[i];
    bool all = !x->reduce || x->world.body & EFFECT_BODY_ONE;
    vec_clear(&x->scratch);
    if (x->world.trail.n > x->search->steps)
        return;
    world_choices(&x->world, &x->scratch);
    for (uint32_t k = 0; k < x->scratch.n; k++)
        node_add(n, x->scratch.at[k], UNMARKED);
    if (all)
        siblings_mark_all(&n->siblings);
}

// Where to go from a node without an open branch on the way.
static uint32_t draw_child(struct eta_random *x, uint32_t i)
{
    struct tree_node *n = &x->nodes.at[i];
    uint32_t k = rng_below(&x->search->rng, n->siblings.list.n);
    siblings_mark(&n->siblings, &n->siblings.list.at[k]);
    n->siblings.list.at[k].mark = TAKEN;
    n->open++;
    open_marked(x, i);
    return k;
}

static uint32_t child_node(struct eta_random *x, uint32_t i, uint32_t k,
                           bool *fresh)
{
    *fresh = x->nodes.at[i].nodes.at[k] == PLAY_NONE;
    if (*fresh) {
        uint32_t c = node_new(x, i, k);
        x->nodes.at[i].nodes.at[k] = c;
    }
    return x->nodes.at[i].nodes.at[k];
}

static void fill_picks(struct tree_node *n, uint16_t answers)
{
    n->picking = true;
    for (uint16_t p = 0; p < answers; p++)
        node_add(n, (struct choice){0}, MARKED);
}

static void note_step(struct eta_random *x, uint32_t node,
                      const struct effect *e, bool fresh)
{
    while (x->nodes.at[node].picking)
        node = x->nodes.at[node].parent;
    order_push(&x->order, &x->world);
    vec_push(&x->taken_node, node);
    if (fresh)
        search_effect(x->search, &x->world, e, !x->reduce);
}

// From node i take child k; *c is the choice under way.  The node reached.
static uint32_t go(struct eta_random *x, uint32_t i, uint32_t k,
                   struct choice *c)
{
    bool fresh;
    *c = x->nodes.at[i].picking ? world_pick(&x->world, c, (uint16_t)k)
                                : x->nodes.at[i].siblings.list.at[k].choice;
    uint32_t next = child_node(x, i, k, &fresh);
    const struct effect *e = world_do(&x->world, c);
    if (!(e->flags & EFFECT_PICK))
        note_step(x, i, e, fresh);
    if (fresh && e->flags & EFFECT_PICK)
        fill_picks(&x->nodes.at[next], e->pick);
    else if (fresh)
        fill_node(x, next);
    return next;
}

static void mark_others(struct eta_random *x)
{
    vec_clear(&x->taken_at);
    for (uint32_t i = 0; i < x->taken_node.n; i++)
        vec_push(&x->taken_at, &x->nodes.at[x->taken_node.at[i]].siblings);
    siblings_look_back(&x->world, &x->order, x->taken_at.at);
    for (uint32_t i = 0; i < x->taken_node.n; i++)
        open_marked(x, x->taken_node.at[i]);
}

static void finish(struct eta_random *x, uint32_t leaf)
{
    vec_clear(&x->scratch);
    world_choices(&x->world, &x->scratch);
    if (x->reduce) {
        mark_others(x);
        world_schedule(&x->world, &x->schedule);
        if (!x->scratch.n)
            search_check_cuts(x->search, &x->schedule);
    }
    if (x->scratch.n)
        search_give_up(x->search, &x->world);
    else
        search_ending(x->search, &x->world);
    resize(x, x->nodes.at[leaf].parent, -1, 1);
    close_up(x, leaf);
}

// The way from the root to a branch.
static void find_way(struct eta_random *x, struct branch b)
{
    vec_clear(&x->way);
    for (vec_push(&x->way, b.place); x->nodes.at[b.node].parent != PLAY_NONE;
         b.node = x->nodes.at[b.node].parent)
        vec_push(&x->way, x->nodes.at[b.node].place);
}

static void execution(struct eta_random *x, struct branch b)
{
    uint32_t at = 0;
    struct choice c = {0};
    world_reset(&x->world);
    order_clear(&x->order);
    vec_clear(&x->taken_node);
    find_way(x, b);
    while (x->way.n)
        at = go(x, at, vec_pop(&x->way), &c);
    while (x->nodes.at[at].siblings.list.n && !x->search->over)
        at = go(x, at, draw_child(x, at), &c);
    if (!x->search->over)
        finish(x, at);
}

static void release(struct eta_random *x)
{
    for (uint32_t i = 0; i < x->unused.n; i++)
        x->nodes.at[x->unused.at[i]] = (struct tree_node){0};
    for (uint32_t i = 0; i < x->nodes.n; i++) {
        vec_free(&x->nodes.at[i].siblings.list);
        vec_free(&x->nodes.at[i].nodes);
    }
    vec_free(&x->nodes);
    vec_free(&x->unused);
    vec_free(&x->branches);
    vec_free(&x->way);
    vec_free(&x->taken_at);
    vec_free(&x->taken_node);
    vec_free(&x->scratch);
    world_release(&x->world);
    order_release(&x->order);
    schedule_free(&x->schedule);
}

void explore_scattered(struct search *s, bool reduce)
{
    struct eta_random x = {.search = s, .reduce = reduce};
    world_init(&x.world, s->play, s->options->delivery);
    order_init(&x.order, false);
    s->estimate = guess;
    s->estimate_self = &x;
    uint32_t root = node_new(&x, PLAY_NONE, 0);
    node_add(&x.nodes.at[root], (struct choice){PLAY_ENV, CHOICE_BODY, 0, 0},
             MARKED);
    open_marked(&x, root);
    while (x.branches.n && !s->over) {
        uint32_t i = rng_below(&s->rng, x.branches.n);
        struct branch b = x.branches.at[i];
        x.branches.at[i] = vec_last(&x.branches);
        x.branches.n--;
        execution(&x, b);
    }
    guess(&x, s->result);
    s->estimate = NULL;
    release(&x);
}
