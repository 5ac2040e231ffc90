// troupe test: all that is worth doing to the tests of a program, within one
// time limit.
//
// One engine after the other: lint, natively, the cases found before, explore,
// cover where exploration could not finish, then reach and unit.  What one
// leaves of the time goes to the next.
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/junit.h"
#include "cli/cover_child.h"
#include "cli/llvm_tool.h"
#include "cli/params.h"
#include "cli/results.h"
#include "cli/run.h"
#include "cli/search_run.h"
#include "cli/shell/command.h"
#include "cli/testing.h"
#include "program/home.h"
#include "program/program.h"
#include "report/progress.h"
#include "report/store.h"
#include "report/terminal.h"
#include "testlib/testlib.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

static double time_left(const struct testing *t)
{
    return t->begin + t->limit - clock_now();
}

static bool says_much(const struct testing *t)
{
    return !option_flag(t->s->options, OPT_quiet);
}

// ---- lint and native runs ---------------------------------------------------

// How many of the warnings are failures.
static uint32_t wrong_warnings(const struct testing *t, const char *out)
{
    const char *kind = option_text(t->s->options, OPT_werror);
    uint32_t n = 0;
    if (!kind || strcmp(kind, "no") == 0)
        return 0;
    if (strcmp(kind, "yes") == 0)
        return t->warnings;
    const char *mark = arena_format(&t->s->arena, "[%s]\n", kind);
    while ((out = strstr(out, mark))) {
        out += strlen(mark);
        n++;
    }
    return n;
}

static void lint(struct testing *t)
{
    struct text out = {0};
    const char *why;
    double from = clock_now(), share = t->limit / 6;
    t->linted =
        llvm_tool_lint(t->s, share < 5 ? 5 : share, &out, &t->warnings, &why);
    t->lint_seconds = clock_now() - from;
    t->wrong = wrong_warnings(t, text_get(&out));
    if (says_much(t) || t->wrong)
        fputs(text_get(&out), t->out);
    if (!t->linted && says_much(t))
        fprintf(t->out, "troupe: lint was left out: %s\n", why);
    text_free(&out);
}

static bool bounded(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_classes; i++)
        if (p->classes[i]->mailbox)
            return true;
    return false;
}

// Exploring takes mailboxes as unbounded: what follows a loss is sampled.
static bool losing(struct testing *t, bool *stopped)
{
    bool ok = true;
    for (uint32_t i = 0; ok && !*stopped && i < t->tests.n; i++) {
        const tr_test *test = t->tests.at[i];
        if (!test->schedule && !test->expect && !t->reports[i].skipped &&
            report_passed(test, &t->reports[i]))
            ok = run_losing(t->s, test, t->out, &t->reports[i], stopped);
    }
    return ok;
}

static bool native(struct testing *t)
{
    bool stopped = false;
    double from = clock_now();
    bool ok = run_natively(t->s, &t->tests, t->out, t->reports, &stopped);
    if (ok && !stopped && bounded(t->s->program))
        ok = losing(t, &stopped);
    t->native_seconds = clock_now() - from;
    for (uint32_t i = 0; i < t->tests.n; i++) {
        t->rows[i].test = t->tests.at[i];
        t->rows[i].native = &t->reports[i];
    }
    return ok;
}

// ---- cases found before -----------------------------------------------------

static bool same(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static const char *params_of_case(struct arena *a, const struct test_case *c)
{
    struct text t = {0};
    for (uint32_t i = 0; i < c->params.n; i++)
        text_format(&t, "%s%s", i ? " " : "", c->params.at[i]);
    const char *s = arena_text(a, text_get(&t));
    text_free(&t);
    return s;
}

static bool of_this_test(struct row *r, const struct test_case *c)
{
    const struct subject *s = &r->trial.subject;
    return c->bug.kind != BUG_NONE && same(c->test, r->test->name) &&
           same(c->delivery, delivery_id(s->explore.delivery)) &&
           same(params_of_case(&r->trial.session->arena, c), s->params);
}

// Does its bug still show?  Then it is a finding as any other.
static void try_case(void *self, const char *path)
{
    struct row *r = self;
    struct arena *a = &r->trial.session->arena;
    struct test_case c = {0};
    struct diag d = {0};
    struct confirmed f = {0};
    if (!interrupted() && case_read(a, path, &c, &d) && of_this_test(r, &c)) {
        confirm_apart(&r->trial.subject, &c, CONFIRM_STRICTLY, &f, &d);
        if (f.outcome == CONFIRM_SAME) {
            struct text text = {0};
            c.bug.file = f.bug.file; // its line may have moved
            c.bug.line = f.bug.line;
            case_print(&c, &text);
            trial_take(&r->trial, arena_text(a, text_get(&text)), 0);
            text_free(&text);
        }
        confirmed_release(&f);
    }
    case_release(&c);
    diag_free(&d);
}

// ---- explore and cover ------------------------------------------------------

enum { EXPLORED_PART = 70 }; // percent of what is left; the rest is cover's

static void print_result(const struct testing *t, const struct row *r)
{
    struct text words = {0};
    if (test_as_expected(r)) // it was told
        return;
    result_text(&r->result, &words);
    if (says_much(t) || findings_failed(&r->trial.findings))
        terminal_print(t->out, text_get(&words));
    fflush(t->out);
    text_free(&words);
}

static void explore_row(struct testing *t, struct row *r, uint32_t tests_left)
{
    double share = time_left(t) * EXPLORED_PART / 100 / tests_left;
    if (!trial_init(&r->trial, t->s, r->test, t->results.store)) {
        results_refuse(&t->results);
        r->verdict = RESULT_REFUSED;
        return;
    }
    r->explored = true;
    r->trial.may_expect = true;
    r->trial.subject.explore.seconds = share < 0.1 ? 0.1 : share;
    search_run_begin(&r->trial);
    store_each_case(home_path(&t->s->arena, ""), &t->s->arena, try_case, r);
    if ((findings_failed(&r->trial.findings) || test_as_expected(r)) &&
        !r->trial.subject.explore.keep_going)
        search_run_none(&r->run, &r->trial);
    else
        search_run(&r->run, &r->trial);
    r->result = search_run_result(&r->run);
    r->verdict =
        test_as_expected(r) ? RESULT_PASSED : result_verdict(&r->result);
    t->fault |=
        !findings_confirmed(&r->trial.findings) && !trial_excuse(&r->trial);
    print_result(t, r);
}

static void explore_rows(struct testing *t)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < t->tests.n; i++)
        left += !t->tests.at[i]->schedule;
    for (uint32_t i = 0; i < t->tests.n && !interrupted(); i++)
        if (!t->rows[i].test->schedule)
            explore_row(t, &t->rows[i], left--);
}

static void cover_row(struct testing *t, struct row *r, double share)
{
    struct covering *c = &r->covering;
    double from = clock_now();
    *c = (struct covering){.trial = &r->trial};
    r->trial.subject.explore.seconds = share;
    if (!covering_read(c)) {
        results_refuse(&t->results);
        return;
    }
    c->progress = progress_new(
        says_much(t)
            ? progress_kind_of(option_text(t->s->options, OPT_progress))
            : PROGRESS_NONE,
        "cover", t->s->inputs.at[0], r->test->name, c->o.seed);
    r->covered = covering_run(c);
    progress_free(c->progress);
    c->progress = NULL;
    r->coverage = covering_result(c);
    r->covering_seconds = clock_now() - from;
    if (findings_failed(&r->trial.findings))
        r->verdict = RESULT_FAILED;
}

static void cover_rows(struct testing *t)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < t->tests.n; i++)
        left += t->rows[i].verdict == RESULT_INCOMPLETE;
    for (uint32_t i = 0; i < t->tests.n && !interrupted(); i++) {
        struct row *r = &t->rows[i];
        double share = left ? time_left(t) / left : 0;
        if (!r->explored || r->verdict != RESULT_INCOMPLETE)
            continue;
        left--;
        if (share > 0.05)
            cover_row(t, r, share);
    }
}

// ---- reach and unit ---------------------------------------------------------

// The worse of two exit statuses: a bug, then no answer, then the rest.
static int worse(int a, int b)
{
    return a == EXIT_BUG || b == EXIT_BUG               ? EXIT_BUG
           : a == EXIT_NO_ANSWER || b == EXIT_NO_ANSWER ? EXIT_NO_ANSWER
           : a == EXIT_NO_MATCH                         ? b
           : b == EXIT_NO_MATCH                         ? a
           : a                                          ? a
                                                        : b;
}

// unit takes one source, and has nothing to do on one that has actors and tests
// only.
static int run_unit(struct testing *t, double share)
{
    const struct args *sources = &t->s->inputs;
    double end = clock_now() + share;
    int status = EXIT_NO_MATCH;
    for (uint32_t i = 0; i < sources->n && !interrupted(); i++) {
        double left = (end - clock_now()) / (sources->n - i);
        status = worse(
            status, llvm_tool_unit(t->s, sources->at[i], left < 1 ? 1 : left));
    }
    return status;
}

static void run_engine(struct testing *t, const char *name, bool last)
{
    double share = time_left(t) / (last ? 1 : 2);
    struct engine *e = &t->engines[t->n_engines++];
    double from = clock_now();
    e->name = name;
    if (says_much(t))
        fprintf(t->out, "troupe: %s\n", name);
    fflush(t->out);
    share = share < 1 ? 1 : share;
    e->status = strcmp(name, "unit") == 0 ? run_unit(t, share)
                                          : llvm_tool_reach(t->s, share);
    e->seconds = clock_now() - from;
}

static void other_engines(struct testing *t)
{
    const struct config *c = &t->s->config;
    if (c->reach && !interrupted())
        run_engine(t, "reach", !c->unit);
    if (c->unit && !interrupted())
        run_engine(t, "unit", true);
}

// ---- the command ------------------------------------------------------------

static int status_of(const struct testing *t)
{
    const struct results *r = &t->results;
    bool complete = option_flag(t->s->options, OPT_complete);
    bool failed = r->failed || t->wrong, open = r->incomplete;
    for (uint32_t i = 0; i < t->n_engines; i++) {
        failed |= t->engines[i].status == EXIT_BUG;
        open |= t->engines[i].status == EXIT_NO_ANSWER;
    }
    return t->fault           ? EXIT_FAULT
           : failed           ? EXIT_BUG
           : interrupted()    ? EXIT_INTERRUPTED
           : r->refused       ? EXIT_USAGE
           : open && complete ? EXIT_NO_ANSWER
                              : EXIT_GOOD;
}

// Programs that cannot be run under control are run natively only.
static bool open_tests(struct testing *t)
{
    struct diag why = {0};
    struct session *s = t->s;
    if (!session_program(s) || !session_tests(s, &t->tests) ||
        !params_check(s, &t->tests))
        return false;
    if (!program_controllable(s->program, &why)) {
        t->uncontrollable = arena_text(&s->arena, why.text);
        diag_free(&why);
        t->results.session = s;
        return true;
    }
    t->results.own_json = true;
    return results_open_quietly(&t->results, s);
}

static void release(struct testing *t)
{
    for (uint32_t i = 0; t->rows && i < t->tests.n; i++) {
        if (t->rows[i].covering.trial)
            covering_free(&t->rows[i].covering);
        if (t->rows[i].explored)
            search_run_release(&t->rows[i].run);
        if (t->rows[i].trial.options)
            trial_release(&t->rows[i].trial);
        free(t->reports[i].output);
    }
    free(t->rows);
    free(t->reports);
    results_close(&t->results);
    vec_free(&t->tests);
}

static bool try_all(struct testing *t)
{
    lint(t);
    if (!native(t))
        return false;
    if (t->uncontrollable)
        fprintf(t->out, "troupe: run natively only: %s\n", t->uncontrollable);
    else if (!interrupted())
        explore_rows(t);
    cover_rows(t);
    other_engines(t);
    return true;
}

int cmd_test(struct session *s)
{
    struct testing t = {.s = s,
                        .out = session_say(s),
                        .begin = clock_now(),
                        .limit = (double)option_duration(s->options, OPT_time) *
                                 1e-9};
    bool ok = open_tests(&t);
    if (ok) {
        t.rows = need_zero(t.tests.n * sizeof *t.rows);
        t.reports = need_zero(t.tests.n * sizeof *t.reports);
        ok = try_all(&t);
    }
    for (uint32_t i = 0; ok && i < t.tests.n; i++) {
        test_judge(&t, &t.rows[i]);
        test_add(&t, &t.rows[i]);
    }
    if (ok) {
        ok = test_json(&t) && results_write(&t.results);
        test_table(&t);
        results_count(&t.results);
    }
    int status = ok ? status_of(&t) : s->diag.status;
    release(&t);
    return status;
}
