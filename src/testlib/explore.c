// Exploration of a test within the test program.
//
// The play is the program itself: handlers run on the stage inside the child
// that this test was given, so nothing but the test library is needed.  As the
// tool does it: random schedules first, which find shallow bugs at once, then
// `optimal` until it is complete or the budget is spent, and `exhaustive` where
// `optimal` must refuse.
//
// The stage answers malloc and its like only in programs linked with --wrap
// (base/libc.h), as the installed library's flags do; elsewhere there is no
// exploration.  Nor is there under sanitizers: they look at the real heap and
// at real stacks, and the caller's random schedules are theirs to watch.
#include "testlib/testlib.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "play/case.h"
#include "cases/c_source.h"
#include "cases/trace.h"
#include "cases/describe.h"
#include "explore/explore.h"
#include "cases/replay.h"
#include "stage/native.h"
#include "program/program.h"

#include <string.h>

enum { STEPS_SHOWN = 100, SHRINK_MS = 500 };

struct hunt {
    const tr_test *test;
    const struct test_options *options;
    struct report *report;
    enum bug_kind expect;
    struct native *native;
    struct play *play;
    struct explore_options explore;
    struct explore_result result;
    bool found;
};

// ---- telling --------------------------------------------------------------

static void tell_step(const struct trace *t, uint32_t i, struct text *to)
{
    const struct trace_step *s = &t->steps.at[i];
    if (!s->msg) {
        text_format(to, "%5u  the test body goes on\n", i);
        return;
    }
    text_format(to, "%5u  %s: %s", i, t->actors.at[s->actor].name, s->msg);
    if (*s->fields)
        text_format(to, " %s", s->fields);
    for (uint32_t k = 0; k < s->n_picks && k < 4; k++)
        text_format(to, "%s%u", k ? ", " : ", picks ", s->picks[k]);
    if (s->number)
        text_format(to, " from %s", t->actors.at[s->sender].name);
    if (*s->change)
        text_format(to, "; %s", s->change);
    text_char(to, '\n');
    if (s->output)
        text_format(to, "       prints: %s%s", s->output,
                    s->output[strlen(s->output) - 1] == '\n' ? "" : "\n");
}

static void tell_waits(const struct trace *t, struct text *to)
{
    for (uint32_t i = 0; i < t->actors.n; i++) {
        const struct trace_actor *a = &t->actors.at[i];
        if (!(a->flags & STATE_STUCK))
            continue;
        text_format(to, "%s rests in '%s'", a->name, a->behaviour);
        for (uint32_t k = 0; k < a->waits.n; k++)
            text_format(to, ", waits for %s (line %d)", a->waits.at[k].what,
                        a->waits.at[k].line);
        if (*a->kept)
            text_format(to, ", keeps %s", a->kept);
        text_char(to, '\n');
    }
}

static void tell_trace(const struct trace *t, const struct bug *b,
                       struct text *to)
{
    uint32_t n = t->steps.n, from = n > STEPS_SHOWN ? n - STEPS_SHOWN : 1;
    const struct trace_step *last = &t->steps.at[n - 1]; // the body's at least
    if (b->function)
        text_format(to, "in %s\n", b->function);
    if (last->n_bugs && *last->before)
        text_format(to, "state   %s\n", last->before);
    if (b->kind == BUG_DEADLOCK || b->kind == BUG_UNANSWERED ||
        b->kind == BUG_DEFERRED)
        tell_waits(t, to);
    text_format(to, "the shortest schedule found, %u receive%s:\n", n - 1,
                n == 2 ? "" : "s");
    if (from > 1)
        text_format(to, "       ... %u before\n", from - 1);
    for (uint32_t i = from; i < n; i++)
        tell_step(t, i, to);
}

// Steps, then the test that keeps them.
static void tell_schedule(struct hunt *h, const struct bug *bug,
                          const struct schedule *s, struct text *to)
{
    struct arena a = {0};
    struct test_case c = {.tool = TR_VERSION,
                          .test = h->test->name,
                          .delivery = delivery_id(h->explore.delivery),
                          .bug = *bug};
    struct describer w = {h->native, h->play};
    struct describe d = describe_native(&w);
    struct replay r = {0};
    vec_push(&c.programs, h->test->file);
    case_params(&a, &c, h->options->params);
    replay_schedule(h->play, h->explore.delivery, s, false, &r);
    case_take(&a, &c, h->play, s, r.twins.at);
    struct trace *t = trace_make(&a, h->play, s, &d);
    tell_trace(t, bug, to);
    text_format(to, "again: %s %s\nto keep it:\n\n", h->options->program,
                h->test->name);
    case_source(&c, to);
    trace_release(t);
    replay_free(&r);
    case_release(&c);
    arena_free(&a);
}

static void fill(struct hunt *h, const struct bug *b, const struct schedule *s)
{
    struct report *r = h->report;
    struct schedule shorter = {0};
    struct text details = {0};
    r->runs++; // the time limit starts anew
    bool shrunk = schedule_shrink(h->play, h->explore.delivery, s, b,
                                  SHRINK_MS * 1e-3, &shorter);
    tell_schedule(h, b, shrunk ? &shorter : s, &details);
    r->kind = b->kind;
    snprintf(r->file, sizeof r->file, "%s", b->file ? b->file : h->test->file);
    r->line = b->file ? b->line : h->test->line;
    snprintf(r->text, sizeof r->text, "%s",
             b->text ? b->text : bug_kind_text(b->kind));
    snprintf(r->details, sizeof r->details, "%s", text_get(&details));
    text_free(&details);
    schedule_free(&shorter);
}

// ---- searching ------------------------------------------------------------

// A lost message fails only a test that expects just that.
static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct hunt *h = self;
    struct report *r = h->report;
    size_t n = strlen(r->warnings);
    if (h->found)
        return;
    if (!b->warning || b->kind == h->expect) {
        h->found = true;
        fill(h, b, s);
    } else if (b->text && !strstr(r->warnings, b->text)) {
        snprintf(r->warnings + n, sizeof r->warnings - n, "%s\n", b->text);
    }
}

static void on_progress(void *self, const struct explore_result *so_far)
{
    struct hunt *h = self;
    (void)so_far;
    h->report->runs++;
}

static bool on_stop(void *self)
{
    struct hunt *h = self;
    return h->found || native_tainted(h->native);
}

static void search(struct hunt *h)
{
    const tr_test *t = h->test;
    uint32_t ms = t->timeout_ms ? t->timeout_ms : h->options->timeout_ms;
    struct explore_sink sink = {
        .self = h, .bug = on_bug, .progress = on_progress, .stop = on_stop};
    h->explore.schedules = t->max_schedules;
    h->explore.seconds = ms * 1e-3;
    explore(h->play, &h->explore, &sink, &h->result);
}

// What a passing test says, so that nobody takes a part for the whole.
static void tell_result(struct hunt *h)
{
    const struct explore_result *x = &h->result;
    snprintf(h->report->text, sizeof h->report->text,
             "%s, %llu schedule%s, delivery %s",
             x->complete ? "complete" : stop_text(x->stopped_by),
             (unsigned long long)x->executions, x->executions == 1 ? "" : "s",
             delivery_id(h->explore.delivery));
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

static bool explore_program(struct hunt *h, const struct program *p)
{
    struct diag d = {0};
    struct native_options o = {.test = h->test->name,
                               .params = h->options->params};
    h->native = native_open(p, &o, &d);
    diag_free(&d);
    if (!h->native)
        return false;
    h->play = play_new(native_ops(h->native), h->native, 0);
    search(h);
    if (!h->found)
        tell_result(h);
    play_free(h->play);
    native_close(h->native);
    return true;
}

bool explore_in_process(const tr_test *test, const struct test_options *o,
                        struct report *report)
{
    struct hunt h = {.test = test,
                     .options = o,
                     .report = report,
                     .expect =
                         test->expect ? bug_kind_of(test->expect) : BUG_NONE};
    struct diag d = {0};
    h.explore.delivery = delivery_of(test->explore);
    h.explore.seed = o->seed;
    h.explore.steps = test->max_steps ? test->max_steps : o->max_steps;
    h.explore.warnings = true;
    if (h.explore.delivery == DELIVERIES_N)
        return no_model(test, report);
    if (!possible(o))
        return false;
    struct program *own = o->lines ? NULL : program_self(&d);
    const struct program *p = own ? own : o->lines;
    diag_free(&d);
    bool done = p && explore_program(&h, p);
    program_free(own);
    return done;
}
