// troupe cover: schedules chosen to raise schedule coverage.
//
// The options, and what is kept.  Coverage is kept in the run
// directory, where runs of the same program, test and parameters are merged.
#include "cli/cover_child.h"

#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wire.h"
#include "cases/weakened.h"
#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "cli/results.h"
#include "cli/second_sample.h"
#include "cover/coverage_text.h"
#include "cover/survey.h"
#include "report/coverage_result.h"
#include "report/progress.h"
#include "report/store.h"
#include "report/terminal.h"
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

// ---- options --------------------------------------------------------------

static bool read_criteria(struct covering *c)
{
    struct session *s = c->trial->session;
    const char *list = option_text(c->trial->options, OPT_criterion);
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, ",");
        const char *word = arena_format(&s->arena, "%.*s", (int)n, p);
        enum criterion cr = criterion_of(word);
        if (strcmp(word, "all") == 0)
            memset(c->o.criteria, 1, sizeof c->o.criteria);
        else if (cr != CRITERIA_N)
            c->o.criteria[cr] = true;
        else
            return diag_set(&s->diag, EXIT_USAGE,
                            "--criterion: '%s' is not pr, pmr, pcr or all",
                            word);
        p += n + (p[n] != '\0');
    }
    return true;
}

bool covering_read(struct covering *c)
{
    const struct explore_options *x = &c->trial->subject.explore;
    struct options *o = c->trial->options;
    c->o = (struct cover_options){
        .delivery = x->delivery,
        .seed = x->seed,
        .steps = x->steps,
        .budget = option_number(o, OPT_budget),
        .seconds = x->seconds,
        .keep_going = x->keep_going || c->trial->past_known,
        .ignore = x->ignore,
        .once = option_flag(o, OPT_once),
    };
    if (!c->o.budget)
        c->o.budget = x->schedules;
    if (option_given(o, OPT_initial))
        c->o.initial = (uint32_t)option_number(o, OPT_initial);
    c->explored = (uint32_t)option_number(o, OPT_explored);
    c->report = option_flag(o, OPT_report);
    if (option_given(o, OPT_goal))
        c->o.goal = strtod(option_text(o, OPT_goal), NULL) / 100;
    return read_criteria(c) && covering_read_from(c);
}

// ---- what was kept --------------------------------------------------------

static const char *key_of(struct covering *c)
{
    return arena_format(&c->trial->session->arena, "coverage %s",
                        trial_key(c->trial));
}

// The coverage that is kept, of any build of the tool; NULL if there is none.
static const char *recall(struct covering *c)
{
    struct trial *t = c->trial;
    struct wire_reader in;
    enum store_state state = STORE_NONE;
    if (t->store)
        state = store_recall(t->store, &t->session->arena, key_of(c), &in);
    const char *lines = state == STORE_NONE ? NULL : wire_get_string(&in);
    if (state != STORE_NONE && !lines)
        fprintf(stderr,
                "troupe: %s: the coverage that is kept is damaged; it is left "
                "out\n",
                t->subject.test->name);
    return lines;
}

// Coverage of earlier runs, if it is wanted.  A report without any needs at
// least schedules of the user's.
static bool load(struct covering *c)
{
    struct trial *t = c->trial;
    struct session *s = t->session;
    if (!c->report && !option_flag(t->options, OPT_merge))
        return true;
    const char *lines = recall(c);
    if (!lines && c->report && !c->from.n && !c->explored) {
        diag_set(&s->diag, EXIT_USAGE,
                 "--report: no coverage of %s%s%s is kept, delivery %s",
                 t->subject.test->name, *t->subject.params ? " with " : "",
                 t->subject.params, delivery_id(c->o.delivery));
        diag_hint(&s->diag,
                  "what is kept is of one program, test, delivery "
                  "model and its parameters: run %s cover first",
                  command_typed());
        return false;
    }
    if (lines && coverage_read(&c->known, lines))
        return diag_set(&s->diag, EXIT_USAGE,
                        "%s: the coverage kept of %s cannot be read",
                        store_dir(t->store), t->subject.test->name);
    return true;
}

static void keep(struct covering *c)
{
    struct text lines = {0}, kept = {0};
    if (!c->trial->store ||
        (c->report && !option_flag(c->trial->options, OPT_merge)))
        return;
    coverage_print(&c->known, &lines);
    store_keep_begin(c->trial->store, key_of(c), &kept);
    wire_put_string(&kept, text_get(&lines));
    store_keep(c->trial->store, key_of(c), &kept);
    text_free(&lines);
    text_free(&kept);
}

// ---- results --------------------------------------------------------------

static bool write_file(struct covering *c, enum option_id id)
{
    const char *path = option_text(c->trial->options, id);
    struct text t = {0};
    if (!path)
        return true;
    if (id == OPT_csv)
        curve_csv(&c->curve, &t);
    else
        curve_svg(&c->curve,
                  arena_format(&c->trial->session->arena,
                               "%s: ordering goals covered, delivery %s",
                               c->trial->subject.test->name,
                               delivery_id(c->o.delivery)),
                  &t);
    bool ok = session_write(c->trial->session, path, &t);
    text_free(&t);
    return ok;
}

// ---- the command ----------------------------------------------------------

struct sums {
    struct results results;
    uint32_t short_of_goal, odd;
    bool criteria[CRITERIA_N];
    struct coverage all; // of all tests
};

static void show_progress(struct covering *c)
{
    struct session *s = c->trial->session;
    c->progress = progress_new(
        option_flag(s->options, OPT_quiet)
            ? PROGRESS_NONE
            : progress_kind_of(option_text(s->options, OPT_progress)),
        "cover", s->inputs.n ? s->inputs.at[0] : "",
        c->trial->subject.test->name, c->o.seed);
}

// Schedules were run, and nothing was found that a sample could find again.
static bool all_is_well(const struct covering *c)
{
    return !c->report && !c->trial->findings.list.n &&
           !c->trial->subject.test->expect && !interrupted();
}

struct coverage_result covering_result(const struct covering *c)
{
    struct session *s = c->trial->session;
    const char *sample =
        all_is_well(c) ? second_sample(s, &c->trial->subject) : NULL;
    bool budget = option_given(c->trial->options, OPT_budget);
    struct result of = trial_result(c->trial, c->result.seconds);
    of.weakened = weakened_of(s->program, 0, 0, sample, &s->arena);
    return (struct coverage_result){
        .of = of,
        .options = &c->o,
        .figures = &c->result,
        .coverage = &c->known,
        .report = c->report,
        .bound = budget ? "--budget" : "--schedules",
        .odd = c->odd.at,
        .n_odd = c->odd.n,
    };
}

static const char *say(const struct trial *t, const struct coverage_result *r)
{
    struct text words = {0};
    coverage_result_text(r, option_flag(t->options, OPT_quiet),
                         option_flag(t->options, OPT_verbose), &words);
    terminal_print(t->say, text_get(&words));
    fflush(t->say);
    const char *said = arena_text(&t->session->arena, text_get(&words));
    text_free(&words);
    return said;
}

// The curve as a course: goals of all criteria that count, together.
static void take_course(struct covering *c)
{
    for (uint32_t i = 0; i < c->curve.points.n; i++) {
        const struct curve_point *from = &c->curve.points.at[i];
        struct course_point p = {.seconds = from->seconds,
                                 .schedules = from->executions,
                                 .estimate = -1};
        for (int cr = 0; cr < CRITERIA_N; cr++)
            if (c->o.criteria[cr]) {
                p.covered += from->covered[cr];
                p.possible += from->possible[cr];
            }
        if (i + 1 < c->curve.points.n)
            course_add(&c->trial->course, &p);
        else
            course_end(&c->trial->course, &p);
    }
}

static void print_json(struct json *j, const void *result)
{
    coverage_result_json(result, j);
}

static void finish(struct covering *c, struct sums *sums)
{
    struct coverage_result r = covering_result(c);
    struct page_test one = {
        .verdict = coverage_result_verdict(&r),
        .words = say(c->trial, &r),
        .json = print_json,
        .self = &r,
    };
    take_course(c);
    results_add(&sums->results, c->trial, c->result.seconds, &one);
    sums->short_of_goal +=
        !coverage_result_reached(&r) || c->result.stopped_by == STOP_LIMIT;
    memcpy(sums->criteria, c->o.criteria, sizeof sums->criteria);
    if (sums->results.tests.n > 1)
        coverage_merge(&sums->all, &c->known);
}

static void cover_test(struct session *s, const tr_test *t, struct sums *sums)
{
    struct store *store = sums->results.store;
    struct trial trial;
    struct covering c = {.trial = &trial};
    bool ok = trial_init(&trial, s, t, store) && covering_read(&c) && load(&c);
    if (ok && (!c.report || c.from.n || c.explored)) {
        show_progress(&c);
        if (store && !c.report)
            trial.run = store_begin(store, "cover", key_of(&c));
        if (!covering_run(&c)) {
            fprintf(stderr, "troupe: %s: the covering process died\n", t->name);
            sums->odd++;
        }
        progress_free(c.progress);
    }
    if (ok) {
        keep(&c);
        finish(&c, sums);
        ok = write_file(&c, OPT_csv) && write_file(&c, OPT_svg);
    }
    if (!ok)
        results_refuse(&sums->results);
    covering_free(&c);
    trial_release(&trial);
}

// Files of one test's coverage need to know which.
static bool one_if_drawn(struct session *s, uint32_t tests)
{
    return tests < 2 ||
           !(option_text(s->options, OPT_csv) ||
             option_text(s->options, OPT_svg)) ||
           diag_set(&s->diag, EXIT_USAGE,
                    "--csv and --svg are of one test, and there are %u; name "
                    "one",
                    tests);
}

static void say_all(struct session *s, const struct sums *sums)
{
    struct survey v;
    struct text t = {0};
    if (sums->results.done > 1 && !option_flag(s->options, OPT_quiet)) {
        survey_make(&v, &sums->all);
        text_format(&t, "troupe: %u tests together\n", sums->results.done);
        survey_numbers(&v, sums->criteria, &t);
        survey_free(&v);
    }
    fputs(text_get(&t), session_say(s));
    text_free(&t);
    results_count(&sums->results);
}

static int status_of(const struct sums *sums)
{
    return sums->results.refused  ? EXIT_USAGE
           : sums->odd            ? EXIT_FAULT
           : sums->results.failed ? EXIT_BUG
           : interrupted()        ? EXIT_INTERRUPTED
           : sums->short_of_goal  ? EXIT_NO_ANSWER
                                  : EXIT_GOOD;
}

int cmd_cover(struct session *s)
{
    struct sums sums = {0};
    struct results *r = &sums.results;
    bool needs_store = option_flag(s->options, OPT_merge) ||
                       option_flag(s->options, OPT_report);
    bool ok = results_open(r, s, needs_store) && one_if_drawn(s, r->tests.n);
    for (uint32_t i = 0; ok && i < r->tests.n && !interrupted(); i++)
        cover_test(s, r->tests.at[i], &sums);
    if (ok) {
        ok = results_write(r);
        say_all(s, &sums);
    }
    coverage_free(&sums.all);
    results_close(r);
    return ok ? status_of(&sums) : s->diag.status; // the caller prints it
}
