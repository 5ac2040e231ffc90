// Every schedule: depth first search over all choices.
//
// Eta, section 3.1, with one difference: instead of running each execution
// from the start, the world goes back to the last open choice.  Memory is one
// path: the choices of its nodes are parts of one stack.
//
// With a delay bound (Emmi, Qadeer, Rakamaric, POPL 2011) the choices of a
// node are in the order of a round robin over the actors, and taking the k-th
// costs k delays.
#include "explore/search.h"

#include "base/die.h"
#include "explore/estimate.h"

#include <stdlib.h>

struct frame {
    uint32_t first, next; // of its choices
    uint32_t picks;       // height of the world's picks
    uint32_t delays;      // used on the way here
};

struct exhaustive {
    struct search *search;
    struct world world;
    choices choices;
    VEC(struct frame) frames;
    struct estimate estimate;
    bool left_out; // by the delay bound
};

static void shuffle(struct exhaustive *x, uint32_t first)
{
    struct choice *c = x->choices.at;
    for (uint32_t i = x->choices.n; i > first + 1; i--) {
        uint32_t j = first + rng_below(&x->search->rng, i - first);
        struct choice t = c[i - 1];
        c[i - 1] = c[j];
        c[j] = t;
    }
}

// Begin with the first actor behind the one that has just run.
static void rotate(struct exhaustive *x, uint32_t first)
{
    uint32_t last = vec_last(&x->world.trail).actor, n = x->choices.n;
    uint32_t from = first;
    while (from < n && x->choices.at[from].actor <= last)
        from++;
    for (uint32_t i = first; i < from; i++) {
        struct choice c = x->choices.at[i];
        vec_push(&x->choices, c);
    }
    for (uint32_t i = first; i < n; i++)
        x->choices.at[i] = x->choices.at[i + (from - first)];
    x->choices.n = n;
}

// A node for the world as it is.  False: the execution ends here.
static bool enter(struct exhaustive *x, uint32_t delays)
{
    const struct explore_options *o = x->search->options;
    struct frame f = {x->choices.n, x->choices.n, x->world.picks.n, delays};
    world_choices(&x->world, &x->choices);
    uint32_t n = x->choices.n - f.first;
    if (!n) {
        search_ending(x->search, &x->world);
    } else if (x->world.trail.n > x->search->steps) {
        search_give_up(x->search, &x->world);
        x->choices.n = f.first;
        n = 0;
    }
    if (!n) {
        if (x->estimate.path.n)
            estimate_leaf(&x->estimate);
        return false;
    }
    if (o->bounded_delays && x->world.trail.n)
        rotate(x, f.first);
    else if (o->order == ORDER_RANDOM)
        shuffle(x, f.first);
    vec_push(&x->frames, f);
    estimate_enter(&x->estimate, n);
    return true;
}

static void leave(struct exhaustive *x)
{
    struct frame f = vec_pop(&x->frames);
    x->choices.n = f.first;
    x->world.picks.n = f.picks;
    estimate_leave(&x->estimate);
    if (x->frames.n)
        world_undo(&x->world);
}

// The run asks for choose(n): one choice becomes n.
static void widen(struct exhaustive *x, const struct choice *c, uint16_t n)
{
    for (uint16_t i = 0; i < n; i++)
        vec_push(&x->choices, world_pick(&x->world, c, i));
    vec_last(&x->estimate.path).children += n - 1;
    vec_last(&x->estimate.path).planned += n - 1;
}

static bool too_late(struct exhaustive *x, uint32_t delays)
{
    const struct explore_options *o = x->search->options;
    if (!o->bounded_delays || delays <= o->delays)
        return false;
    x->left_out = true;
    return true;
}

static void step(struct exhaustive *x)
{
    struct frame *f = &vec_last(&x->frames);
    if (f->next == x->choices.n) {
        leave(x);
        return;
    }
    struct choice c = x->choices.at[f->next];
    uint32_t delays = f->delays;
    if (!c.n_picks)
        delays += f->next - f->first;
    f->next++;
    if (too_late(x, delays))
        return;
    const struct effect *e = world_do(&x->world, &c);
    if (e->flags & EFFECT_PICK) {
        widen(x, &c, e->pick);
        return;
    }
    search_effect(x->search, &x->world, e, true);
    if (x->search->over || !enter(x, delays))
        world_undo(&x->world);
}

static void guess(void *self, struct explore_result *r)
{
    struct exhaustive *x = self;
    r->estimate = estimate_size(&x->estimate);
    r->progress = estimate_done(&x->estimate);
}

static void *begin(struct search *s)
{
    struct exhaustive *x = need_zero(sizeof *x);
    x->search = s;
    world_init(&x->world, s->play, s->options->delivery);
    x->world.guest = s->guest;
    s->estimate = guess;
    s->estimate_self = x;
    enter(x, 0);
    return x;
}

static bool go(void *self)
{
    struct exhaustive *x = self;
    x->world.guest = x->search->guest;
    while (x->frames.n && !search_pauses(x->search))
        step(x);
    if (x->left_out && !x->frames.n)
        search_stop(x->search, STOP_DELAYS);
    return x->frames.n && !x->search->over;
}

static void end(void *self)
{
    struct exhaustive *x = self;
    guess(x, x->search->result);
    x->search->estimate = NULL;
    world_release(&x->world);
    vec_free(&x->choices);
    vec_free(&x->frames);
    estimate_free(&x->estimate);
    free(x);
}

const struct engine engine_exhaustive = {begin, go, end};
