// Callbacks of the crew (on_bug, on_progress, on_checkpoint...) are asked
// between messages of workers, in the tool's own process.
#include "cli/search_run.h"

#include "cli/far.h"
#include "cli/second_sample.h"
#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "cases/weakened.h"
#include "explore/sample_units.h"
#include "program/program.h"
#include "report/progress.h"
#include "report/store.h"

#include "troupe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- going on ---------------------------------------------------------------

// Only `optimal` can go on with what an earlier search left.
static bool can_resume(const struct search_run *r)
{
    enum strategy s = r->trial->subject.explore.strategy;
    return r->trial->store && !r->estimate &&
           (s == STRATEGY_AUTO || s == STRATEGY_OPTIMAL);
}

static void take_found(struct search_run *r, const char *cases)
{
    struct trial *t = r->trial;
    text_add(&r->found, cases);
    for (const char *at = cases; *at;) {
        const char *next = strstr(at, "\ntroupe-case ");
        size_t n = next ? (size_t)(next + 1 - at) : strlen(at);
        trial_take(t, arena_format(&t->session->arena, "%.*s", (int)n, at), 0);
        at += n;
    }
}

static void take_earlier(struct search_run *r)
{
    struct trial *t = r->trial;
    if (!option_flag(t->options, OPT_resume))
        return;
    if (!can_resume(r)) {
        fprintf(stderr, "troupe: %s: --resume: %s starts again\n",
                t->subject.test->name,
                strategy_id(t->subject.explore.strategy));
        return;
    }
    unfinished_recall(t->store, &t->session->arena, trial_key(t),
                      t->subject.test->name, &r->earlier);
    if (r->earlier.here)
        take_found(r, r->earlier.found);
}

// ---- what the crew tells ----------------------------------------------------

static void on_bug(void *self, uint64_t key, const char *text, uint64_t nth)
{
    struct search_run *r = self;
    (void)key;
    progress_clear(r->progress);
    text_add(&r->found, text);
    trial_take(r->trial, text, nth);
}

enum { GUESS_WAIT_MS = 400 }; // at the end

// How large the tree of `optimal` is, is guessed once by random descents, if
// the search takes a while or ends at a bound: that also says how far off it
// may be. Until then, one worker knows how far it has come; of several none
// does.
static struct spread executions_in_all(struct search_run *r,
                                       const struct explore_result *x,
                                       bool wanted, int ms)
{
    struct spread all = {x->estimate > 0 ? x->estimate : -1, x->estimate_low,
                         x->estimate_high};
    if (r->estimate || !r->divided)
        return all;
    if (wanted)
        guess_begin(&r->guess, &r->trial->subject);
    struct spread guess = guess_look(&r->guess, ms);
    if (guess.mean <= 0)
        return all;
    spread_raise(&guess, (double)x->executions);
    return guess;
}

static struct course_point point_of(const struct search_run *r,
                                    const struct explore_result *x,
                                    struct spread estimate)
{
    return (struct course_point){.seconds = x->seconds,
                                 .schedules = explore_made(x),
                                 .receives = x->receives,
                                 .bugs = r->trial->findings.list.n,
                                 .estimate = estimate.mean,
                                 .low = estimate.low,
                                 .high = estimate.high};
}

// Schedules of the search that is resumed.
static uint64_t made_before(const struct search_run *r)
{
    return r->divided && r->earlier.here
               ? explore_made(&r->earlier.figures.result)
               : 0;
}

static void on_progress(void *self, const struct crew_figures *f)
{
    struct search_run *r = self;
    const struct explore_result *x = &f->result;
    char note[160];
    struct spread all = executions_in_all(r, x, x->seconds > 1, 0);
    struct progress_now n = {
        .strategy = strategy_id(r->strategy),
        .executions = x->executions,
        .before = made_before(r),
        .receives = x->receives,
        .blocked = x->blocked,
        .bugs = r->trial->findings.list.n,
        .depth = x->max_depth,
        .estimate = all.mean,
        .part = x->progress,
        .seconds = x->seconds,
        .of_seconds = r->limit,
        .workers = f->workers,
        .note = far_wanted(r->trial->session) ? far_note(f, note, sizeof note)
                                              : NULL,
    };
    progress_show(r->progress, &n);
    struct course_point p = point_of(r, x, all);
    course_add(&r->trial->course, &p);
}

// Bugs that are known do not end a search, the first other one does.
static bool on_stop(void *self)
{
    const struct search_run *r = self;
    return interrupted() ||
           (r->trial->past_known && findings_failed(&r->trial->findings));
}

static size_t on_checkpoint(void *self, const struct crew_figures *f,
                            const struct crew_rest *rest)
{
    struct search_run *r = self;
    r->found_kept = r->found.n;
    const struct unfinished u = {
        .figures = *f, .rest = *rest, .found = text_get(&r->found)};
    return unfinished_keep(r->trial->store, trial_key(r->trial), &u);
}

static size_t on_changed(void *self, const struct crew_figures *f,
                         const struct crew_change *change)
{
    struct search_run *r = self;
    const char *found = text_get(&r->found) + r->found_kept;
    r->found_kept = r->found.n;
    return unfinished_change(r->trial->store, trial_key(r->trial), f, change,
                             found);
}

// ---- searching --------------------------------------------------------------

// On other machines, and on this one if -j says so.
static void spread(struct search_run *r, const struct crew_job *job,
                   const struct explore_options *o,
                   const struct crew_options *co, const struct crew_sink *sink,
                   struct crew_figures *out)
{
    struct session *s = r->trial->session;
    struct far far = {0};
    char *why = NULL;
    bool good = far_can_spread(r->trial);
    if (good)
        far_open(&far, r->trial);
    if (good && !crew_explore_far(job, &far.crew, o, co, sink, out, &why))
        good = diag_set(&s->diag, EXIT_USAGE, "--listen=%s: %s",
                        option_text(s->options, OPT_listen), why);
    r->failed = !good;
    far_close(&far);
    free(why);
}

static void search_in_crew(struct search_run *r,
                           const struct explore_options *o,
                           const struct crew_options *co,
                           struct crew_figures *out)
{
    struct worker_job of = {.subject = &r->trial->subject,
                            .estimate = r->estimate,
                            .finals =
                                option_text(r->trial->options, OPT_finals)};
    r->trial->subject.all_ends = of.finals;
    struct crew_job job = worker_job(&of);
    struct crew_sink sink = {.self = r,
                             .bug = on_bug,
                             .progress = on_progress,
                             .checkpoint = r->keep_rest ? on_checkpoint : NULL,
                             .stop = on_stop};
    r->strategy = o->strategy;
    r->limit = o->seconds;
    if (far_wanted(r->trial->session)) {
        sink.changed = r->keep_rest ? on_changed : NULL;
        spread(r, &job, o, co, &sink, out);
    } else {
        crew_explore(&job, o, co, &sink, out);
    }
}

static uint32_t workers_of(const struct trial *t)
{
    if (option_given(t->options, OPT_jobs))
        return (uint32_t)option_number(t->options, OPT_jobs);
    if (far_wanted(t->session))
        return 0;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

// The search in worker processes.  `optimal`, alone or as a part of auto, can
// be divided among several, kept for later and gone on with.  Samples are
// divided where there are far workers.
static void search_with(struct search_run *r, const struct explore_options *o)
{
    struct trial *t = r->trial;
    bool is_auto = o->strategy == STRATEGY_AUTO && !o->bounded_delays;
    bool samples = far_wanted(t->session) && strategy_samples(o->strategy);
    struct crew_options co = {
        .workers = 1, .aside = is_auto, .samples = samples};
    struct explore_options of = *o;
    struct work_list all = {0};
    r->divided = (o->strategy == STRATEGY_OPTIMAL || is_auto) && !r->estimate;
    r->keep_rest = r->divided && t->store;
    co.divisible = r->divided || samples;
    if (co.divisible)
        co.workers = workers_of(t);
    if (samples) { // the units say how many
        sample_units_all(o, &all);
        of.schedules = 0;
        co.rest =
            (struct crew_rest){.units = all.list.at, .n_units = all.list.n};
    }
    if (r->divided && r->earlier.here) {
        co.before = &r->earlier.figures;
        co.rest = r->earlier.rest;
    }
    search_in_crew(r, &of, &co, &r->figures);
    work_list_free(&all);
    const struct explore_result *x = &r->figures.result;
    struct spread size = executions_in_all(
        r, x, x->stopped_by == STOP_TIME || x->stopped_by == STOP_SCHEDULES,
        GUESS_WAIT_MS);
    r->figures.result.estimate = size.mean;
    r->figures.result.estimate_low = size.low;
    r->figures.result.estimate_high = size.high;
    guess_end(&r->guess);
    if (r->keep_rest && r->figures.result.complete)
        store_drop(t->store, trial_key(t));
    if (is_auto)
        r->strategy = r->figures.result.decided;
}

static void say_instead(struct search_run *r)
{
    const struct explore_result *x = &r->figures.result;
    if (x->refused == REFUSAL_NONE || x->stopped_by == STOP_REFUSED)
        return;
    progress_clear(r->progress);
    fprintf(stderr,
            "troupe: %s: optimal cannot explore this test (%s): %s instead\n",
            r->trial->subject.test->name, refusal_text(x->refused),
            strategy_id(x->decided));
}

enum { ESTIMATE_SECONDS = 5 };

static void estimate(struct search_run *r)
{
    enum strategy s = r->trial->subject.explore.strategy;
    if (s != STRATEGY_AUTO && s != STRATEGY_OPTIMAL &&
        s != STRATEGY_EXHAUSTIVE && s != STRATEGY_ETA) {
        r->strategy = s;
        r->figures.result.stopped_by = STOP_REFUSED;
        r->figures.result.refused = REFUSAL_NO_ESTIMATE;
        return;
    }
    r->estimate = true;
    r->trial->subject.explore.keep_going = true;
    if (!option_given(r->trial->options, OPT_time))
        r->trial->subject.explore.seconds = ESTIMATE_SECONDS;
    struct explore_options o = r->trial->subject.explore;
    if (s == STRATEGY_AUTO)
        o.strategy = STRATEGY_OPTIMAL;
    search_with(r, &o);
}

static void search(struct search_run *r)
{
    struct explore_options o = r->trial->subject.explore;
    if (option_flag(r->trial->options, OPT_estimate)) {
        estimate(r);
        return;
    }
    take_earlier(r);
    o.no_warm_up = r->earlier.here;
    o.keep_going |= r->trial->past_known;
    search_with(r, &o);
    if (r->figures.result.stopped_by == STOP_ASKED && !interrupted())
        r->figures.result.stopped_by = STOP_BUG;
    if (o.strategy == STRATEGY_AUTO)
        say_instead(r);
}

static struct progress *show_progress(const struct trial *t)
{
    const struct session *s = t->session;
    enum progress_kind kind =
        option_flag(s->options, OPT_quiet)
            ? PROGRESS_NONE
            : progress_kind_of(option_text(s->options, OPT_progress));
    return progress_new(kind, "explore", s->inputs.n ? s->inputs.at[0] : "",
                        t->subject.test->name, t->subject.explore.seed);
}

void search_run_begin(struct trial *t)
{
    if (t->store && !t->run)
        t->run = store_begin(t->store, t->session->command->name, trial_key(t));
}

void search_run(struct search_run *r, struct trial *t)
{
    *r = (struct search_run){.trial = t, .progress = show_progress(t)};
    search_run_begin(t);
    search(r);
    const struct explore_result *x = &r->figures.result;
    struct spread all = {x->estimate, x->estimate_low, x->estimate_high};
    if (x->complete)
        all.mean = all.low = all.high = (double)x->executions;
    struct course_point end = point_of(r, x, all);
    course_end(&t->course, &end);
    progress_free(r->progress);
    r->progress = NULL;
}

void search_run_none(struct search_run *r, struct trial *t)
{
    *r = (struct search_run){.trial = t};
    r->strategy = t->subject.explore.strategy;
    r->figures.result.stopped_by = STOP_BUG;
    r->figures.result.estimate = -1;
    search_run_begin(t);
}

void search_run_release(struct search_run *r)
{
    text_free(&r->found);
}

// Is everything seen, and nothing found that a sample could find again?
static bool all_is_well(const struct search_result *r)
{
    const struct finding *f;
    vec_each(&r->of.findings->list, f) if (f->known) return false;
    return r->figures.complete && result_verdict(r) == RESULT_PASSED &&
           !r->of.subject->test->expect && !interrupted();
}

struct search_result search_run_result(const struct search_run *r)
{
    const struct crew_figures *f = &r->figures;
    struct search_result out = {
        .of = trial_result(r->trial, f->result.seconds),
        .strategy = r->strategy,
        .estimated = r->estimate,
        .resumable = r->keep_rest,
        .figures = f->result,
        .made_before = made_before(r),
        .handler_runs = f->handler_runs,
        .memo_hits = f->memo_hits,
        .peak_bytes = f->peak_bytes,
        .workers = f->workers,
        .workers_lost = f->lost,
        .workers_replaced = f->replaced,
        .far = far_wanted(r->trial->session),
        .far_workers = f->far.most,
        .far_cores = f->far.most_cores,
        .far_gone = f->far.gone,
        .tasks = f->orders,
        .tasks_died = f->died,
        .units_out = f->far.most_out,
        .units_left = f->far.left,
        .units_set_aside = f->set_aside,
        .finals_about = f->finals_about,
    };
    struct session *s = r->trial->session;
    const char *sample =
        all_is_well(&out) ? second_sample(s, &r->trial->subject) : NULL;
    out.of.weakened = weakened_of(s->program, f->handler_runs, f->runs_once,
                                  sample, &s->arena);
    return out;
}
