// What comes of `troupe test`: verdicts, the table, the forms for other
// programs.
#include "cli/testing.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/exits.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/junit.h"
#include "base/text.h"
#include "cli/known.h"
#include "cli/session.h"
#include "report/progress.h"
#include "report/terminal.h"
#include "testlib/testlib.h"

#include <string.h>

static bool native_failed(const struct row *r)
{
    return !r->native->skipped && !report_passed(r->test, r->native);
}

// The id of the known bug that a native run shows, or NULL: one that the search
// has met, too, or has the words of.  A kept schedule shows a bug of the test
// that it is a schedule of.
static const char *native_known(const struct testing *t, const struct row *r)
{
    const struct bug b = {.kind = r->native->kind, .text = r->native->text};
    const char *test = r->test->of ? r->test->of : r->test->name;
    const struct known_bug *k =
        b.kind ? known_by_words(&t->s->known, test, &b) : NULL;
    for (uint32_t i = 0; !k && i < r->trial.findings.list.n; i++) {
        const struct finding *f = &r->trial.findings.list.at[i];
        if (f->known && f->c.bug.kind == b.kind &&
            strcmp(f->c.bug.text, b.text) == 0)
            return f->id;
    }
    return k ? k->id : NULL;
}

// ---- verdicts ---------------------------------------------------------------

bool test_as_expected(const struct row *r)
{
    enum bug_kind want =
        r->test->expect ? bug_kind_of(r->test->expect) : BUG_NONE;
    bool shown = false;
    if (!want || !r->explored)
        return false;
    for (uint32_t i = 0; i < r->trial.findings.list.n; i++) {
        const struct finding *f = &r->trial.findings.list.at[i];
        shown |= f->c.bug.kind == want;
        if (finding_fails(f) && f->c.bug.kind != want)
            return false;
    }
    return shown;
}

// It was explored whole, and what it is to show cannot happen.
static bool never_as_expected(const struct row *r)
{
    return r->test->expect && r->explored && r->verdict == RESULT_PASSED &&
           !test_as_expected(r);
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
    if (test_as_expected(r)) {
        text_format(&t, "shows %s, as expected", r->test->expect);
    } else if (r->never_expected) {
        text_format(&t, "expected %s, which cannot happen", r->test->expect);
    } else if (r->verdict == RESULT_FAILED) {
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
                     : interrupted()                ? "not explored"
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
    if (r->known && !r->explored)
        text_format(&t, ", known bug %s", r->known);
    const char *words = arena_text(a, text_get(&t));
    text_free(&t);
    return words;
}

void test_judge(struct testing *t, struct row *r)
{
    r->known = native_failed(r) ? native_known(t, r) : NULL;
    if (!r->explored && r->verdict != RESULT_REFUSED)
        r->verdict = r->test->schedule ? RESULT_PASSED : RESULT_INCOMPLETE;
    r->never_expected = never_as_expected(r);
    if (test_as_expected(r))
        r->verdict = RESULT_PASSED;
    else if (r->never_expected)
        r->verdict = RESULT_FAILED;
    else if (native_failed(r) && !r->known)
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
    if (native_failed(r) && !r->known) {
        c.kind = r->native->kind ? bug_kind_id(r->native->kind) : "expected";
        c.message = r->native->text;
        c.report = r->native->details;
    }
    junit_add(t->results.junit, &c);
}

void test_add(struct testing *t, struct row *r)
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
        results_add_native(&t->results, r->test->name, r->verdict,
                           native_failed(r) ? r->native->text : NULL);
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

struct columns {
    int wide, sure; // of the name, of how sure the verdict is
    bool below;     // the latter has a line of its own: the terminal is narrow
};

enum { VERDICT_WIDE = 12, TIMES_WIDE = 3 * 10 };

static struct columns columns_of(const struct testing *t)
{
    struct columns c = {.wide = 6, .sure = 8};
    for (uint32_t i = 0; i < t->tests.n; i++) {
        int n = (int)strlen(t->rows[i].test->name);
        int m = (int)strlen(t->rows[i].sure);
        c.wide = n > c.wide ? n : c.wide;
        c.sure = m > c.sure ? m : c.sure;
    }
    uint32_t room = terminal_width(t->out);
    c.below = room && (uint32_t)(c.wide + 2 + VERDICT_WIDE + 2 + c.sure +
                                 TIMES_WIDE) > room;
    return c;
}

static void table_row(const struct testing *t, const struct columns *c,
                      const char *name, const char *verdict, const char *sure,
                      const char *const times[3])
{
    struct text line = {0};
    text_format(&line, "%-*s  %-*s", c->wide, name, VERDICT_WIDE, verdict);
    if (!c->below)
        text_format(&line, "  %-*s", c->sure, sure);
    for (int i = 0; i < 3 && times[i]; i++)
        text_format(&line, "  %8s", times[i]);
    fprintf(t->out, "%s\n", text_get(&line));
    if (c->below && *sure)
        fprintf(t->out, "    %s\n", sure);
    text_free(&line);
}

void test_table(const struct testing *t)
{
    char a[32], b[32], e[32];
    struct columns c = columns_of(t);
    fputc('\n', t->out);
    table_row(t, &c, "test", "verdict", c.below ? "" : "how sure",
              (const char *const[]){"natively", "explore", "cover"});
    for (uint32_t i = 0; i < t->tests.n; i++) {
        const struct row *r = &t->rows[i];
        const char *const times[] = {
            seconds_text(a, !r->native->skipped, r->native->ms * 1e-3),
            seconds_text(b, r->explored, r->result.figures.seconds),
            seconds_text(e, r->covered, r->covering_seconds)};
        table_row(t, &c, r->test->name, verdict_word(r->verdict), r->sure,
                  times);
    }
    for (uint32_t i = 0; i < t->n_engines; i++)
        table_row(
            t, &c, t->engines[i].name, engine_word(t->engines[i].status), "",
            (const char *const[]){seconds_text(a, true, t->engines[i].seconds),
                                  NULL, NULL});
    if (t->linted)
        table_row(t, &c, "lint", t->warnings ? "warnings" : "ok",
                  arena_format(&t->s->arena, "%u warning%s", t->warnings,
                               t->warnings == 1 ? "" : "s"),
                  (const char *const[]){seconds_text(a, true, t->lint_seconds),
                                        NULL, NULL});
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

bool test_json(struct testing *t)
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
