// Exploration of a test within the test program.
//
// The play is the program itself: handlers run on the stage inside the child
// that this test was given, so nothing but the test library is needed.  As the
// tool does it: random schedules first, which find shallow bugs at once, then
// `optimal` until it is complete or the budget is spent, and `exhaustive` where
// `optimal` must refuse.
//
// There is an exploration only in programs linked with --wrap (base/libc.h), as
// the installed library's flags do: in others the stage cannot answer malloc().
// Under a sanitizer there is none either, because a sanitizer knows only the
// real heap and stacks; the caller then runs random schedules.
#include "testlib/testlib.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "cases/describe.h"
#include "cases/subject.h"
#include "cases/weakened.h"
#include "program/program.h"
#include "stage/native.h"
#include "testlib/trace_text.h"

#include <string.h>

struct exploration {
    struct subject subject;
    const struct test_options *options;
    struct report *report;
    enum bug_kind expect;
    bool found;
};

// ---- telling --------------------------------------------------------------

// Steps, then the test that keeps them.
static void tell_schedule(struct exploration *x, const struct bug *b,
                          const struct schedule *found, struct text *to)
{
    struct subject *s = &x->subject;
    struct arena a = {0};
    struct test_case c = {0};
    struct schedule made = {0};
    struct describer w = {.native = s->native, .play = s->play};
    struct describe d = describe_native(&w);
    subject_case(s, &a, b, found, &c, &made);
    struct trace *t = trace_make(&a, s->play, &made, &d);
    trace_text(t, b, to);
    text_format(to, "again: %s %s\nto keep it:\n\n", x->options->program,
                s->test->name);
    case_source(&c, NULL, to);
    trace_release(t);
    schedule_free(&made);
    case_release(&c);
    arena_free(&a);
}

static void fill(struct exploration *x, const struct bug *b,
                 const struct schedule *s)
{
    const tr_test *t = x->subject.test;
    struct report *r = x->report;
    struct text details = {0};
    r->runs++; // the time limit starts anew
    tell_schedule(x, b, s, &details);
    r->kind = b->kind;
    snprintf(r->file, sizeof r->file, "%s", b->file ? b->file : t->file);
    r->line = b->file ? b->line : t->line;
    snprintf(r->text, sizeof r->text, "%s",
             b->text ? b->text : bug_kind_text(b->kind));
    snprintf(r->details, sizeof r->details, "%s", text_get(&details));
    text_free(&details);
}

static void add_weakened(const struct exploration *x, struct text *to)
{
    const struct play_counts *c = play_counts(x->subject.play);
    struct arena a = {0};
    struct weakened w = weakened_of(x->subject.program, c->runs, c->once, NULL, &a);
    for (uint32_t i = 0; i < w.n_own; i++)
        text_format(to, "%s%s", i ? ", " : "; weaker: ", w.at[i]);
    arena_free(&a);
}

// What a passing test says: how much was seen.
static void tell_result(struct exploration *x, const struct explore_result *r)
{
    bool states = r->complete && strategy_by_state(r->decided);
    uint64_t n = states        ? r->states
                 : r->complete ? r->executions
                               : explore_made(r);
    struct text t = {0};
    text_format(&t, "%s, %llu %s%s, delivery %s",
                r->complete ? "complete" : stop_text(r->stopped_by),
                (unsigned long long)n, states ? "state" : "schedule",
                n == 1 ? "" : "s", delivery_id(x->subject.explore.delivery));
    add_weakened(x, &t);
    snprintf(x->report->text, sizeof x->report->text, "%s", text_get(&t));
    text_free(&t);
}

// ---- searching ------------------------------------------------------------

// A lost message fails only a test that expects just that.
static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct exploration *x = self;
    struct report *r = x->report;
    size_t n = strlen(r->warnings);
    if (x->found)
        return;
    if (!b->warning || b->kind == x->expect) {
        x->found = true;
        fill(x, b, s);
    } else if (b->text && !strstr(r->warnings, b->text)) {
        snprintf(r->warnings + n, sizeof r->warnings - n, "%s\n", b->text);
    }
}

static void on_progress(void *self, const struct explore_result *so_far)
{
    struct exploration *x = self;
    (void)so_far;
    x->report->runs++;
}

static bool on_stop(void *self)
{
    struct exploration *x = self;
    return x->found || native_tainted(x->subject.native);
}

static void search(struct exploration *x)
{
    struct explore_sink sink = {
        .self = x, .bug = on_bug, .progress = on_progress, .stop = on_stop};
    struct explore_result r;
    explore(x->subject.play, &x->subject.explore, &sink, &r);
    if (!x->found)
        tell_result(x, &r);
}

// ---- opening --------------------------------------------------------------

extern void *__real_malloc(size_t) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));

static bool possible(const struct test_options *o)
{
    return (o->lines || __real_malloc) && !__asan_init && !__tsan_init &&
           !__msan_init;
}

static bool no_model(const tr_test *test, struct report *report)
{
    report->kind = BUG_USE;
    report->line = test->line;
    snprintf(report->file, sizeof report->file, "%s", test->file);
    snprintf(report->text, sizeof report->text, "no delivery model '%s'",
             test->explore);
    return true;
}

static struct explore_options options_of(const tr_test *t,
                                         const struct test_options *o)
{
    uint32_t ms = t->timeout_ms ? t->timeout_ms : o->timeout_ms;
    return (struct explore_options){
        .delivery = delivery_of(t->explore),
        .seed = o->seed,
        .steps = t->max_steps ? t->max_steps : o->max_steps,
        .schedules = t->max_schedules,
        .seconds = ms * 1e-3,
        .own_clocks = t->clock && strcmp(t->clock, "own") == 0,
        .ticks = t->ticks ? t->ticks : o->ticks,
        .ignore = t->endless ? 1ull << BUG_CYCLE : 0,
        .warnings = true,
    };
}

static bool explore_subject(struct exploration *x)
{
    struct subject *s = &x->subject;
    struct diag d = {0};
    struct arena a = {0};
    s->origin.tool = TR_VERSION;
    vec_push(&s->origin.programs, s->test->file);
    case_params(&a, &s->origin, s->params);
    bool open = s->program && subject_open(s, &d);
    if (open)
        search(x);
    subject_close(s);
    case_release(&s->origin);
    arena_free(&a);
    diag_free(&d);
    return open;
}

bool explore_in_process(const tr_test *test, const struct test_options *o,
                        struct report *report)
{
    struct diag d = {0};
    struct exploration x = {.subject = {.test = test,
                                        .params = o->params,
                                        .explore = options_of(test, o)},
                            .options = o,
                            .report = report,
                            .expect = test->expect ? bug_kind_of(test->expect)
                                                   : BUG_NONE};
    if (x.subject.explore.delivery == DELIVERIES_N)
        return no_model(test, report);
    if (!possible(o))
        return false;
    struct program *own = o->lines ? NULL : program_self(&d);
    x.subject.program = own ? own : o->lines;
    bool done = explore_subject(&x);
    program_free(own);
    diag_free(&d);
    return done;
}
