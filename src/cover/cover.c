#include "cover/cover.h"

#include "base/die.h"
#include "base/text.h"
#include "cover/generate.h"
#include "explore/follow.h"
#include "explore/set.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A record to generate from.
struct source {
    struct schedule schedule;
    struct record record;
    struct musthb musthb;
};

struct loop {
    struct play *play;
    const struct cover_options *o;
    const struct look *look;
    const struct cover_sink *sink;
    struct coverage *c;
    struct cover_result *r;
    VEC(struct source *) sources;
    struct set told;
    bool over;
    double began;
    struct schedule *into; // where an initial schedule goes
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(struct loop *l, enum stop why)
{
    if (!l->over)
        l->r->stopped_by = why;
    l->over = true;
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct loop *l = self;
    if (b->warning || l->o->ignore >> b->kind & 1 ||
        !set_add(&l->told, bug_key(b)))
        return;
    l->r->bugs++;
    if (l->sink->bug)
        l->sink->bug(l->sink->self, b, s);
    if (!l->o->keep_going)
        stop(l, STOP_BUG);
}

// ---- forcing -----------------------------------------------------------------

uint32_t cover_force(struct play *p, enum delivery d, uint32_t steps,
                     const struct schedule *s, const uint32_t *events,
                     uint32_t n, const struct explore_sink *sink,
                     struct schedule *out)
{
    struct follow f;
    uint32_t i = 0;
    follow_init(&f, p, d, sink);
    if (steps)
        f.search.steps = steps;
    while (i < n && follow_step(&f, s, events[i]))
        i++;
    follow_rest(&f);
    world_schedule(&f.world, out);
    follow_release(&f);
    return i;
}

// ---- learning ----------------------------------------------------------------

static void count(struct loop *l)
{
    for (int cr = 0; cr < CRITERIA_N; cr++)
        l->r->counts[cr] = coverage_counts(l->c, (enum criterion)cr, NULL);
    l->r->seconds = now() - l->began;
    l->r->executions++;
    if (l->sink->execution)
        l->sink->execution(l->sink->self, l->r);
}

static bool goal_reached(const struct loop *l)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        if (l->o->criteria[cr]) {
            covered += l->r->counts[cr].covered;
            possible += l->r->counts[cr].goals - l->r->counts[cr].impossible;
        }
    return l->o->goal > 0 && possible &&
           (double)covered >= l->o->goal * (double)possible;
}

static void look_at_budget(struct loop *l)
{
    if (l->sink->stop && l->sink->stop(l->sink->self))
        stop(l, STOP_ASKED);
    if (l->o->budget && l->r->executions >= l->o->budget)
        stop(l, STOP_SCHEDULES);
    if (l->o->seconds > 0 && now() - l->began >= l->o->seconds)
        stop(l, STOP_TIME);
    if (goal_reached(l))
        stop(l, STOP_DONE);
}

static void free_source(struct source *s)
{
    schedule_free(&s->schedule);
    record_free(&s->record);
    musthb_free(&s->musthb);
    free(s);
}

// One execution was made: what it covers, and whether to generate from it.
static uint32_t learn(struct loop *l, const struct schedule *s, bool initial)
{
    struct source *src = need_zero(sizeof *src);
    uint32_t most = l->o->sources ? l->o->sources : 200;
    bool news = false;
    schedule_copy(&src->schedule, s);
    record_make(&src->record, l->play, l->o->delivery, &src->schedule, l->look);
    musthb_make(&src->musthb, &src->record);
    uint32_t gained =
        coverage_add(l->c, l->play, &src->record, &src->musthb, &news);
    count(l);
    if (initial || (news && !l->o->once && l->sources.n < most)) {
        vec_push(&l->sources, src);
        l->r->sources = l->sources.n;
    } else {
        free_source(src);
    }
    look_at_budget(l);
    return gained;
}

// ---- initial schedules -----------------------------------------------------

static void on_execution(void *self, const struct ending *e)
{
    struct loop *l = self;
    if (e->schedule)
        schedule_copy(l->into, e->schedule);
}

static void begin_randomly(struct loop *l, uint64_t seed)
{
    struct schedule s = {0};
    struct explore_options o = {.delivery = l->o->delivery,
                                .strategy = STRATEGY_RANDOM,
                                .seed = seed,
                                .steps = l->o->steps,
                                .schedules = 1,
                                .keep_going = true};
    struct explore_sink sink = {.self = l,
                                .bug = on_bug,
                                .execution = on_execution};
    struct explore_result result;
    l->into = &s;
    explore(l->play, &o, &sink, &result);
    if (s.steps.n) {
        l->r->initial_schedules++;
        learn(l, &s, true);
    }
    schedule_free(&s);
}

static void begin(struct loop *l, const struct schedule *const *extra,
                  uint32_t n)
{
    uint32_t initial = l->o->initial ? l->o->initial : n ? 0 : 1;
    for (uint32_t i = 0; i < n && !l->over; i++) {
        l->r->initial_schedules++;
        learn(l, extra[i], true);
    }
    for (uint32_t i = 0; i < initial && !l->over; i++)
        begin_randomly(l, l->o->seed + i);
}

// ---- generating ----------------------------------------------------------------

static void tell_infeasible(struct loop *l, const struct source *src,
                            const event_list *plan, uint32_t at)
{
    const struct record *r = &src->record;
    const struct event *e = &r->events.at[plan->at[at]];
    struct text t = {0};
    l->r->infeasible++;
    text_format(&t, "step %u of %u: %s did not receive %s from %s", at + 1,
                plan->n, play_actor_name(l->play, r->actors.at[e->actor].id),
                r->names.at[plan->at[at]],
                play_actor_name(l->play, r->actors.at[e->sender].id));
    if (l->sink->infeasible)
        l->sink->infeasible(l->sink->self, text_get(&t));
    text_free(&t);
}

static void try_plan(struct loop *l, const struct source *src,
                     const event_list *plan)
{
    const struct explore_sink sink = {.self = l, .bug = on_bug};
    struct schedule made = {0};
    uint32_t n = cover_force(l->play, l->o->delivery, l->o->steps,
                             &src->schedule, plan->at, plan->n, &sink, &made);
    l->r->generated++;
    if (n < plan->n)
        tell_infeasible(l, src, plan, n);
    if (!learn(l, &made, false))
        l->r->idle++;
    schedule_free(&made);
}

static void raise(struct loop *l, enum criterion cr)
{
    event_list plan = {0};
    l->r->criterion = cr;
    for (uint32_t i = 0; i < l->sources.n && !l->over; i++) {
        struct source *src = l->sources.at[i];
        struct generator *g =
            generator_new(&src->record, &src->musthb, l->c, cr);
        while (!l->over && generator_next(g, &plan))
            try_plan(l, src, &plan);
        generator_free(g);
    }
    vec_free(&plan);
}

void cover(struct play *p, const struct cover_options *o,
           const struct look *look, const struct schedule *const *extra,
           uint32_t n, const struct cover_sink *sink, struct coverage *c,
           struct cover_result *r)
{
    struct loop l = {.play = p,
                     .o = o,
                     .look = look,
                     .sink = sink,
                     .c = c,
                     .r = r,
                     .began = now()};
    memset(r, 0, sizeof *r);
    begin(&l, extra, n);
    for (int cr = 0; cr < CRITERIA_N && !l.over; cr++)
        if (o->criteria[cr])
            raise(&l, (enum criterion)cr);
    if (!l.over)
        r->stopped_by = STOP_DONE;
    r->seconds = now() - l.began;
    for (uint32_t i = 0; i < l.sources.n; i++)
        free_source(l.sources.at[i]);
    vec_free(&l.sources);
    set_free(&l.told);
}
