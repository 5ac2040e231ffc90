#include "testlib/output.h"

#include "base/junit.h"
#include "base/text.h"

#include <string.h>

void output_reason(char *buf, size_t size, const tr_test *t,
                   const struct report *r)
{
    if (!t->expect)
        snprintf(buf, size, "%s", r->text);
    else if (r->kind == BUG_NONE)
        snprintf(buf, size, "expected %s, but nothing went wrong", t->expect);
    else
        snprintf(buf, size, "expected %s, not %s: %s", t->expect,
                 bug_kind_id(r->kind), r->text);
}

// Every line of s behind a prefix.
static void lines(FILE *to, const char *prefix, const char *s)
{
    while (s && *s) {
        size_t n = strcspn(s, "\n");
        fprintf(to, "%s%.*s\n", prefix, (int)n, s);
        s += n + (s[n] == '\n');
    }
}

// The beginning and the end of what a test printed.
static void printed(FILE *to, const char *s)
{
    enum { MOST = 40 };
    uint32_t n = 0, i = 0;
    for (const char *p = s; (p = strchr(p, '\n')); p++)
        n++;
    for (; *s; i++) {
        size_t length = strcspn(s, "\n");
        if (n <= MOST || i < MOST / 2 || i >= n - MOST / 2)
            fprintf(to, "    | %.*s\n", (int)length, s);
        else if (i == MOST / 2)
            fprintf(to, "    ... %u lines more\n", n - MOST);
        s += length + (s[length] == '\n');
    }
}

static void position(const tr_test *t, const struct report *r, char *buf,
                     size_t size)
{
    bool known = r->file[0] != '\0';
    snprintf(buf, size, "%s:%d", known ? r->file : t->file,
             known ? r->line : t->line);
}

void output_text(FILE *to, const tr_test *t, const struct report *r,
                 bool verbose)
{
    char reason[1400], at[600];
    bool passed = report_passed(t, r);
    if (r->skipped) {
        fprintf(to, "skipped %s: %s\n", t->name, r->text);
        return;
    }
    if (passed) {
        fprintf(to, "ok      %s%s%s\n", t->name, *r->text ? ": " : "", r->text);
    } else {
        output_reason(reason, sizeof reason, t, r);
        position(t, r, at, sizeof at);
        fprintf(to, "%s: FAILED %s: %s\n", at, t->name, reason);
        lines(to, "    ", r->details);
    }
    lines(to, "    warning: ", r->warnings);
    if (r->output && (verbose || !passed)) {
        fprintf(to, "    the test printed:\n");
        printed(to, r->output);
    }
}

void output_tap(FILE *to, uint32_t nr, const tr_test *t, const struct report *r)
{
    char reason[1400], at[600];
    bool passed = report_passed(t, r);
    fprintf(to, "%s %u - %s%s%s\n", passed ? "ok" : "not ok", nr, t->name,
            r->skipped ? " # SKIP " : "", r->skipped ? r->text : "");
    if (passed)
        return;
    output_reason(reason, sizeof reason, t, r);
    position(t, r, at, sizeof at);
    fprintf(to, "  ---\n  at: '%s'\n  kind: %s\n  message: |\n    %s\n", at,
            bug_kind_id(r->kind), reason);
    if (r->details[0])
        fprintf(to, "  details: |\n");
    lines(to, "    ", r->details);
    fprintf(to, "  ...\n");
    lines(to, "# ", r->output);
}

// ---- JUnit ----------------------------------------------------------------

static void add_junit(struct junit *j, const char *program, const tr_test *t,
                      const struct report *r)
{
    char reason[1400], at[600];
    struct text whole = {0};
    struct junit_case c = {.program = program,
                           .test = t->name,
                           .file = t->file,
                           .line = t->line,
                           .seconds = r->ms / 1000.0,
                           .skipped = r->skipped ? r->text : NULL,
                           .output = r->output};
    if (!report_passed(t, r)) {
        output_reason(reason, sizeof reason, t, r);
        position(t, r, at, sizeof at);
        text_format(&whole, "%s: %s\n%s", at, reason, r->details);
        c.kind = bug_kind_id(r->kind);
        c.message = reason;
        c.report = text_get(&whole);
    }
    junit_add(j, &c);
    text_free(&whole);
}

bool output_junit(const char *path, const char *program,
                  const tr_test *const *tests, const struct report *reports,
                  uint32_t n, struct diag *d)
{
    const char *slash = strrchr(program, '/');
    program = slash ? slash + 1 : program;
    struct junit *j = junit_new(program);
    for (uint32_t i = 0; i < n; i++)
        add_junit(j, program, tests[i], &reports[i]);
    return junit_write(j, path, d);
}

void output_totals(FILE *to, const struct totals *t)
{
    fprintf(to, "%u passed, %u failed", t->passed, t->failed);
    if (t->skipped)
        fprintf(to, ", %u skipped", t->skipped);
    fputc('\n', to);
}
