// The backward search as an engine of reach.
//
// It works in the process that runs the program: each way that is found is run
// at once, and becomes an input of the pool.  If the run does not confirm the
// way, that is counted, and the search goes on.
#include "reach/backward/engine.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/rng.h"
#include "reach/backward/result.h"
#include "reach/native.h"
#include "reach/reach.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MESSAGES = 8, ACTORS = 8, LOOP = 4, STEPS = 60, LOST_KEPT = 4 };

// Limit on processor time where the search has limits on counts only: queries
// about floats may take long.
#define SECONDS 2.0
#define BUSY 20.0 // processes that share a processor, at most

// What is known of one target, in memory that processes share.
struct answer {
    uint32_t tried; // settings of parameters
    bool ended;
    enum backward_end end;
    struct backward_figures figures;
    struct backward_bounds bounds;
    char unsupported[80];
    uint32_t lost;             // ways that a run did not confirm; of the first
    uint32_t lost_at, lost_of; // one: receives that came, and all of them
};

struct engine {
    struct reach *r;
    const struct reach_turn *turn;
    struct answer *answers; // by target
    struct runner *runner;
    struct backward *b;
    double until; // of the processor's time
    uint32_t target;
    int64_t free; // value of all parameters that are free, 0: their defaults
};

// Values for all free parameters, one in each round.  Small ones make small
// starts: where the default makes a hundred actors, three will do.
static const int64_t values[] = {3, 2, 16, 5, 100};

// Questions end with the share, on a busy machine later; and with the time of
// the search.
static bool is_over(void *user)
{
    struct engine *e = user;
    double left = e->until - native_seconds(e->r), all = reach_left(e->r);
    if (e->r->pool->stop || left <= 0 || all <= 0 ||
        (e->turn->queries && e->b->figures.queries >= e->turn->queries))
        return true;
    if (e->b->solver)
        solver_until(e->b->solver,
                     clock_now() + (BUSY * left < all ? BUSY * left : all));
    return false;
}

static bool is_free(const struct reach *r, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = r->o.any; s && *s; s += strcspn(s, " ")) {
        s += strspn(s, " ");
        if (strncmp(s, name, n) == 0 && (!s[n] || s[n] == ' '))
            return true;
    }
    return !r->o.any;
}

// Those that the user gave are not taken from an input.
static void set_params(const struct engine *e, struct input *in)
{
    const struct reach_model *m = &e->r->model;
    in->params = 0;
    for (uint32_t i = 0; e->free && i < m->params.n; i++)
        if (is_free(e->r, m->params.at[i])) {
            in->params |= 1u << i;
            in->values[i] = e->free;
        }
}

// The parameters as text for the setup.  The user's come first, because the
// first value of a name counts.
static const char *params_text(const struct engine *e, struct arena *a)
{
    const struct reach_model *m = &e->r->model;
    const char *all = e->r->o.params ? e->r->o.params : "";
    for (uint32_t i = 0; e->free && i < m->params.n; i++)
        if (is_free(e->r, m->params.at[i]))
            all = arena_format(a, "%s %s=%lld", all, m->params.at[i],
                               (long long)e->free);
    return all;
}

// A way whose run goes elsewhere is still near: others begin with it.
static void keep_lost(struct engine *e, const struct result *way,
                      uint32_t granted, bool kept)
{
    struct answer *a = &e->answers[e->target];
    if (!a->lost++) {
        a->lost_at = granted;
        a->lost_of = way->wishes.n;
    }
    if (!kept && a->lost <= LOST_KEPT)
        pool_keep(e->r->pool, &way->input, runner_end(e->runner),
                  (uint32_t)runner_receives(e->runner), runner_cost(e->runner));
}

static bool try_way(void *user, const struct node *n, const struct model *m)
{
    static struct result result; // large
    struct engine *e = user;
    struct reach *r = e->r;
    uint32_t hit = r->targets.at[e->target].at.hit;
    vec_clear(&result.wishes);
    if (!result_of(e->b, r->pool, n, m, &result))
        return false;
    set_params(e, &result.input);
    uint32_t granted = runner_follow(e->runner, &result.input, result.wishes.at,
                                     result.wishes.n);
    bool kept = runner_try(e->runner, &result.input);
    if (runner_hit(e->runner, hit))
        return true;
    keep_lost(e, &result, granted, kept);
    return false;
}

static struct backward_bounds bounds_of(const struct engine *e)
{
    const struct reach_options *o = &e->r->o;
    uint32_t round = e->turn->round < 4 ? e->turn->round : 4;
    return (struct backward_bounds){
        .messages = o->messages ? o->messages : (uint32_t)MESSAGES << round,
        .actors = o->actors ? o->actors : (uint32_t)ACTORS << round,
        .loop = o->loop ? o->loop
                : round ? (uint32_t)LOOP << (round - 1)
                        : 1,
        .steps = (uint32_t)STEPS << round};
}

// The report tells only what the search with default parameters says.
static void search_target(struct engine *e, uint32_t target, double seconds)
{
    struct reach *r = e->r;
    struct answer *a = &e->answers[target];
    struct backward *b = e->b;
    a->tried++;
    e->target = target;
    e->until = native_seconds(e->r) + seconds;
    b->figures = (struct backward_figures){0};
    enum backward_end end =
        backward_search(b, &r->targets.at[target].at, try_way, e);
    if (e->free)
        return;
    a->end = end;
    a->bounds = b->bounds;
    a->figures = b->figures;
    a->ended = true;
    if (b->unsupported)
        snprintf(a->unsupported, sizeof a->unsupported, "%s", b->unsupported);
}

static bool is_wanted(const struct reach *r, uint32_t i)
{
    const struct reach_target *t = &r->targets.at[i];
    return t->wanted && t->status == REACH_OPEN && !t->searched &&
           !r->pool->hit[t->at.hit];
}

static bool any_wanted(const struct reach *r)
{
    for (uint32_t i = 0; i < r->targets.n; i++)
        if (is_wanted(r, i))
            return true;
    return false;
}

static uint32_t left(const struct engine *e, uint32_t setting)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->r->targets.n; i++)
        n += is_wanted(e->r, i) && e->answers[i].tried <= setting;
    return n;
}

// Each target that is left has the same share of the time; a program that ends
// the process costs the target at hand.
static void search_all(struct engine *e, uint32_t setting, double end)
{
    static struct input none;
    struct reach *r = e->r;
    struct rng rng = rng_of(r->o.seed + setting);
    struct backward b = {.stop = is_over, .user = e, .rng = &rng};
    struct arena a = {0};
    struct diag d = {0};
    e->b = &b;
    e->until = end;
    b.bounds = bounds_of(e);
    b.setting = backward_setting_of(r->o.search);
    none.bound = 100;
    set_params(e, &none);
    runner_try(e->runner, &none); // who is exposed
    bool ok = backward_open(&b, r, params_text(e, &a), &d);
    for (uint32_t i = 0; ok && i < r->targets.n && !r->pool->stop; i++) {
        if (!is_wanted(r, i) || e->answers[i].tried > setting)
            continue;
        double share = (end - native_seconds(e->r)) / left(e, setting);
        if (share <= 0)
            break;
        search_target(e, i, share);
    }
    backward_close(&b);
    arena_free(&a);
    diag_free(&d);
}

// With default parameters, then with others where there are some to choose.
static void work(void *self, struct runner *runner, uint32_t life)
{
    struct engine *e = self;
    uint32_t round = e->turn->round, n = sizeof values / sizeof *values;
    double all = e->turn->seconds > 0
                     ? e->turn->seconds
                     : SECONDS * (double)(UINT64_C(1) << round);
    double now = native_seconds(e->r);
    bool others = false;
    (void)life;
    e->runner = runner;
    for (uint32_t i = 0; i < e->r->model.params.n; i++)
        others |= is_free(e->r, e->r->model.params.at[i]);
    e->free = 0;
    search_all(e, 0, now + (others ? all / 2 : all));
    e->free = values[round < n ? round : n - 1];
    if (others)
        search_all(e, 1, now + all);
}

// ---- what it says -----------------------------------------------------------

static const char *cut_text(struct reach *r, const struct answer *a)
{
    const struct backward_bounds *n = &a->bounds;
    uint32_t cut = a->figures.cut;
    if (cut & CUT_HEAP)
        return "code on the way follows pointers";
    if (cut & CUT_UNSUPPORTED && a->unsupported[0])
        return arena_text(&r->arena, a->unsupported);
    return arena_format(&r->arena,
                        "none within %u message%s, %u new actor%s, %u "
                        "turn%s of a loop",
                        n->messages, n->messages == 1 ? "" : "s", n->actors,
                        n->actors == 1 ? "" : "s", n->loop,
                        n->loop == 1 ? "" : "s");
}

// Would a search with higher bounds see more?
static bool is_final(const struct reach *r, const struct answer *a)
{
    uint32_t given = (r->o.messages ? CUT_MESSAGES : 0u) |
                     (r->o.actors ? CUT_ACTORS : 0u) |
                     (r->o.loop ? CUT_LOOP : 0u);
    uint32_t raised = CUT_MESSAGES | CUT_ACTORS | CUT_LOOP | CUT_STEPS;
    return a->end == BACKWARD_EMPTY && !(a->figures.cut & raised & ~given);
}

// "; of 3 ways none was confirmed: ..."
static const char *lost_text(struct reach *r, const struct answer *a)
{
    if (!a->lost)
        return "";
    if (a->lost_at == a->lost_of)
        return arena_format(&r->arena,
                            "; of %u ways none was confirmed: all %u receives "
                            "of the first came, and it went elsewhere",
                            a->lost, a->lost_of);
    return arena_format(&r->arena,
                        "; of %u ways none was confirmed: receive %u of %u of "
                        "the first did not come",
                        a->lost, a->lost_at + 1, a->lost_of);
}

static void tell(struct reach *r, const struct answer *a,
                 struct reach_target *t)
{
    if (!a->tried || t->status != REACH_OPEN)
        return;
    bool empty = a->ended && a->end == BACKWARD_EMPTY;
    const char *end = empty      ? cut_text(r, a)
                      : a->ended ? "no end in its time"
                                 : "its process was lost";
    t->searched |= a->ended && !r->model.params.n && is_final(r, a);
    t->bounded |= empty && !r->model.params.n &&
                  !(a->figures.cut & (CUT_HEAP | CUT_UNSUPPORTED | CUT_STEPS));
    if (t->backward && !empty)
        return; // what is known of lower bounds says more
    t->backward = arena_format(
        &r->arena, "backward search: %s (%llu nodes, %llu questions%s)", end,
        (unsigned long long)a->figures.nodes,
        (unsigned long long)a->figures.queries, lost_text(r, a));
}

bool reach_backward(struct reach *r, const struct reach_turn *turn,
                    struct diag *d)
{
    struct engine e = {.r = r, .turn = turn};
    size_t size = (r->targets.n + 1) * sizeof *e.answers;
    if (!r->flow || r->flow->doubts.n || !any_wanted(r))
        return true; // who sends what is not known, or nothing is left
    e.answers = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (e.answers == MAP_FAILED)
        return diag_set(d, EXIT_FAULT, "no memory for answers");
    bool ok = native_run(r, work, &e, d);
    for (uint32_t i = 0; i < r->targets.n; i++)
        tell(r, &e.answers[i], &r->targets.at[i]);
    munmap(e.answers, size);
    return ok;
}

enum backward_setting backward_setting_of(enum reach_search s)
{
    return s == REACH_TAP_RANDOM ? BACKWARD_RANDOM
           : s == REACH_TAP_H1   ? BACKWARD_H1
           : s == REACH_TAP_H2   ? BACKWARD_H2
           : s == REACH_TAP_H1H2 ? BACKWARD_H1H2
                                 : BACKWARD_HF;
}
