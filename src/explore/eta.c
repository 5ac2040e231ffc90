// The reduction of the Eta paper, section 5: evil ancestors, good siblings.
//
// Each execution is looked at from its end.  An evil ancestor of a step is an
// earlier one that neither happened before it nor is independent of it: both
// change the queue of a common actor.  A step changes the queues it sends to
// and, by taking from it, its own; the paper's definition 5.4 leaves the own
// queue out, but then one execution were enough for PingPong, and table 2 has
// the 1,024 and 32,768 that come out this way.  At the nearest evil ancestor a
// good sibling is marked: a choice there that is the step's message or
// happened before it.  One that is marked already is preferred.  Marked
// choices are taken in later executions, the others never.
//
// The other rows of table 2 do not come out, whatever the order of siblings:
// the paper's programs are known by their numbers of schedules only.
//
// The paper knows only `mailbox`.  Where an actor may take messages in another
// order than they were sent, a step is also evil to a later one of its actor
// whose message could have overtaken.  A pending timer is taken wherever its
// actor takes a step, and hides no evil ancestor before it.
#include "explore/search.h"

#include "explore/estimate.h"
#include "explore/eta_siblings.h"

// A node of the path: its index is the number of steps made to get there.
struct node {
    struct siblings siblings;
    uint32_t picks; // height of the world's
};

struct eta {
    struct search *search;
    struct world world;
    struct order order;
    VEC(struct node) nodes; // those behind n are kept for reuse
    uint32_t n;
    VEC(struct siblings *) path; // scratch
    choices scratch;
    struct estimate estimate;
    struct schedule schedule;
};

// ---- the search -----------------------------------------------------------

static void execution_ends(struct eta *x)
{
    vec_clear(&x->path);
    for (uint32_t i = 0; i < x->world.trail.n; i++)
        vec_push(&x->path, &x->nodes.at[i].siblings);
    siblings_look_back(&x->world, &x->order, x->path.at);
    estimate_leaf(&x->estimate);
}

static void ending(struct eta *x)
{
    if (x->search->invariants) {
        world_schedule(&x->world, &x->schedule);
        search_check_cuts(x->search, &x->schedule);
    }
    search_ending(x->search, &x->world);
    execution_ends(x);
}

static struct node *fresh_node(struct eta *x)
{
    if (x->n == x->nodes.n)
        vec_push(&x->nodes, ((struct node){0}));
    struct node *n = &x->nodes.at[x->n++];
    vec_clear(&n->siblings.list);
    n->picks = x->world.picks.n;
    return n;
}

static void enter(struct eta *x)
{
    struct node *n = fresh_node(x);
    vec_clear(&x->scratch);
    world_choices(&x->world, &x->scratch);
    bool too_long = x->world.trail.n > x->search->steps;
    if (!x->scratch.n) {
        ending(x);
    } else if (too_long) {
        search_give_up(x->search, &x->world);
        execution_ends(x);
    }
    uint32_t k = too_long ? 0 : x->scratch.n;
    for (uint32_t i = 0; i < k; i++)
        vec_push(&n->siblings.list,
                 ((struct child){x->scratch.at[i], UNMARKED}));
    if (x->world.body & EFFECT_BODY_ONE)
        siblings_mark_all(&n->siblings);
    else if (k && x->search->options->order == ORDER_RANDOM)
        siblings_mark(&n->siblings,
                      &n->siblings.list.at[rng_below(&x->search->rng, k)]);
    else if (k)
        siblings_mark(&n->siblings, &n->siblings.list.at[0]);
    estimate_enter(&x->estimate, k);
}

static void leave(struct eta *x)
{
    x->world.picks.n = x->nodes.at[x->n - 1].picks;
    x->n--;
    estimate_leave(&x->estimate);
    if (!x->n)
        return;
    order_pop(&x->order);
    world_undo(&x->world);
}

// The run asks for choose(n): one child becomes n, all to be taken.
static void widen(struct eta *x, const struct choice *c, uint16_t k)
{
    struct node *n = &x->nodes.at[x->n - 1];
    for (uint16_t i = 0; i < k; i++)
        vec_push(&n->siblings.list,
                 ((struct child){world_pick(&x->world, c, i), MARKED}));
    vec_last(&x->estimate.path).children += k - 1;
}

static void take(struct eta *x, struct choice c)
{
    const struct effect *e = world_do(&x->world, &c);
    if (e->flags & EFFECT_PICK) {
        widen(x, &c, e->pick);
        return;
    }
    order_push(&x->order, &x->world);
    if (e->flags & EFFECT_SHARED && c.flight != CHOICE_BODY)
        search_refuse(x->search, REFUSAL_SHARED);
    search_effect(x->search, &x->world, e, false);
    enter(x);
}

static void step(struct eta *x)
{
    struct node *n = &x->nodes.at[x->n - 1];
    uint32_t i = 0, planned = 0;
    for (uint32_t k = 0; k < n->siblings.list.n; k++)
        planned += n->siblings.list.at[k].mark != UNMARKED;
    vec_last(&x->estimate.path).planned = planned;
    while (i < n->siblings.list.n && n->siblings.list.at[i].mark != MARKED)
        i++;
    if (i == n->siblings.list.n) {
        leave(x);
        return;
    }
    n->siblings.list.at[i].mark = TAKEN;
    take(x, n->siblings.list.at[i].choice);
}

static void guess(void *self, struct explore_result *r)
{
    struct eta *x = self;
    r->estimate = estimate_size(&x->estimate);
    r->progress = estimate_done(&x->estimate);
}

static void release(struct eta *x)
{
    for (uint32_t i = 0; i < x->nodes.n; i++)
        vec_free(&x->nodes.at[i].siblings.list);
    vec_free(&x->nodes);
    vec_free(&x->path);
    vec_free(&x->scratch);
    world_release(&x->world);
    order_release(&x->order);
    estimate_free(&x->estimate);
    schedule_free(&x->schedule);
}

void explore_eta(struct search *s)
{
    struct eta x = {.search = s};
    world_init(&x.world, s->play, s->options->delivery);
    order_init(&x.order, false);
    s->estimate = guess;
    s->estimate_self = &x;
    enter(&x);
    while (x.n && !s->over)
        step(&x);
    guess(&x, s->result);
    s->estimate = NULL;
    release(&x);
}
