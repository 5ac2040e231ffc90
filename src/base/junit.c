// The file is written when all cases are known, because its head counts them.
// The text of an element repeats the whole report: some viewers ignore
// attributes.
#include "base/junit.h"

#include "base/die.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
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

static void element(struct text *to, const char *name, const char *content)
{
    text_format(to, "      <%s>", name);
    escape(to, content);
    text_format(to, "</%s>\n", name);
}

static void failure(struct text *to, const struct junit_case *c)
{
    text_add(to, "      <failure");
    attribute(to, "type", c->kind);
    attribute(to, "message", c->message);
    text_char(to, '>');
    escape(to, c->report);
    text_add(to, "</failure>\n");
}

static void skipped(struct text *to, const struct junit_case *c)
{
    text_add(to, "      <skipped");
    attribute(to, "message", c->skipped);
    text_add(to, "/>\n");
}

void junit_add(struct junit *j, const struct junit_case *c)
{
    struct text *t = &j->body;
    j->tests++;
    j->failures += c->kind != NULL;
    j->skipped += !c->kind && c->skipped;
    j->seconds += c->seconds;
    text_add(t, "    <testcase");
    attribute(t, "name", c->test);
    attribute(t, "classname", c->program);
    attribute(t, "file", c->file);
    if (c->line)
        text_format(t, " line=\"%d\"", c->line);
    text_format(t, " time=\"%.6f\">\n", c->seconds);
    if (c->kind)
        failure(t, c);
    else if (c->skipped)
        skipped(t, c);
    if (c->output)
        element(t, "system-out", c->output);
    text_add(t, "    </testcase>\n");
}

bool junit_write(struct junit *j, const char *path, struct diag *d)
{
    struct text t = {0};
    text_add(&t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                 "  <testsuite");
    attribute(&t, "name", j->suite);
    text_format(&t,
                " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" "
                "time=\"%.6f\">\n",
                j->tests, j->failures, j->skipped, j->seconds);
    text_add(&t, text_get(&j->body));
    text_add(&t, "  </testsuite>\n</testsuites>\n");
    bool ok = file_write(path, &t, d);
    text_free(&t);
    text_free(&j->body);
    free(j->suite);
    free(j);
    return ok;
}
