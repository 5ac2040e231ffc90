// Shorter schedules with the same bug, and the pair of receives that decides.
//
// Shrinking leaves out one receive after the other, from the end, and keeps
// what still shows the bug: a message whose sender's step is gone is skipped.
// Then depth first searches with growing depth (Korf, 1985) look for the
// shortest schedule of all; states met before at the same depth are left.
#include "explore/replay.h"

#include "base/hash.h"
#include "explore/follow.h"
#include "explore/order.h"

#include <time.h>

struct shrink {
    struct follow follow;
    uint64_t key; // of the bug
    bool found;
    struct schedule shown; // how, the last time
    struct schedule best;
    double until;
    struct hashset seen;
    VEC(uint32_t) plan; // steps to follow
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct shrink *x = self;
    if (x->found || bug_key(b) != x->key)
        return;
    x->found = true;
    schedule_copy(&x->shown, s);
}

// Follow the plan until the bug shows.
static void try_plan(struct shrink *x, const struct schedule *s)
{
    follow_reset(&x->follow);
    x->found = false;
    for (uint32_t i = 0; i < x->plan.n && !x->found; i++)
        follow_step(&x->follow, s, x->plan.at[i]);
    if (!x->found)
        follow_ended(&x->follow);
}

// ---- leaving out ----------------------------------------------------------

static bool keep_if_shorter(struct shrink *x)
{
    if (!x->found || x->shown.steps.n >= x->best.steps.n)
        return false;
    schedule_copy(&x->best, &x->shown);
    return true;
}

static void plan_without(struct shrink *x, uint32_t left_out)
{
    vec_clear(&x->plan);
    for (uint32_t i = 0; i < x->best.steps.n; i++)
        if (i != left_out)
            vec_push(&x->plan, i);
}

static void leave_out(struct shrink *x)
{
    for (uint32_t i = x->best.steps.n; i-- > 1 && now() < x->until;) {
        if (i >= x->best.steps.n)
            continue;
        plan_without(x, i);
        try_plan(x, &x->best);
        keep_if_shorter(x);
    }
}

// ---- the shortest ---------------------------------------------------------

struct level {
    uint32_t first, next, picks; // choices; height of the world's picks
};

typedef VEC(struct level) levels;

static bool new_here(struct shrink *x)
{
    struct world *w = &x->follow.world;
    return hashset_add(&x->seen, hash_join(world_hash(w, false), w->trail.n));
}

static void go_down(struct shrink *x, levels *path, choices *open,
                    uint32_t most)
{
    struct world *w = &x->follow.world;
    struct level l = {open->n, open->n, w->picks.n};
    if (new_here(x))
        world_choices(w, open);
    if (open->n == l.first)
        follow_ended(&x->follow);
    else if (w->trail.n >= most)
        open->n = l.first;
    vec_push(path, l);
}

static void go_on(struct shrink *x, levels *path, choices *open, uint32_t most)
{
    struct world *w = &x->follow.world;
    struct level *l = &vec_last(path);
    if (l->next == open->n) {
        open->n = l->first;
        w->picks.n = l->picks;
        path->n--;
        if (path->n)
            world_undo(w);
        return;
    }
    struct choice c = open->at[l->next++];
    const struct effect *e = world_do(w, &c);
    if (e->flags & EFFECT_PICK) {
        for (uint16_t i = 0; i < e->pick; i++)
            vec_push(open, world_pick(w, &c, i));
        return;
    }
    search_effect(&x->follow.search, w, e, true);
    go_down(x, path, open, most);
}

// All schedules of at most so many steps.  False if time ran out.
static bool search_depth(struct shrink *x, uint32_t most)
{
    levels path = {0};
    choices open = {0};
    uint32_t turns = 0;
    bool time_left = true;
    follow_reset(&x->follow);
    hashset_free(&x->seen);
    x->found = false;
    go_down(x, &path, &open, most);
    while (path.n && !x->found && time_left) {
        go_on(x, &path, &open, most);
        if ((++turns & 1023) == 0)
            time_left = now() < x->until;
    }
    vec_free(&path);
    vec_free(&open);
    return time_left;
}

static void search_shortest(struct shrink *x)
{
    for (uint32_t most = 1; most < x->best.steps.n; most++) {
        if (!search_depth(x, most) && !x->found)
            return;
        if (x->found) {
            keep_if_shorter(x);
            return;
        }
    }
}

static void release(struct shrink *x)
{
    follow_release(&x->follow);
    schedule_free(&x->shown);
    schedule_free(&x->best);
    hashset_free(&x->seen);
    vec_free(&x->plan);
}

bool schedule_shrink(struct play *p, enum delivery d, const struct schedule *s,
                     const struct bug *bug, double seconds,
                     struct schedule *out)
{
    struct shrink x = {.key = bug_key(bug), .until = now() + seconds};
    struct explore_sink sink = {.self = &x, .bug = on_bug};
    follow_init(&x.follow, p, d, &sink);
    schedule_copy(&x.best, s);
    plan_without(&x, PLAY_NONE);
    try_plan(&x, s);
    keep_if_shorter(&x);
    leave_out(&x);
    search_shortest(&x);
    bool shorter = x.best.steps.n < s->steps.n;
    if (shorter)
        schedule_copy(out, &x.best);
    release(&x);
    return shorter;
}

// ---- the race -------------------------------------------------------------

// The failing run, for reference.
struct failing {
    const struct schedule *all; // and, at its end, the message to come earlier
    const struct world *world;
    const struct order *order;
    uint32_t *step_of; // by flight: the step that received it, or PLAY_NONE
};

// Must step k be done for step j to be done?
static bool needed(const struct failing *f, uint32_t k, uint32_t j)
{
    return k == j || (k < j && order_before(f->order, k, j));
}

// Plan: as before up to `from`, then what step j needs and j, then the
// message `early` before step `late`, then the rest.  False if j needs `from`.
static bool plan_swap(struct shrink *x, const struct failing *f, uint32_t from,
                      uint32_t j, uint32_t early, uint32_t late)
{
    uint32_t n = f->world->trail.n;
    vec_clear(&x->plan);
    if (j >= from && needed(f, from, j))
        return false;
    for (uint32_t i = 0; i < from; i++)
        vec_push(&x->plan, i);
    for (uint32_t i = from; i < n && i <= j; i++)
        if (needed(f, i, j))
            vec_push(&x->plan, i);
    for (uint32_t i = from; i < n; i++) {
        if (i == late)
            vec_push(&x->plan, early);
        if (i != early && !(i <= j && needed(f, i, j)))
            vec_push(&x->plan, i);
    }
    return true;
}

// Receive flight m before what step i received.  In `mailbox` it must be sent
// before it, too.
static bool try_swap(struct shrink *x, struct failing *f,
                     struct schedule *with_early, uint32_t i, uint32_t m)
{
    const struct world *w = f->world;
    const struct flight *early = &w->flights.at[m];
    const struct flight *late = &w->flights.at[w->trail.at[i].flight];
    uint32_t step = f->step_of[m], from = i;
    schedule_copy(with_early, f->all);
    if (step == PLAY_NONE) {
        step = with_early->steps.n;
        schedule_add(with_early,
                     (struct step){.actor = early->to,
                                   .msg = early->msg,
                                   .sender = early->sender,
                                   .source = early->source,
                                   .nth = early->nth},
                     NULL);
    }
    if (w->delivery == DELIVERY_MAILBOX)
        from = late->source;
    if (early->source == late->source ||
        !plan_swap(x, f, from, early->source, step, i))
        return false;
    try_plan(x, with_early);
    if (!x->found)
        follow_rest(&x->follow);
    const struct world *v = &x->follow.world;
    return !x->found && v->trail.n <= x->follow.search.steps;
}

static bool may_swap(const struct world *w, uint32_t late, uint32_t early)
{
    if (w->delivery == DELIVERY_PAIR)
        return w->flights.at[late].sender != w->flights.at[early].sender;
    if (w->delivery == DELIVERY_CAUSAL)
        return !world_before(w, late, early);
    return true;
}

static bool swap_at(struct shrink *x, struct failing *f, uint32_t i,
                    struct race *race)
{
    const struct world *w = f->world;
    struct schedule with_early = {0};
    uint32_t late = w->trail.at[i].flight;
    bool passes = false;
    for (uint32_t m = 0; m < w->flights.n && !passes; m++) {
        if (w->flights.at[m].to != w->trail.at[i].actor || m == late ||
            (f->step_of[m] != PLAY_NONE && f->step_of[m] < i) ||
            !may_swap(w, late, m) || !try_swap(x, f, &with_early, i, m))
            continue;
        passes = true;
        *race = (struct race){.first = i,
                              .second = f->step_of[m],
                              .source = w->flights.at[m].source,
                              .nth = w->flights.at[m].nth};
        world_schedule(&x->follow.world, &race->passes);
    }
    schedule_free(&with_early);
    return passes;
}

static bool find_race(struct shrink *x, struct failing *f, struct race *race)
{
    const struct world *w = f->world;
    uint32_t last = vec_last(&w->trail).actor;
    for (int others = 0; others < 2; others++)
        for (uint32_t i = w->trail.n; i-- > 1;)
            if ((w->trail.at[i].actor != last) == others &&
                w->trail.at[i].flight < CHOICE_TIMER && swap_at(x, f, i, race))
                return true;
    return false;
}

// Walk the failing schedule once more and note its order.
static bool walk(struct follow *f, struct order *o, const struct schedule *s)
{
    for (uint32_t i = 0; i < s->steps.n; i++) {
        if (!follow_step(f, s, i))
            return false;
        order_push(o, &f->world);
    }
    return true;
}

bool schedule_race(struct play *p, enum delivery d, const struct schedule *s,
                   const struct bug *bug, struct race *race)
{
    static const struct explore_sink deaf;
    struct shrink x = {.key = bug_key(bug)};
    struct explore_sink sink = {.self = &x, .bug = on_bug};
    struct follow base;
    struct order order;
    VEC(uint32_t) step_of = {0};
    follow_init(&base, p, d, &deaf);
    follow_init(&x.follow, p, d, &sink);
    order_init(&order, d == DELIVERY_MAILBOX);
    bool found = walk(&base, &order, s);
    for (uint32_t i = 0; i < base.world.flights.n; i++)
        vec_push(&step_of, PLAY_NONE);
    for (uint32_t i = 0; i < base.world.trail.n; i++)
        if (base.world.trail.at[i].flight < CHOICE_TIMER)
            step_of.at[base.world.trail.at[i].flight] = i;
    struct failing f = {s, &base.world, &order, step_of.at};
    found = found && find_race(&x, &f, race);
    vec_free(&step_of);
    order_release(&order);
    follow_release(&base);
    release(&x);
    return found;
}
