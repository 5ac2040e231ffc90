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
#include "cli/second.h"
#include "cli/params.h"
#include "cli/results.h"
#include "cli/run.h"
#include "cli/search_run.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "program/program.h"
#include "report/progress.h"
#include "report/store.h"
#include "testlib/testlib.h"

#include "base/die.h"

#include <stdlib.h>
#include <string.h>

// One test.
struct row {
    const tr_test *test;
    const struct report *native;
    bool explored, covered;
    struct trial trial;
    struct search_run run;
    struct covering covering;
    struct search_result result;
    struct coverage_result coverage;
    double covering_seconds;
    enum result_verdict verdict;
    const char *sure; // how sure the verdict is
};

// reach or unit on a whole program.
struct engine {
    const char *name;
    int status;
    double seconds;
};

struct testing {
    struct session *s;
    struct results results;
    struct tests tests;
    struct report *reports;
    struct row *rows;
    FILE *out;
    double begin, limit; // seconds
    const char *uncontrollable;
    bool linted, fault;
    uint32_t warnings, wrong; // of lint; of these, failures
    double lint_seconds, native_seconds;
    struct engine engines[2];
    uint32_t n_engines;
};

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
        second_lint(t->s, share < 5 ? 5 : share, &out, &t->warnings, &why);
    t->lint_seconds = clock_now() - from;
    t->wrong = wrong_warnings(t, text_get(&out));
    if (says_much(t) || t->wrong)
        fputs(text_get(&out), t->out);
    if (!t->linted && says_much(t))
        fprintf(t->out, "troupe: lint was left out: %s\n", why);
    text_free(&out);
}

static bool native(struct testing *t)
{
    bool stopped = false;
    double from = clock_now();
    bool ok = run_natively(t->s, &t->tests, t->out, t->reports, &stopped);
    t->native_seconds = clock_now() - from;
    for (uint32_t i = 0; i < t->tests.n; i++) {
        t->rows[i].test = t->tests.at[i];
        t->rows[i].native = &t->reports[i];
    }
    return ok;
}

static bool native_failed(const struct row *r)
{
    return !r->native->skipped && !report_passed(r->test, r->native);
}

// Is the native failure a known bug that the search has met, too?
static bool native_known(const struct row *r)
{
    for (uint32_t i = 0; i < r->trial.findings.list.n; i++) {
        const struct finding *f = &r->trial.findings.list.at[i];
        if (f->known && f->c.bug.kind == r->native->kind &&
            strcmp(f->c.bug.text, r->native->text) == 0)
            return true;
    }
    return false;
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
    result_text(&r->result, &words);
    if (says_much(t) || findings_failed(&r->trial.findings))
        fputs(text_get(&words), t->out);
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
    r->trial.subject.explore.seconds = share < 0.1 ? 0.1 : share;
    search_run_begin(&r->trial);
    store_each_case(home_path(&t->s->arena, ""), &t->s->arena, try_case, r);
    if (findings_failed(&r->trial.findings) &&
        !r->trial.subject.explore.keep_going)
        search_run_none(&r->run, &r->trial);
    else
        search_run(&r->run, &r->trial);
    r->result = search_run_result(&r->run);
    r->verdict = result_verdict(&r->result);
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

static void run_engine(struct testing *t, const char *name, bool last)
{
    double share = time_left(t) / (last ? 1 : 2);
    struct engine *e = &t->engines[t->n_engines++];
    double from = clock_now();
    e->name = name;
    if (says_much(t))
        fprintf(t->out, "troupe: %s\n", name);
    fflush(t->out);
    e->status = second_run(t->s, name, share < 1 ? 1 : share);
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

// ---- verdicts ---------------------------------------------------------------

// A test that is to show a bug has shown that one, and no other.
static bool as_expected(const struct row *r)
{
    enum bug_kind want = bug_kind_of(r->test->expect);
    bool shown = false;
    for (uint32_t i = 0; i < r->trial.findings.list.n; i++) {
        const struct finding *f = &r->trial.findings.list.at[i];
        shown |= f->c.bug.kind == want;
        if (finding_fails(f) && f->c.bug.kind != want)
            return false;
    }
    return shown;
}

static const char *coverage_words(const struct row *r, struct arena *a)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        if (r->covering.o.criteria[cr]) {
            const struct coverage_counts *n = &r->covering.known.totals[cr];
            covered += n->covered;
            possible += n->goals - n->impossible;
        }
    if (!r->covered || !possible)
        return "";
    return arena_format(a, ", %.1f %% of the orders of two receives",
                        100 * (double)covered / (double)possible);
}

static const char *sure_words(const struct row *r, struct arena *a)
{
    const struct explore_result *x = &r->result.figures;
    char n[32];
    struct text t = {0};
    if (r->verdict == RESULT_FAILED) {
        for (uint32_t i = 0; i < r->trial.findings.list.n; i++)
            if (finding_fails(&r->trial.findings.list.at[i]))
                text_format(
                    &t, "%s%s %s", t.n ? ", " : "",
                    bug_kind_id(r->trial.findings.list.at[i].c.bug.kind),
                    r->trial.findings.list.at[i].id);
        if (!t.n)
            text_add(&t, "fails natively");
    } else if (!r->explored) {
        text_add(&t, r->test->schedule              ? "a kept schedule"
                     : r->native->skipped           ? "skipped"
                     : r->verdict == RESULT_REFUSED ? "not explored"
                                                    : "run once");
    } else if (x->complete) {
        bool states = strategy_by_state(r->result.strategy);
        uint64_t count = states ? x->states : x->executions;
        text_add(&t, "complete");
        result_ticks(&r->result, " within ", &t);
        text_format(&t, ": %s %s%s", progress_count(n, count),
                    states ? "state" : "schedule", count == 1 ? "" : "s");
    } else {
        text_format(&t, "%s", progress_count(n, explore_made(x)));
        if (x->estimate > (double)x->executions)
            text_format(&t, " of about %s",
                        progress_about(n, x->estimate) + strlen("~"));
        text_format(&t, " schedules%s", coverage_words(r, a));
    }
    for (uint32_t i = 0; i < r->trial.findings.list.n; i++) {
        const struct finding *f = &r->trial.findings.list.at[i];
        if (f->known && !f->c.bug.warning)
            text_format(&t, ", known bug %s", f->id);
    }
    const char *words = arena_text(a, text_get(&t));
    text_free(&t);
    return words;
}

static void judge(struct testing *t, struct row *r)
{
    if (!r->explored && r->verdict != RESULT_REFUSED)
        r->verdict = r->test->schedule ? RESULT_PASSED : RESULT_INCOMPLETE;
    if (r->test->expect && r->explored && as_expected(r))
        r->verdict = RESULT_PASSED;
    else if (native_failed(r) && !native_known(r))
        r->verdict = RESULT_FAILED;
    r->sure = sure_words(r, &t->s->arena);
}

// ---- results ----------------------------------------------------------------

static void row_json(struct json *j, const void *self)
{
    const struct row *r = self;
    if (r->explored)
        result_json(&r->result, j);
    if (r->covered)
        coverage_result_json(&r->coverage, j);
}

static void add_native_junit(struct testing *t, const struct row *r)
{
    struct junit_case c = {
        .program = t->s->inputs.at[0],
        .test = arena_format(&t->s->arena, "%s (natively)", r->test->name),
        .file = r->test->file,
        .line = r->test->line,
        .seconds = r->native->ms * 1e-3};
    if (native_failed(r) && !native_known(r)) {
        c.kind = r->native->kind ? bug_kind_id(r->native->kind) : "expected";
        c.message = r->native->text;
        c.report = r->native->details;
    }
    junit_add(t->results.junit, &c);
}

static void add_result(struct testing *t, struct row *r)
{
    struct page_test one = {.verdict = r->verdict,
                            .complete =
                                r->explored && r->result.figures.complete,
                            .words = r->sure,
                            .json = row_json,
                            .self = r};
    if (t->results.junit)
        add_native_junit(t, r);
    if (!r->explored) {
        results_count_one(&t->results, r->verdict);
        return;
    }
    double seconds = r->result.figures.seconds + r->covering_seconds;
    results_add(&t->results, &r->trial, seconds, &one);
}

static const char *verdict_word(enum result_verdict v)
{
    switch (v) {
    case RESULT_PASSED:
        return "ok";
    case RESULT_FAILED:
        return "FAILED";
    case RESULT_REFUSED:
        return "refused";
    case RESULT_INCOMPLETE:
        return "no bug found";
    }
    return "";
}

static const char *seconds_text(char buffer[32], bool there, double seconds)
{
    if (there)
        snprintf(buffer, 32, "%.2f s", seconds);
    else
        snprintf(buffer, 32, "-");
    return buffer;
}

static const char *engine_word(int status)
{
    return status == EXIT_GOOD || status == EXIT_UNREACHABLE ? "ok"
           : status == EXIT_BUG                              ? "FAILED"
           : status == EXIT_NO_ANSWER                        ? "incomplete"
                                                             : "not run";
}

static void print_table(const struct testing *t)
{
    char a[32], b[32], c[32];
    int wide = 6, sure = 8;
    for (uint32_t i = 0; i < t->tests.n; i++) {
        int n = (int)strlen(t->rows[i].test->name);
        int m = (int)strlen(t->rows[i].sure);
        wide = n > wide ? n : wide;
        sure = m > sure ? m : sure;
    }
    fprintf(t->out, "\n%-*s  %-12s  %-*s  %8s  %8s  %8s\n", wide, "test",
            "verdict", sure, "how sure", "natively", "explore", "cover");
    for (uint32_t i = 0; i < t->tests.n; i++) {
        const struct row *r = &t->rows[i];
        fprintf(t->out, "%-*s  %-12s  %-*s  %8s  %8s  %8s\n", wide,
                r->test->name, verdict_word(r->verdict), sure, r->sure,
                seconds_text(a, !r->native->skipped, r->native->ms * 1e-3),
                seconds_text(b, r->explored, r->result.figures.seconds),
                seconds_text(c, r->covered, r->covering_seconds));
    }
    for (uint32_t i = 0; i < t->n_engines; i++)
        fprintf(t->out, "%-*s  %-12s  %-*s  %8s\n", wide, t->engines[i].name,
                engine_word(t->engines[i].status), sure, "",
                seconds_text(a, true, t->engines[i].seconds));
    if (t->linted)
        fprintf(t->out, "%-*s  %-12s  %-*s  %8s\n", wide, "lint",
                t->warnings ? "warnings" : "ok", sure,
                arena_format(&t->s->arena, "%u warning%s", t->warnings,
                             t->warnings == 1 ? "" : "s"),
                seconds_text(a, true, t->lint_seconds));
}

static void json_rows(const struct testing *t, struct json *j)
{
    json_array(j, "tests");
    for (uint32_t i = 0; i < t->tests.n; i++) {
        const struct row *r = &t->rows[i];
        json_object(j, NULL);
        json_text(j, "test", r->test->name);
        json_text(j, "file", r->test->file);
        json_number(j, "line", r->test->line);
        json_text(j, "verdict",
                  r->verdict == RESULT_PASSED       ? "passed"
                  : r->verdict == RESULT_FAILED     ? "failed"
                  : r->verdict == RESULT_INCOMPLETE ? "incomplete"
                                                    : "refused");
        json_text(j, "sure", r->sure);
        json_bool(j, "native_passed", !native_failed(r));
        json_real(j, "native_seconds", r->native->ms * 1e-3);
        json_array(j, "results");
        row_json(j, r);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static bool write_json(struct testing *t)
{
    const char *path = option_text(t->s->options, OPT_json);
    struct text all = {0};
    struct json j = {.to = &all};
    if (!path)
        return true;
    json_object(&j, NULL);
    session_json_head(t->s, &j);
    json_text(&j, "program", t->s->inputs.at[0]);
    json_real(&j, "seconds", clock_now() - t->begin);
    if (t->linted)
        json_number(&j, "lint_warnings", t->warnings);
    else
        json_text(&j, "lint_warnings", NULL);
    json_rows(t, &j);
    json_end(&j);
    bool ok = session_write(t->s, path, &all);
    text_free(&all);
    return ok;
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
                        .out = trial_say(s),
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
        judge(&t, &t.rows[i]);
        add_result(&t, &t.rows[i]);
    }
    if (ok) {
        ok = write_json(&t) && results_write(&t.results);
        print_table(&t);
        results_count(&t.results);
    }
    int status = ok ? status_of(&t) : s->diag.status;
    release(&t);
    return status;
}
