// Shorter schedules with the same bug.
//
// Shrinking leaves out one receive after the other, from the end, and keeps
// what still shows the bug: a message whose sender's step is gone is skipped.
// Then depth first searches with growing depth (Korf, 1985) look for the
// shortest schedule of all; states met before at the same depth are left.
#include "cases/replay.h"

#include "base/hash.h"
#include "explore/follow.h"

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
    if (bug->kind == BUG_CYCLE)
        return false; // no single step shows it
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
