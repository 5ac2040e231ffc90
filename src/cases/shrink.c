// Shorter schedules with the same bug, and of equally short ones an orderly
// one.
//
// Shrinking leaves out receives, many at a time, then fewer, from the end, and
// keeps what still shows the bug: a message whose sender's step is gone is
// skipped.  Then depth first searches with growing depth (Korf, 1985) look for
// the shortest schedule of all; states met before at the same depth are left.
// A search that cannot come near the length at hand in the time left is not
// begun.  At last receives are moved as long as fewer messages overtake others:
// what is still out of order is needed.
#include "cases/replay.h"

#include "base/hash.h"
#include "explore/follow.h"

#include <string.h>
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
        follow_alike(&x->follow, s, x->plan.at[i]);
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

// Leave out `n` steps from `from` on.
static void plan_without(struct shrink *x, uint32_t from, uint32_t n)
{
    vec_clear(&x->plan);
    for (uint32_t i = 0; i < x->best.steps.n; i++)
        if (i < from || i - from >= n)
            vec_push(&x->plan, i);
}

// From the end on, try to leave out each `size` neighbouring steps.  The first
// step is the test body's and stays.
static bool leave_out(struct shrink *x, uint32_t size)
{
    bool any = false;
    uint32_t end = x->best.steps.n;
    while (end > 1 && now() < x->until) {
        uint32_t from = end > size ? end - size : 1;
        plan_without(x, from, end - from);
        try_plan(x, &x->best);
        any |= keep_if_shorter(x);
        end = from < x->best.steps.n ? from : x->best.steps.n;
    }
    return any;
}

static void leave_out_all(struct shrink *x)
{
    for (uint32_t size = x->best.steps.n / 2; size > 1; size /= 2)
        leave_out(x, size);
    while (leave_out(x, 1) && now() < x->until)
        continue;
}

// ---- the shortest ---------------------------------------------------------

struct level {
    uint32_t first, next, picks; // choices; height of the world's picks
};

typedef VEC(struct level) levels;

static bool new_here(struct shrink *x)
{
    struct world *w = &x->follow.world;
    return hashset_add(&x->seen,
                       hash_join(world_hash(w, false).low, w->trail.n));
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

// Search all schedules of at most `most` steps.  False if time ran out.
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

enum { MEASURED_MS = 10, FAR = 20 };

// Would the searches up to the length at hand take FAR times the time that is
// left?  Each is taken to grow as the last one grew over the one before.
static bool out_of_reach(const struct shrink *x, uint32_t most, double took,
                         double before)
{
    if (took < MEASURED_MS * 1e-3 || before <= 0)
        return false;
    double growth = took / before, whole = took, left = x->until - now();
    for (uint32_t i = most + 1; i < x->best.steps.n && whole < FAR * left; i++)
        whole *= growth;
    return growth > 1 && whole >= FAR * left;
}

static void search_shortest(struct shrink *x)
{
    double before = 0;
    for (uint32_t most = 1; most < x->best.steps.n; most++) {
        double start = now();
        if (!search_depth(x, most) && !x->found)
            return;
        if (x->found) {
            keep_if_shorter(x);
            return;
        }
        double took = now() - start;
        if (out_of_reach(x, most, took, before))
            return;
        before = took;
    }
}

// ---- in order -------------------------------------------------------------

// Was the message of a sent before that of b?  Timers are not sent.
static bool sent_before(const struct step *a, const struct step *b)
{
    if (a->source == PLAY_NONE || b->source == PLAY_NONE)
        return false;
    return a->source != b->source ? a->source < b->source : a->nth < b->nth;
}

struct disorder {
    uint64_t overtaken; // pairs of messages to one actor
    uint64_t pairs;     // of any messages
};

static struct disorder disorder_of(const struct schedule *s)
{
    struct disorder d = {0};
    for (uint32_t i = 1; i < s->steps.n; i++)
        for (uint32_t j = i + 1; j < s->steps.n; j++)
            if (sent_before(&s->steps.at[j], &s->steps.at[i])) {
                d.pairs++;
                d.overtaken += s->steps.at[i].actor == s->steps.at[j].actor;
            }
    return d;
}

static bool less(struct disorder a, struct disorder b)
{
    return a.overtaken != b.overtaken ? a.overtaken < b.overtaken
                                      : a.pairs < b.pairs;
}

// Put step `from` where step `to` is.
static void plan_moved(struct shrink *x, uint32_t from, uint32_t to)
{
    plan_without(x, 0, 0);
    uint32_t *at = x->plan.at;
    if (to < from)
        memmove(at + to + 1, at + to, (from - to) * sizeof *at);
    else
        memmove(at + from, at + from + 1, (to - from) * sizeof *at);
    at[to] = from;
}

// Keep it if it still fails, and is shorter or more in order.
static bool try_moved(struct shrink *x, uint32_t from, uint32_t to,
                      struct disorder *d)
{
    plan_moved(x, from, to);
    try_plan(x, &x->best);
    if (!x->found || x->shown.steps.n > x->best.steps.n)
        return false;
    struct disorder with = disorder_of(&x->shown);
    if (x->shown.steps.n == x->best.steps.n && !less(with, *d))
        return false;
    schedule_copy(&x->best, &x->shown);
    *d = with;
    return true;
}

// Move what step i received behind what was sent before it, or that before it:
// to one actor, or neighbours.
static bool tidy_at(struct shrink *x, uint32_t i, struct disorder *d)
{
    for (uint32_t j = i + 1; j < x->best.steps.n && now() < x->until; j++) {
        const struct step *a = &x->best.steps.at[i], *b = &x->best.steps.at[j];
        if (sent_before(b, a) && (a->actor == b->actor || j == i + 1) &&
            (try_moved(x, j, i, d) || try_moved(x, i, j, d)))
            return true;
    }
    return false;
}

static bool tidy_once(struct shrink *x, struct disorder *d)
{
    bool any = false;
    for (uint32_t i = 1; i + 1 < x->best.steps.n && now() < x->until; i++)
        any |= tidy_at(x, i, d);
    return any;
}

enum { TIDY_MOST = 400 }; // steps; disorder is looked for in all pairs

static void tidy(struct shrink *x)
{
    if (x->best.steps.n > TIDY_MOST)
        return;
    struct disorder d = disorder_of(&x->best);
    while (d.pairs && now() < x->until && tidy_once(x, &d))
        continue;
}

static void release(struct shrink *x)
{
    follow_release(&x->follow);
    schedule_free(&x->shown);
    schedule_free(&x->best);
    hashset_free(&x->seen);
    vec_free(&x->plan);
}

#define TIDY_SHARE 0.2 // of the time, besides

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
    plan_without(&x, 0, 0);
    try_plan(&x, s);
    keep_if_shorter(&x);
    leave_out_all(&x);
    search_shortest(&x);
    x.until = now() + seconds * TIDY_SHARE;
    tidy(&x);
    bool better = x.best.steps.n < s->steps.n ||
                  (x.best.steps.n <= TIDY_MOST &&
                   less(disorder_of(&x.best), disorder_of(s)));
    if (better)
        schedule_copy(out, &x.best);
    release(&x);
    return better;
}
