// Running one test: under the threads manager through the library's face, under
// the others through the solo manager with a trace, the invariants and a look
// at who waits when nothing is left to deliver.
#include "testlib/run.h"

#include "testlib/finals.h"
#include "testlib/solo_names.h"
#include "testlib/threads_ops.h"

#include "base/rng.h"
#include "base/text.h"
#include "runtime/common.h"

#include <string.h>
#include <time.h>

// ---- hooks ----------------------------------------------------------------

static enum bug_kind kind_of_fault(tr_fault_kind kind)
{
    switch (kind) {
    case TR_FAULT_STOPPED:
        return BUG_STOPPED;
    case TR_FAULT_NOBODY:
        return BUG_NOBODY;
    case TR_FAULT_UNHANDLED:
        return BUG_UNHANDLED;
    case TR_FAULT_REPLY:
        return BUG_USE;
    case TR_FAULT_OVERFLOW:
        return BUG_FULL;
    case TR_FAULT_NOMEM:
        break;
    }
    return BUG_NONE;
}

// Lost messages are told.  They fail a test only if it expects them.
static void on_fault(void *user, const tr_fault *f)
{
    struct run *r = user;
    enum bug_kind kind = kind_of_fault(f->kind);
    const char *expect = r->test->expect;
    char text[512];
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", tr__fault_text(f->kind),
             f->msg ? ": " : "", f->msg ? f->msg->name : "",
             f->cls ? " to " : "", f->cls ? f->cls->name : "",
             f->behaviour ? " in behaviour " : "",
             f->behaviour ? f->behaviour : "");
    if (kind == BUG_UNHANDLED || kind == BUG_USE ||
        (kind && expect && kind == bug_kind_of(expect)))
        run_fail(r, kind, NULL, 0, text);
    run_warn(r, text);
}

static void on_misuse(void *user, const char *what)
{
    run_fail(user, BUG_USE, NULL, 0, what);
}

static void on_bug(void *user, const struct solo_bug *b)
{
    struct run *r = user;
    enum bug_kind kind = bug_kind_of_solo(b->kind);
    char text[512];
    if (kind == BUG_CYCLE && r->test->endless && r->owed)
        siglongjmp(*r->owed, 1); // the bound on receives ends the run
    if (kind == BUG_INVARIANT)
        snprintf(text, sizeof text, "invariant '%s' is broken", b->text);
    else
        snprintf(text, sizeof text, "%s", b->text);
    run_fail(r, kind, b->file, b->line, text);
}

static void on_receive(void *user, const struct solo_option *o)
{
    struct run *r = user;
    vec_push(&r->trace, ((struct receive){*o, r->twin ? r->twin : 1, false}));
}

static void on_early(void *user)
{
    struct run *r = user;
    vec_push(&r->trace, ((struct receive){.early = true}));
}

// The schedule does not fit the program any more.  That is no failure unless it
// was asked for: the run goes on, and may pass or fail.
static void misfit(struct run *r, const struct solo_option *o, uint32_t n)
{
    struct text text = {0};
    script_misfit(&r->replay, r->runtime, o, n, &text);
    if (r->replay.strict)
        run_fail_text(r, BUG_NONDET, &text);
    run_warn(r, text_get(&text));
    text_free(&text);
}

static uint32_t on_choose(void *user, const struct solo_option *o, uint32_t n)
{
    struct run *r = user;
    bool fitted = !r->replay.misfit;
    uint32_t i = script_choose(&r->replay, r->runtime, o, n);
    if (fitted && r->replay.misfit)
        misfit(r, o, n);
    if (i == (uint32_t)SOLO_NOTHING)
        return i;
    r->twin = script_twin(o, i);
    return i;
}

// The bound on ticks ends the run: a timer that is set again and again keeps
// the body waiting.
static void on_owed(void *user)
{
    struct run *r = user;
    siglongjmp(*r->owed, 1);
}

static uint32_t on_pick(void *user, uint32_t n)
{
    struct run *r = user;
    struct rng rng = {r->rng};
    struct solo_now now;
    bool body = !tr__solo_now(r->runtime, &now);
    uint32_t pick = rng_below(&rng, n);
    r->rng = rng.state;
    if (r->replays)
        script_pick(&r->replay, body, n, &pick);
    if (pick >= n) {
        static const char large[] =
            "the schedule's answer to choose() is too large";
        if (r->replay.strict)
            run_fail(r, BUG_NONDET, NULL, 0, large);
        run_warn(r, large);
        pick = n - 1;
    }
    vec_push(&r->picks, ((struct pick){r->trace.n, pick, body}));
    return pick;
}

// ---- at rest --------------------------------------------------------------

struct resting {
    struct run *run;
    enum bug_kind kind;
    struct text text;
    uint32_t n;
};

static void on_rest(void *user, const struct solo_rest *w)
{
    struct resting *s = user;
    char who[256], on[256];
    enum bug_kind kind = bug_kind_of_solo(w->kind);
    if (!s->n++ || kind < s->kind) // the gravest comes first in BUG_KINDS
        s->kind = kind;
    if (s->n > 10)
        return;
    text_format(&s->text, "%s%s %s", s->n > 1 ? "; " : "",
                tr__solo_name(s->run->runtime, w->actor, who, sizeof who),
                w->why);
    if (w->msg)
        text_format(&s->text, ": %s", w->msg->name);
    if (w->on)
        text_format(&s->text, " %s %s",
                    w->kind == SOLO_DEFERRED ? "from" : "to",
                    tr__solo_name(s->run->runtime, w->on, on, sizeof on));
    if (w->behaviour)
        text_format(&s->text, " (%s)", w->behaviour);
}

static void check_rest(struct run *r)
{
    struct resting s = {.run = r};
    tr__solo_rest(r->runtime, r->sections.hots, r->sections.n_hots, on_rest,
                  &s);
    if (s.n) {
        struct text all = {0};
        text_format(&all, "%s: %s", bug_kind_text(s.kind), text_get(&s.text));
        if (s.n > 10)
            text_format(&all, "; and %u more", s.n - 10);
        text_free(&s.text);
        run_fail_text(r, s.kind, &all);
    }
}

static void check_finished(struct run *r)
{
    if (r->replays && !r->replay.misfit && script_left(&r->replay))
        misfit(r, NULL, 0);
}

// ---- runs -----------------------------------------------------------------

// What a replay starts from, then the test's own body.
static void bodies(struct run *r, tr_ctx *ctx)
{
    const char *of = r->test->of;
    const tr_system *system = of ? sections_system(&r->sections, of) : NULL;
    const tr_test *test = of ? sections_test(&r->sections, of) : NULL;
    if (of && !system && !test) {
        char text[300];
        snprintf(text, sizeof text, "no test or system '%s' to replay", of);
        run_fail(r, BUG_USE, r->test->file, r->test->line, text);
    }
    if (system)
        system->setup(ctx);
    else if (test)
        test->run(ctx);
    r->test->run(ctx);
}

static void open_failed(struct run *r, int error)
{
    if (error)
        run_fail(r, BUG_USE, r->test->file, r->test->line, tr_strerror(error));
}

// True if the bodies have ended, and nothing is left to deliver.
static bool run_bodies(struct run *r)
{
    sigjmp_buf owed;
    bool ended = false;
    r->owed = &owed;
    if (!sigsetjmp(owed, 0)) {
        bodies(r, r->ctx);
        tr_drain_(r->ctx);
        ended = true;
    }
    r->owed = NULL;
    return ended;
}

// A schedule of its own is followed to its end.
static uint32_t most_receives(const struct run *r)
{
    uint32_t most = r->test->max_steps      ? r->test->max_steps
                    : r->options->max_steps ? r->options->max_steps
                                            : 10000;
    return r->replays && !r->test->max_steps ? most + r->replay.steps.n : most;
}

static void run_solo(struct run *r, const tr_config *c, bool random)
{
    bool ended;
    struct solo_options opt = {
        .user = r,
        .random = random,
        .delivery = r->delivery,
        .own_clocks = r->test->clock && strcmp(r->test->clock, "own") == 0,
        .choose = r->replays ? on_choose : NULL,
        .pick = on_pick,
        .on_receive = on_receive,
        .on_bug = on_bug,
        .invariants = r->sections.invariants,
        .n_invariants = r->sections.n_invariants,
        .max_steps = most_receives(r),
        .testing = true,
        .ticks =
            ticks_bound(r->test->ticks ? r->test->ticks : r->options->ticks),
        .on_owed = on_owed,
        .on_early = on_early,
    };
    open_failed(r, tr__solo_open(&opt, c, &r->runtime));
    r->ctx = tr_enter(r->runtime);
    ended = run_bodies(r);
    check_finished(r);
    finals_write(r, r->runtime, NULL);
    if (ended)
        check_rest(r);
    record_run(r, NULL);
    tr_leave(r->ctx);
    tr_end(r->runtime);
    r->runtime = NULL;
}

struct waiting {
    uint32_t n, asks;
    struct text text;
};

static void on_waiting(void *self, const tr_class *cls,
                       const struct tr_look *look)
{
    struct waiting *w = self;
    w->asks += look->asks;
    if (look->tasks && w->n++ < 10)
        text_format(&w->text, "%s%s waits in behaviour %s",
                    w->n > 1 ? "; " : "", cls->name,
                    look->behaviour ? look->behaviour->name : "none");
}

// Nothing is left to deliver: a handler that waits for a condition waits for
// ever.  Handlers that wait for answers may wait for each other; exploration
// finds out which of them is the bug.
static void check_waiting(struct run *r, tr_runtime *runtime)
{
    struct waiting w = {0};
    struct text all = {0};
    runtime->manager->rest(runtime, on_waiting, &w);
    w.n = w.asks ? 0 : w.n;
    if (w.n)
        text_format(&all, "%s: %s", bug_kind_text(BUG_DEADLOCK),
                    text_get(&w.text));
    text_free(&w.text);
    if (w.n)
        run_fail_text(r, BUG_DEADLOCK, &all);
}

static void run_threads(struct run *r, const tr_config *c)
{
    tr_ctx *ctx;
    tr_runtime *runtime = NULL;
    struct threads_ops ops;
    open_failed(r, tr_start_(NULL, c, &runtime));
    if (!threads_ops_init(&ops, runtime, r->options->finals, on_misuse, r))
        open_failed(r, TR_ENOMEM);
    ctx = tr_enter(runtime);
    bodies(r, ctx);
    tr_drain_(ctx);
    finals_write(r, runtime, &ops);
    check_waiting(r, runtime);
    tr_leave(ctx);
    tr_end(runtime); // timers that are set again and again go on until then
    threads_ops_release(&ops);
}

static enum solo_delivery delivery_of_test(struct run *r)
{
    char text[200];
    const char *name = r->test->delivery ? r->test->delivery : r->test->explore;
    enum delivery d = name ? delivery_of(name) : DELIVERY_PAIR;
    if (d != DELIVERIES_N)
        return solo_delivery_of(d);
    snprintf(text, sizeof text, "no delivery model '%s'", name);
    run_fail(r, BUG_USE, r->test->file, r->test->line, text);
}

static void run_once(struct run *r, uint64_t seed, const char *params)
{
    const tr_manager *manager =
        r->manager == MANAGER_THREADS ? &tr_threads : &tr_single;
    tr_config c = {.manager = manager,
                   .threads = r->options->threads,
                   .seed = seed,
                   .params = params,
                   .user = r,
                   .on_fault = on_fault};
    struct rng rng = rng_of(seed ^ 0x70696373u);
    r->delivery = delivery_of_test(r);
    r->rng = rng.state;
    r->report->seed = seed;
    r->report->runs++;
    r->report->warnings[0] = '\0';
    vec_clear(&r->trace);
    vec_clear(&r->picks);
    if (r->manager == MANAGER_THREADS)
        run_threads(r, &c);
    else
        run_solo(r, &c, r->manager == MANAGER_RANDOM);
}

static void read_schedule(struct run *r)
{
    const char *error;
    r->manager = MANAGER_SINGLE;
    r->replays = true;
    r->replay.strict = r->test->strict || r->options->strict;
    error = script_read(&r->replay, r->test->schedule);
    if (error)
        run_fail(r, BUG_USE, r->test->file, r->test->line, error);
}

// If this process cannot explore, a hundred random schedules are run instead.
// If runs are recorded there is no exploration: the manager orders each run.
static void run_all(struct run *r)
{
    const tr_test *t = r->test;
    const struct test_options *o = r->options;
    uint32_t n = t->schedule ? 1 : o->repeat;
    bool explores = t->explore && !o->record && !o->finals;
    if (explores && explore_in_process(t, o, r->report))
        return;
    if (explores) {
        r->manager = MANAGER_RANDOM;
        n = t->max_schedules ? t->max_schedules : 100;
    }
    if (t->params || o->params)
        text_format(&r->params, "%s %s", t->params ? t->params : "",
                    o->params ? o->params : "");
    if (t->schedule)
        read_schedule(r);
    for (uint32_t i = 0; i < n; i++) {
        if (r->child)
            fail_limit(t->timeout_ms ? t->timeout_ms : o->timeout_ms);
        run_once(r, o->seed + i, r->params.n ? text_get(&r->params) : NULL);
    }
    if (explores)
        snprintf(r->report->text, sizeof r->report->text,
                 "%u random schedules, delivery %s", n, t->explore);
}

// Most deadlocks show only under a manager with one thread, which knows all
// that is left to deliver.
static bool skip(struct run *r)
{
    enum bug_kind kind =
        r->test->expect ? bug_kind_of(r->test->expect) : BUG_NONE;
    bool solo = kind == BUG_DEADLOCK || kind == BUG_UNANSWERED ||
                kind == BUG_DEFERRED || kind == BUG_INVARIANT ||
                kind == BUG_CYCLE;
    r->report->skipped = solo && r->manager == MANAGER_THREADS &&
                         !r->test->schedule && !r->test->explore;
    if (r->report->skipped)
        snprintf(r->report->text, sizeof r->report->text,
                 "expects %s, which threads do not show", r->test->expect);
    return r->report->skipped;
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void run_release(struct run *r)
{
    if (r->runtime) {
        tr_leave(r->ctx);
        tr__solo_lose(r->runtime);
    }
    script_free(&r->replay);
    text_free(&r->params);
    vec_free(&r->trace);
    vec_free(&r->picks);
}

void run_test(const tr_test *test, const struct test_options *o,
              struct report *report, bool child)
{
    sigjmp_buf escape;
    uint64_t start = now_ms();
    struct run r = {.test = test,
                    .options = o,
                    .report = report,
                    .sections = o->sections ? *o->sections : sections_here(),
                    .child = child,
                    .thread = pthread_self(),
                    .escape = &escape,
                    .manager = o->manager};
    fail_watch(&r);
    if (!sigsetjmp(escape, 0)) {
        if (test->expect && bug_kind_of(test->expect) == BUG_NONE)
            run_fail(&r, BUG_USE, test->file, test->line,
                     "the test expects an unknown kind of bug");
        if (!skip(&r))
            run_all(&r);
    }
    fail_watch(NULL);
    run_release(&r);
    report->ms = (uint32_t)(now_ms() - start);
    report->told = true;
}

bool report_passed(const tr_test *test, const struct report *r)
{
    if (r->skipped)
        return true;
    return test->expect
               ? r->kind == bug_kind_of(test->expect) && r->kind != BUG_NONE
               : r->kind == BUG_NONE;
}
