// A recorded execution from which schedules can be made is a source.  Each has
// a generator per criterion for goals of kinds never seen, and one for all
// goals; a source whose generators are exhausted is dropped.  cover_step()
// makes one execution: it forces a generated schedule, records a sampled one,
// or explores.
#include "cover/cover.h"

#include "base/clock.h"
#include "base/die.h"
#include "base/rng.h"
#include "base/text.h"
#include "cover/force.h"
#include "cover/generate.h"
#include "base/hashset.h"

#include <stdlib.h>
#include <string.h>

// A record to generate from.  Goals of kinds never seen come first.
struct source {
    struct schedule schedule;
    struct record record;
    struct musthb musthb;
    want_list wants;
    struct generator *novel[CRITERIA_N], *all[CRITERIA_N]; // NULL: exhausted
};

struct cover_loop {
    struct play *play;
    const struct cover_options *o;
    const struct look *look;
    const struct cover_sink *sink;
    struct coverage *c;
    struct cover_result *r;
    VEC(struct source *) sources;
    struct rng rng;
    uint64_t recorded; // schedules recorded that were not forced
    uint64_t explore_most, explore_after; // how many to explore, and when
    const struct generator *generator;    // of the schedule being forced
    bool novel; // goals of new kinds were looked at last
    struct hashset told;
    event_list plan;
    uint32_t in_vain; // recorded in a row that brought nothing
    bool idle;        // no goal was left to try
    bool over;
    double began;
    struct schedule *into; // where an initial schedule goes
};

static void stop(struct cover_loop *l, enum stop why)
{
    if (!l->over)
        l->r->stopped_by = why;
    l->over = true;
}

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct cover_loop *l = self;
    bool limit = b->kind == BUG_LIMIT;
    if (!limit && (b->warning || l->o->ignore >> b->kind & 1))
        return;
    if (!hashset_add(&l->told, bug_key(b)))
        return;
    l->r->bugs += !limit;
    if (l->sink->bug)
        l->sink->bug(l->sink->self, b, s);
    if (limit)
        stop(l, STOP_LIMIT);
    else if (!l->o->keep_going)
        stop(l, STOP_BUG);
}

// ---- learning -----------------------------------------------------------

static void take_counts(struct cover_loop *l)
{
    for (int cr = 0; cr < CRITERIA_N; cr++)
        l->r->counts[cr] = l->c->totals[cr];
}

static void count(struct cover_loop *l)
{
    take_counts(l);
    l->r->seconds = clock_now() - l->began;
    l->r->executions++;
    if (l->sink->execution)
        l->sink->execution(l->sink->self, l->r);
}

static bool goal_reached(const struct cover_loop *l)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        if (l->o->criteria[cr]) {
            covered += l->r->counts[cr].covered;
            possible += l->r->counts[cr].goals - l->r->counts[cr].impossible;
        }
    double goal = l->o->goal > 0 ? l->o->goal : 1;
    return possible && (double)covered >= goal * (double)possible;
}

// All of the goals is a goal that grows as long as there are some to try.
static bool is_enough(const struct cover_loop *l)
{
    return l->o->goal > 0 && l->o->goal < 1 && goal_reached(l);
}

// Also asked in the middle of an execution, which is lost then.
static bool must_stop(void *self)
{
    struct cover_loop *l = self;
    if (l->sink->stop && l->sink->stop(l->sink->self))
        stop(l, STOP_ASKED);
    else if (l->o->seconds > 0 && clock_now() - l->began >= l->o->seconds)
        stop(l, STOP_TIME);
    else
        return false;
    return true;
}

static void look_at_budget(struct cover_loop *l)
{
    must_stop(l);
    if (l->o->budget && l->r->executions >= l->o->budget)
        stop(l, STOP_SCHEDULES);
    if (is_enough(l))
        stop(l, STOP_DONE);
}

static bool on_final(void *self, uint64_t hash)
{
    struct cover_loop *l = self;
    return l->sink->final(l->sink->self, hash);
}

// What the searches that make executions tell.
static struct explore_sink sink_of(struct cover_loop *l)
{
    return (struct explore_sink){.self = l,
                                 .bug = on_bug,
                                 .stop = must_stop,
                                 .final = l->sink->final ? on_final : NULL};
}

static void free_source(struct source *s)
{
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        generator_free(s->novel[cr]);
        generator_free(s->all[cr]);
    }
    schedule_free(&s->schedule);
    record_free(&s->record);
    musthb_free(&s->musthb);
    vec_free(&s->wants);
    free(s);
}

static void add_source(struct cover_loop *l, struct source *s)
{
    wants_make(&s->wants, &s->record, &s->musthb, l->c);
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        enum criterion c = (enum criterion)cr;
        if (!l->o->criteria[cr])
            continue;
        struct making of = {
            .r = &s->record, .m = &s->musthb, .c = l->c, .cr = c};
        s->novel[cr] = generator_new(l->play, &of, &s->wants, true, l->o->once);
        s->all[cr] = generator_new(l->play, &of, &s->wants, false, l->o->once);
    }
    vec_push(&l->sources, s);
    l->c->effort += s->record.pairs.n;
    l->r->sources++;
}

// Beside other strategies no execution may take long to be looked at.
enum { LONG = 4000, LARGE = 1 << 20 };

static bool is_too_long(const struct cover_loop *l, const struct schedule *s)
{
    return l->o->beside && s->steps.n > LONG;
}

static bool is_too_large(const struct cover_loop *l, const struct record *r)
{
    return l->o->beside && (uint64_t)r->events.n * r->actors.n > LARGE;
}

// One execution was made: what it covers, and whether to generate from it.
static uint32_t learn(struct cover_loop *l, const struct schedule *s,
                      bool initial)
{
    struct source *src = need_zero(sizeof *src);
    uint32_t most = l->o->sources ? l->o->sources : 200;
    uint32_t gained = 0;
    schedule_copy(&src->schedule, s);
    if (!is_too_long(l, s))
        record_make(&src->record, l->play, l->o->delivery, &src->schedule,
                    l->look);
    if (is_too_long(l, s) || is_too_large(l, &src->record)) {
        stop(l, STOP_MEMORY);
    } else {
        musthb_make(&src->musthb, &src->record);
        gained = coverage_add(l->c, l->play, &src->record, &src->musthb);
    }
    l->r->receives += s->steps.n;
    l->r->effort = l->c->effort;
    count(l);
    if (!l->over && (initial || (gained && !l->o->once && l->sources.n < most)))
        add_source(l, src);
    else
        free_source(src);
    look_at_budget(l);
    return gained;
}

// ---- recording ----------------------------------------------------------

enum { HOPELESS = 50 }; // executions that do not end before the first that does

// An execution came to the bound on steps: it may be one that never ends, and
// its pairs are no goals.
static void give_up(struct cover_loop *l, uint64_t receives)
{
    l->r->cut++;
    l->r->receives += receives;
    count(l);
    look_at_budget(l);
    if (!l->over && l->r->cut == l->r->executions &&
        l->r->cut >= (l->o->beside ? 1 : HOPELESS)) {
        l->over = true;
        l->r->stopped_by = STOP_STEPS;
    }
}

static void on_execution(void *self, const struct ending *e)
{
    struct cover_loop *l = self;
    if (e->schedule)
        schedule_copy(l->into, e->schedule);
}

// An execution that nothing is asked of.  Ways to sample take turns: which of
// them meets what is rare depends on the program.
static uint32_t record_one(struct cover_loop *l)
{
    static const enum strategy ways[] = {STRATEGY_RANDOM, STRATEGY_POS,
                                         STRATEGY_PCT};
    struct schedule s = {0};
    struct explore_options o = {.delivery = l->o->delivery,
                                .strategy = ways[l->recorded % 3],
                                .seed = l->o->seed + l->recorded,
                                .steps = l->o->steps,
                                .schedules = 1,
                                .guest = l->o->beside,
                                .keep_going = true,
                                .no_final_states = !l->sink->final};
    struct explore_sink sink = sink_of(l);
    struct explore_result result;
    uint32_t gained = 0;
    l->into = &s;
    sink.execution = on_execution;
    l->recorded++;
    explore(l->play, &o, &sink, &result);
    if (s.steps.n) {
        gained = learn(l, &s, !l->r->initial_schedules);
        l->r->initial_schedules++;
    } else if (result.stopped_by != STOP_ASKED) {
        give_up(l, result.receives);
    }
    schedule_free(&s);
    return gained;
}

static void begin(struct cover_loop *l, const struct schedule *const *extra,
                  uint32_t n)
{
    uint32_t initial = l->o->initial ? l->o->initial : n ? 0 : 1;
    for (uint32_t i = 0; i < n && !l->over; i++) {
        l->r->initial_schedules++;
        learn(l, extra[i], true);
    }
    for (uint32_t i = 0; i < initial && !l->over; i++)
        record_one(l);
}

// ---- exploring ----------------------------------------------------------

enum { EXPLORE_FIRST = 1000, EXPLORE_GROWTH = 4 };

static void on_explored(void *self, const struct ending *e)
{
    struct cover_loop *l = self;
    if (l->over)
        return;
    l->r->initial_schedules++;
    learn(l, e->schedule, false);
}

static bool is_over(void *self)
{
    const struct cover_loop *l = self;
    return l->over;
}

// How many executions the budget leaves, at most `most`.
static uint64_t left_of(const struct cover_loop *l, uint64_t most)
{
    uint64_t left = l->o->budget ? l->o->budget - l->r->executions : most;
    return left < most ? left : most;
}

static double seconds_left(const struct cover_loop *l)
{
    double left = l->began + l->o->seconds - clock_now();
    return l->o->seconds > 0 ? (left > 0.001 ? left : 0.001) : 0;
}

static void explore_by(struct cover_loop *l, enum strategy strategy,
                       struct explore_result *r)
{
    struct explore_options o = {.delivery = l->o->delivery,
                                .strategy = strategy,
                                .seed = l->o->seed,
                                .steps = l->o->steps,
                                .schedules = left_of(l, l->explore_most),
                                .seconds = seconds_left(l),
                                .keep_going = true,
                                .no_final_states = true};
    struct explore_sink sink = {
        .self = l, .bug = on_bug, .execution = on_explored, .stop = is_over};
    explore(l->play, &o, &sink, r);
    l->r->cut += r->cut;
    l->r->executions += r->cut;
}

// Explore as many executions as it is worth now.  If these are all there are,
// nothing is left to do.
static void explore_some(struct cover_loop *l)
{
    struct explore_result r;
    explore_by(l, STRATEGY_OPTIMAL, &r);
    if (r.stopped_by == STOP_REFUSED)
        explore_by(l, STRATEGY_EXHAUSTIVE, &r);
    if (r.complete && !r.cut && !l->over) {
        coverage_complete(l->c);
        l->r->complete = true;
        take_counts(l);
        stop(l, STOP_DONE);
    }
    l->explore_after = l->r->executions + 2 * l->explore_most;
    l->explore_most *= EXPLORE_GROWTH;
    look_at_budget(l);
}

// ---- generating ---------------------------------------------------------

static void tell_infeasible(struct cover_loop *l, const struct source *src,
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

static void force(struct cover_loop *l, const struct source *src,
                  const event_list *plan)
{
    const struct explore_sink sink = sink_of(l);
    struct schedule made = {0};
    uint32_t n =
        cover_force(l->play, l->o->delivery, l->o->steps, &src->schedule,
                    plan->at, plan->n, &l->rng, &sink, &made);
    uint32_t most = l->o->steps ? l->o->steps : 10000;
    if (n == PLAY_NONE) {
        schedule_free(&made);
        return;
    }
    l->r->generated++;
    if (made.steps.n > most) {
        give_up(l, made.steps.n);
        schedule_free(&made);
        return;
    }
    if (n < plan->n)
        tell_infeasible(l, src, plan, n);
    if (!learn(l, &made, false))
        l->r->idle++;
    if (!generator_reached(l->generator)) {
        l->r->missed++;
        l->r->missed_changes += l->r->criterion == CRITERION_PMR;
    }
    schedule_free(&made);
}

// A goal of this criterion.  The newest source comes first: what its receives
// did that none did before is where to look next.  Where a bug does not end the
// search, goals that bring most with them come first: that raises coverage
// faster and finds bugs a little later.
static struct source *plan_of(struct cover_loop *l, enum criterion cr,
                              bool novel, event_list *plan)
{
    bool most = !novel && (l->o->keep_going || l->o->goal > 0);
    for (uint32_t i = l->sources.n; i-- > 0;) {
        struct source *s = l->sources.at[i];
        struct generator **g = novel ? &s->novel[cr] : &s->all[cr];
        if (*g && generator_next(*g, most, plan)) {
            l->r->criterion = cr;
            l->generator = *g;
            return s;
        }
        generator_free(*g);
        *g = NULL;
    }
    return NULL;
}

// Goals of new kinds and any goals take turns; in each, the criteria in order.
static struct source *next_plan(struct cover_loop *l, event_list *plan)
{
    struct source *s = NULL;
    l->novel = !l->novel;
    for (int half = 0; half < 2; half++)
        for (int cr = 0; cr < CRITERIA_N && !s; cr++)
            if (l->o->criteria[cr])
                s = plan_of(l, (enum criterion)cr, l->novel ^ half, plan);
    return s;
}

static void drop_exhausted(struct cover_loop *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->sources.n; i++) {
        struct source *s = l->sources.at[i];
        bool goals = false;
        for (int cr = 0; cr < CRITERIA_N; cr++)
            goals |= s->novel[cr] || s->all[cr];
        if (goals)
            l->sources.at[n++] = s;
        else
            free_source(s);
    }
    l->sources.n = n;
}

// Each RECORD_EVERY-th execution is recorded although goals are left, and many
// are if no goal is: some bugs need more than two receives in a new order.
enum { RECORD_EVERY = 4 };

static bool time_to_record(const struct cover_loop *l)
{
    return !l->o->once && l->r->executions % RECORD_EVERY == RECORD_EVERY - 1;
}

// No goal is left to try; returns how many new ones were seen.
static uint32_t look_around(struct cover_loop *l)
{
    bool some_end = l->r->executions > l->r->cut && !l->o->beside;
    if (some_end && l->r->executions >= l->explore_after) {
        uint64_t before = l->c->pairs.n;
        explore_some(l);
        if (!l->over && goal_reached(l))
            stop(l, STOP_DONE);
        return l->c->pairs.n > before;
    }
    return record_one(l);
}

// False: there is nothing left to do.
static bool raise(struct cover_loop *l)
{
    bool record = time_to_record(l);
    struct source *s = record ? NULL : next_plan(l, &l->plan);
    l->idle = !s && !record;
    if (s) {
        force(l, s, &l->plan);
        drop_exhausted(l);
        l->in_vain = 0;
    } else if (l->o->once) {
        return false;
    } else {
        bool gained = record ? record_one(l) : look_around(l);
        l->in_vain = gained ? 0 : l->in_vain + 1;
    }
    return true;
}

bool cover_step(struct cover_loop *l)
{
    bool bounded = l->o->beside || l->o->budget || l->o->seconds > 0;
    if (!l->over && !l->r->executions)
        record_one(l);
    else if (l->over || (!bounded && l->in_vain >= COVER_PATIENCE) || !raise(l))
        return false;
    return !l->over;
}

bool cover_is_idle(const struct cover_loop *l)
{
    return l->idle;
}

struct cover_loop *cover_begin(struct play *p, const struct cover_options *o,
                               const struct look *look,
                               const struct cover_sink *sink,
                               struct coverage *c, struct cover_result *r)
{
    struct cover_loop *l = need_zero(sizeof *l);
    *l = (struct cover_loop){.play = p,
                             .o = o,
                             .look = look,
                             .sink = sink,
                             .c = c,
                             .r = r,
                             .rng = rng_of(o->seed),
                             .explore_most = EXPLORE_FIRST,
                             .began = clock_now()};
    memset(r, 0, sizeof *r);
    return l;
}

void cover_end(struct cover_loop *l)
{
    if (!l->over)
        l->r->stopped_by = STOP_DONE;
    l->r->seconds = clock_now() - l->began;
    for (uint32_t i = 0; i < l->sources.n; i++)
        free_source(l->sources.at[i]);
    vec_free(&l->sources);
    vec_free(&l->plan);
    hashset_free(&l->told);
    free(l);
}

void cover(struct play *p, const struct cover_options *o,
           const struct look *look, const struct schedule *const *extra,
           uint32_t n, const struct cover_sink *sink, struct coverage *c,
           struct cover_result *r)
{
    struct cover_loop *l = cover_begin(p, o, look, sink, c, r);
    begin(l, extra, n);
    while (cover_step(l))
        ;
    cover_end(l);
}
