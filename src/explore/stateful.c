// Every global state once: depth first search that turns back at states seen.
//
// States are known by 64-bit hashes.  Strongly connected components (Tarjan,
// 1972) are found on the way; one with a cycle in it is an endless schedule if
// it can be walked for ever in a fair way (fairness.h).
//
// A component is complete when the search is back at its first state, so the
// world stands there; it is then walked once more, inside the component only.
#include "explore/search.h"

#include "base/die.h"
#include "explore/endless.h"
#include "explore/fairness.h"

#include <stdlib.h>

enum { DONE = 0x7fffffff }; // low of a state whose component is complete

struct seen {
    uint64_t hash; // 0: free
    uint32_t index, low;
};

struct frame {
    uint32_t first, next; // of its choices
    uint32_t picks;       // height of the world's
    uint32_t seen;        // index in `order`
    uint32_t low;
    bool cyclic; // an edge of its component was met
};

struct stateful {
    struct search *search;
    struct world world;
    choices choices;
    VEC(struct frame) frames;
    struct seen *table;
    uint64_t mask, n, cap;
    uint32_t next_index;
    VEC(uint64_t)
    open; // states of components not complete, in order of discovery
    // of the walk through one component
    uint64_t root;
    struct hashset members, walked;
    struct fairness fairness;
    struct schedule witness;
};

// ---- the table of states --------------------------------------------------

static struct seen *find(const struct stateful *x, uint64_t hash)
{
    for (uint64_t i = hash * 0x9e3779b97f4a7c15u >> 20;; i++) {
        struct seen *s = &x->table[i & x->mask];
        if (!s->hash || s->hash == hash)
            return s;
    }
}

static void grow(struct stateful *x)
{
    struct seen *old = x->table;
    uint64_t size = old ? 2 * (x->mask + 1) : 1024, n = old ? x->mask + 1 : 0;
    x->table = need_zero(size * sizeof *x->table);
    x->mask = size - 1;
    for (uint64_t i = 0; i < n; i++)
        if (old[i].hash)
            *find(x, old[i].hash) = old[i];
    free(old);
}

static uint64_t state_hash(struct stateful *x)
{
    uint64_t h = world_hash(&x->world, false);
    return h ? h : 1;
}

static void add(struct stateful *x, uint64_t hash)
{
    if (!x->table || 3 * x->n > 2 * x->mask)
        grow(x);
    uint32_t i = x->next_index++;
    *find(x, hash) = (struct seen){hash, i, i};
    x->n++;
    x->search->result->states = x->n;
    vec_push(&x->open, hash);
    if (x->n >= x->cap || x->next_index == DONE)
        search_stop(x->search, STOP_MEMORY);
}

// The run asks for choose(n): one choice becomes n.
static void widen(struct stateful *x, const struct choice *c, uint16_t n)
{
    for (uint16_t i = 0; i < n; i++)
        vec_push(&x->choices, world_pick(&x->world, c, i));
}

// ---- fairness of one component --------------------------------------------

// The newest step led to a state of the component.
static void walk_edge(struct stateful *x, uint64_t hash, uint64_t name)
{
    fairness_receive(&x->fairness, name);
    if (hash == x->root && !x->witness.steps.n)
        world_schedule(&x->world, &x->witness);
}

static void walk_enter(struct stateful *x)
{
    struct frame f = {
        .first = x->choices.n, .next = x->choices.n, .picks = x->world.picks.n};
    fairness_state(&x->fairness, &x->world);
    world_choices(&x->world, &x->choices);
    vec_push(&x->frames, f);
}

static void walk_leave(struct stateful *x, uint32_t base)
{
    struct frame f = vec_pop(&x->frames);
    x->choices.n = f.first;
    x->world.picks.n = f.picks;
    if (x->frames.n > base)
        world_undo(&x->world);
}

static void walk_choice(struct stateful *x, const struct choice *c)
{
    uint64_t name = receive_name(&x->world, c);
    const struct effect *e = world_do(&x->world, c);
    if (e->flags & EFFECT_PICK) {
        widen(x, c, e->pick);
        return;
    }
    uint64_t h = state_hash(x);
    bool inside = hashset_has(&x->members, h);
    if (inside)
        walk_edge(x, h, name);
    if (inside && hashset_add(&x->walked, h))
        walk_enter(x);
    else
        world_undo(&x->world);
}

// Visit all states of the component from its first.
static void walk(struct stateful *x)
{
    uint32_t base = x->frames.n;
    walk_enter(x);
    while (x->frames.n > base) {
        struct frame *f = &vec_last(&x->frames);
        if (f->next == x->choices.n) {
            walk_leave(x, base);
        } else {
            struct choice c = x->choices.at[f->next++];
            walk_choice(x, &c);
        }
    }
}

// The states from `open[from]` on are a component; the world is at the first.
static void look_for_cycle(struct stateful *x, uint32_t from)
{
    for (uint32_t i = from; i < x->open.n; i++)
        hashset_add(&x->members, x->open.at[i]);
    x->root = x->open.at[from];
    hashset_add(&x->walked, x->root);
    schedule_clear(&x->witness);
    walk(x);
    if (is_fair(&x->fairness) && x->witness.steps.n)
        endless_tell(x->search, &x->witness,
                     x->witness.steps.n - x->world.trail.n);
    hashset_free(&x->members);
    hashset_free(&x->walked);
    fairness_clear(&x->fairness);
}

// ---- the search -----------------------------------------------------------

static void enter(struct stateful *x, uint64_t hash)
{
    uint32_t index = x->next_index;
    add(x, hash);
    struct frame f = {.first = x->choices.n,
                      .next = x->choices.n,
                      .picks = x->world.picks.n,
                      .seen = x->open.n - 1,
                      .low = index};
    world_choices(&x->world, &x->choices);
    if (x->choices.n == f.first) {
        search_ending(x->search, &x->world);
    } else if (x->world.trail.n > x->search->steps) {
        search_cut_schedule(x->search, NULL);
        x->choices.n = f.first;
    }
    vec_push(&x->frames, f);
}

static void close_component(struct stateful *x, const struct frame *f)
{
    bool many = x->open.n - f->seen > 1;
    if ((many || f->cyclic) && !x->search->over)
        look_for_cycle(x, f->seen);
    while (x->open.n > f->seen)
        find(x, vec_pop(&x->open))->low = DONE;
}

static void leave(struct stateful *x)
{
    struct frame f = vec_last(&x->frames);
    x->choices.n = f.first;
    if (f.low == find(x, x->open.at[f.seen])->index)
        close_component(x, &f);
    x->frames.n--;
    x->world.picks.n = f.picks;
    if (!x->frames.n)
        return;
    struct frame *up = &vec_last(&x->frames);
    if (f.low < up->low)
        up->low = f.low;
    world_undo(&x->world);
}

static void take(struct stateful *x, const struct choice *c)
{
    const struct effect *e = world_do(&x->world, c);
    if (e->flags & EFFECT_PICK) {
        widen(x, c, e->pick);
        return;
    }
    search_effect(x->search, &x->world, e, true);
    uint64_t h = state_hash(x);
    const struct seen *s = find(x, h);
    if (!s->hash) {
        enter(x, h);
        return;
    }
    struct frame *f = &vec_last(&x->frames);
    if (s->low != DONE) {
        f->cyclic = true;
        if (s->index < f->low)
            f->low = s->index;
    }
    world_undo(&x->world);
}

static void release(struct stateful *x)
{
    world_release(&x->world);
    vec_free(&x->choices);
    vec_free(&x->frames);
    vec_free(&x->open);
    fairness_free(&x->fairness);
    schedule_free(&x->witness);
    free(x->table);
}

void explore_stateful(struct search *s)
{
    struct stateful x = {.search = s};
    x.cap = s->options->max_states ? s->options->max_states : 1u << 24;
    world_init(&x.world, s->play, s->options->delivery);
    enter(&x, state_hash(&x));
    while (x.frames.n && !s->over) {
        struct frame *f = &vec_last(&x.frames);
        if (f->next == x.choices.n) {
            leave(&x);
        } else {
            struct choice c = x.choices.at[f->next++];
            take(&x, &c);
        }
    }
    release(&x);
}
