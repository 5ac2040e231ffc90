#include "cli/trial.h"

#include "base/text.h"
#include "program/program.h"
#include "report/terminal.h"
#include "report/result.h"
#include "report/store.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- options ------------------------------------------------------------

static bool no_kind(struct diag *d, const char *id)
{
    struct text kinds = {0};
    diag_set(d, EXIT_USAGE, "--ignore: no kind of bug '%s'", id);
    for (int n = 1; n < BUG_KINDS_N; n++)
        text_format(&kinds, "%s%s", n > 1 ? ", " : "",
                    bug_kind_id((enum bug_kind)n));
    diag_hint(d, "%s", text_get(&kinds));
    text_free(&kinds);
    return false;
}

static bool read_ignore(struct trial *t)
{
    for (uint32_t i = 0; i < option_count(t->options, OPT_ignore); i++) {
        const char *id = option_item(t->options, OPT_ignore, i);
        enum bug_kind k = bug_kind_of(id);
        if (k == BUG_NONE)
            return no_kind(&t->session->diag, id);
        t->subject.explore.ignore |= 1ull << k;
    }
    if (t->subject.test->endless)
        t->subject.explore.ignore |= 1ull << BUG_CYCLE;
    return true;
}

static uint64_t new_seed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return ((uint64_t)t.tv_nsec ^ (uint64_t)t.tv_sec << 20 ^
            (uint64_t)getpid() << 40) &
           0xffffffff;
}

static bool read_delivery(struct trial *t)
{
    const struct tr_test *test = t->subject.test;
    bool own = test->explore && !option_given(t->options, OPT_delivery);
    enum delivery d = delivery_of(own ? test->explore
                                      : option_text(t->options, OPT_delivery));
    t->subject.explore.delivery = d;
    return d != DELIVERIES_N ||
           diag_at(&t->session->diag, EXIT_USAGE, test->file, test->line,
                   "no delivery model '%s'", test->explore);
}

static bool read_clock(struct trial *t)
{
    const struct tr_test *test = t->subject.test;
    bool own = test->clock && !option_given(t->options, OPT_clock);
    const char *clock = own ? test->clock : option_text(t->options, OPT_clock);
    t->subject.explore.own_clocks = strcmp(clock, "own") == 0;
    return t->subject.explore.own_clocks || strcmp(clock, "one") == 0 ||
           diag_at(&t->session->diag, EXIT_USAGE, test->file, test->line,
                   "a clock is one or own, not '%s'", clock);
}

// Bounds of the search: those of the test, unless options say otherwise.
static void read_bounds(struct trial *t)
{
    const struct tr_test *test = t->subject.test;
    struct options *o = t->options;
    struct explore_options *x = &t->subject.explore;
    x->steps = (uint32_t)option_number(o, OPT_steps);
    if (test->max_steps && !option_given(o, OPT_steps))
        x->steps = test->max_steps;
    if (options_has(o, OPT_depth) && option_given(o, OPT_depth))
        x->steps = (uint32_t)option_number(o, OPT_depth);
    x->ticks = option_ticks(o) ? option_ticks(o) : test->ticks;
    x->schedules = option_number(o, OPT_schedules);
    if (test->max_schedules && !option_given(o, OPT_schedules))
        x->schedules = test->max_schedules;
    x->seconds = (double)option_duration(o, OPT_time) * 1e-9;
}

static void read_strategy(struct trial *t)
{
    struct options *o = t->options;
    struct explore_options *x = &t->subject.explore;
    if (options_has(o, OPT_strategy))
        x->strategy = strategy_of(option_text(o, OPT_strategy));
    if (!options_has(o, OPT_delay_bound) || !option_given(o, OPT_delay_bound))
        return;
    x->bounded_delays = true;
    x->delays = (uint32_t)option_number(o, OPT_delay_bound);
    if (x->strategy == STRATEGY_AUTO)
        x->strategy = STRATEGY_EXHAUSTIVE;
}

static void read_stage(struct trial *t)
{
    struct options *o = t->options;
    struct subject *s = &t->subject;
    s->isolate = option_flag(o, OPT_isolate);
    if (options_has(o, OPT_handler_time)) // believed at ten times the limit
        s->limit_ms =
            (uint32_t)(option_duration(o, OPT_handler_time) / 10000000);
    if (!s->limit_ms)
        s->limit_ms = 1;
    if (options_has(o, OPT_memory))
        s->memory = option_number(o, OPT_memory) << 20;
}

static void fill_subject(struct trial *t)
{
    struct options *o = t->options;
    struct subject *s = &t->subject;
    struct explore_options *x = &s->explore;
    s->params = session_params(t->session, o);
    session_case(t->session, &s->origin);
    for (uint32_t i = 0; i < option_count(o, OPT_param); i++)
        vec_push(&s->origin.params, option_item(o, OPT_param, i));
    x->seed =
        option_given(o, OPT_seed) ? option_number(o, OPT_seed) : new_seed();
    x->keep_going = option_flag(o, OPT_keep_going);
    x->shared = option_flag(o, OPT_shared);
    x->warnings = true;
    read_bounds(t);
    read_strategy(t);
    read_stage(t);
}

bool trial_init(struct trial *t, struct session *s, const struct tr_test *test,
                struct store *store)
{
    memset(t, 0, sizeof *t);
    t->session = s;
    t->subject.program = s->program;
    t->subject.test = test;
    t->store = store;
    t->say = session_say(s);
    t->options = session_options_for(s, test->name);
    if (!t->options || !read_delivery(t) || !read_clock(t))
        return false;
    fill_subject(t);
    t->past_known = !t->subject.explore.keep_going &&
                    known_of_test(&s->known, test->of ? test->of : test->name);
    return read_ignore(t);
}

void trial_release(struct trial *t)
{
    case_release(&t->subject.origin);
    findings_release(&t->findings);
    course_free(&t->course);
    options_free(t->options);
}

struct result trial_result(const struct trial *t, double seconds)
{
    struct session *s = t->session;
    return (struct result){
        .program = s->inputs.n ? s->inputs.at[0] : s->program->path,
        .subject = &t->subject,
        .findings = &t->findings,
        .seconds = seconds,
        .weakened = weakened_of(s->program, 0, 0, NULL, &s->arena)};
}

const char *trial_key(const struct trial *t)
{
    return subject_key(&t->subject, &t->session->arena);
}

// ---- findings -------------------------------------------------------------

static void keep(void *self, struct finding *f)
{
    struct trial *t = self;
    struct arena *a = &t->session->arena;
    struct diag d = {0};
    const char *of = t->subject.test->of;
    const struct known *known = &t->session->known;
    f->expected = t->may_expect && t->subject.test->expect &&
                  bug_kind_of(t->subject.test->expect) == f->c.bug.kind;
    f->known =
        known_is(known, &f->c) || (of && known_by_words(known, of, &f->c.bug));
    if (!t->store)
        return;
    f->path = store_case(t->store, a, f->id, &f->c, &d);
    if (f->path)
        f->name =
            store_case_name(store_dir(t->store), a, f->id, &f->c, f->path);
    diag_print(&d, stderr);
    diag_free(&d);
    store_finding(t->store, t->run, f->id, bug_kind_id(f->c.bug.kind),
                  f->c.test, f->path);
}

// ---- telling --------------------------------------------------------------

const char *trial_excuse(const struct trial *t)
{
    struct session *s = t->session;
    const char *calls = session_uncontrolled(s);
    if (calls)
        return arena_format(
            &s->arena,
            "uncontrolled calls: %s (run for real in every schedule)", calls);
    for (uint32_t i = 0; i < t->findings.list.n; i++) {
        enum bug_kind k = t->findings.list.at[i].c.bug.kind;
        if (k == BUG_ISOLATION || k == BUG_NONDET)
            return "its handlers depend on more than state and message";
    }
    return NULL;
}

// The test of which this bug's report was printed by this call of the tool,
// NULL if it was not; from now on it was.
static const char *told_of(struct session *s, const struct finding *f)
{
    for (uint32_t i = 0; i < s->told.n; i++)
        if (strcmp(s->told.at[i].id, f->id) == 0)
            return s->told.at[i].test;
    struct told_bug told = {arena_text(&s->arena, f->id),
                            arena_text(&s->arena, f->c.test)};
    vec_push(&s->told, told);
    return NULL;
}

static void tell(void *self, const struct finding *f)
{
    struct trial *t = self;
    struct text report = {0};
    if (f->c.bug.warning || option_flag(t->session->options, OPT_quiet))
        return;
    if (f->known) {
        fprintf(t->say, "troupe: %s: known bug %s shows: %s\n", f->c.test,
                f->id, f->c.bug.text);
        return;
    }
    if (f->expected) {
        fprintf(t->say, "troupe: %s: bug %s shows, as expected: %s\n",
                f->c.test, f->id, f->c.bug.text);
        return;
    }
    struct case_view view = {.told_of = told_of(t->session, f),
                             .colour = session_colour(t->session, t->say),
                             .width = terminal_width(t->say)};
    finding_text(&t->subject, f, &view, &report);
    fprintf(t->say, "%s\n", text_get(&report));
    const char *excuse =
        f->confirmed.outcome == CONFIRM_SAME ? NULL : trial_excuse(t);
    if (f->confirmed.outcome != CONFIRM_SAME && !f->confirmed.interrupted)
        fprintf(t->say,
                "troupe: the replay of this case went another way: %s\n",
                excuse ? excuse : "please report this as a bug of troupe");
    fflush(t->say);
    text_free(&report);
}

void trial_take(struct trial *t, const char *text, uint64_t nth)
{
    struct findings_sink sink = {t, keep, tell};
    findings_take(&t->findings, &t->subject, text, nth, &sink,
                  &t->session->arena);
}
