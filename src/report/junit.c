// Written when all cases are known, because the head counts them.  The whole
// report stands in the element's text too: some viewers ignore attributes.
#include "report/junit.h"

#include "base/diag.h"
#include "base/die.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "report/result.h"

#include "troupe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct junit {
    char *suite;
    struct text body;
    unsigned tests, failures, skipped;
    double seconds;
};

struct junit *junit_new(const char *suite)
{
    struct junit *j = need_zero(sizeof *j);
    j->suite = need_text(suite);
    return j;
}

// XML 1.0 has no way to write most control characters: '?' stands for them.
static void escape(struct text *to, const char *s)
{
    for (; s && *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '&')
            text_add(to, "&amp;");
        else if (c == '<')
            text_add(to, "&lt;");
        else if (c == '>')
            text_add(to, "&gt;");
        else if (c == '"')
            text_add(to, "&quot;");
        else
            text_char(to, c < 32 && !strchr("\t\n", c) ? '?' : (char)c);
    }
}

static void attribute(struct text *to, const char *name, const char *value)
{
    if (!value)
        return;
    text_format(to, " %s=\"", name);
    escape(to, value);
    text_char(to, '"');
}

void junit_add(struct junit *j, const struct junit_case *c)
{
    struct text *t = &j->body;
    j->tests++;
    j->seconds += c->seconds;
    text_add(t, "    <testcase");
    attribute(t, "name", c->test);
    attribute(t, "classname", c->program);
    attribute(t, "file", c->file);
    if (c->line)
        text_format(t, " line=\"%d\"", c->line);
    text_format(t, " time=\"%.6f\"", c->seconds);
    if (c->kind) {
        j->failures++;
        text_add(t, ">\n      <failure");
        attribute(t, "type", c->kind);
        attribute(t, "message", c->message);
        text_char(t, '>');
        escape(t, c->report);
        text_add(t, "</failure>\n    </testcase>\n");
    } else if (c->skipped) {
        j->skipped++;
        text_add(t, ">\n      <skipped/>\n    </testcase>\n");
    } else {
        text_add(t, "/>\n");
    }
}

// Write the text to a file, or to stdout if the path is "-".
static bool put(const char *path, const struct text *t)
{
    if (strcmp(path, "-") == 0)
        return fwrite(t->at, 1, t->n, stdout) == t->n;
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    bool ok = fwrite(t->at, 1, t->n, f) == t->n;
    return fclose(f) == 0 && ok;
}

bool junit_write(struct junit *j, const char *path, struct diag *d)
{
    struct text t = {0};
    text_add(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                 "  <testsuite");
    attribute(&t, "name", j->suite);
    text_format(&t,
                " tests=\"%u\" failures=\"%u\" skipped=\"%u\" time=\"%.6f\">\n",
                j->tests, j->failures, j->skipped, j->seconds);
    text_add(&t, text_get(&j->body));
    text_add(&t, "  </testsuite>\n</testsuites>\n");
    bool ok = put(path, &t);
    if (!ok)
        diag_set(d, EXIT_USAGE, "%s: %s", path, strerror(errno));
    text_free(&t);
    text_free(&j->body);
    free(j->suite);
    free(j);
    return ok;
}

void result_junit(const struct result *r, struct junit *to)
{
    const struct tr_test *t = r->subject->test;
    struct text report = {0};
    struct junit_case c = {.program = r->program,
                           .test = t->name,
                           .file = t->file,
                           .line = t->line,
                           .seconds = r->seconds};
    for (uint32_t i = 0; i < r->findings->list.n && !c.kind; i++) {
        const struct finding *f = &r->findings->list.at[i];
        if (f->c.bug.warning)
            continue;
        c.kind = bug_kind_id(f->c.bug.kind);
        c.message = f->c.bug.text;
        finding_text(r->subject, f, &(struct case_view){0}, &report);
        c.report = text_get(&report);
    }
    junit_add(to, &c);
    text_free(&report);
}
