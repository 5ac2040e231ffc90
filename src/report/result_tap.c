// A result as a line of TAP 13, with each bug in a block of YAML.
#include "report/result.h"

#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"

#include "troupe.h"

#include <string.h>

// A block of text, each line indented.
static void add_block(const char *indent, const char *s, struct text *to)
{
    while (*s) {
        size_t n = strcspn(s, "\n");
        text_format(to, "%s%.*s\n", indent, (int)n, s);
        s += n + (s[n] != 0);
    }
}

static void add_line(const char *test, enum result_verdict verdict,
                     uint32_t number, struct text *to)
{
    text_format(to, "%s %u - %s%s\n",
                verdict == RESULT_PASSED ? "ok" : "not ok", number, test,
                verdict == RESULT_INCOMPLETE ? " # TODO not complete" : "");
}

void result_tap_native(const char *test, enum result_verdict verdict,
                       const char *why, uint32_t number, struct text *to)
{
    add_line(test, verdict, number, to);
    if (!why || verdict != RESULT_FAILED)
        return;
    text_add(to, "  ---\n  report: |\n");
    add_block("    ", why, to);
    text_add(to, "  ...\n");
}

void result_tap(const struct result *r, enum result_verdict verdict,
                uint32_t number, struct text *to)
{
    add_line(r->subject->test->name, verdict, number, to);
    for (uint32_t i = 0; i < r->findings->list.n; i++) {
        const struct finding *f = &r->findings->list.at[i];
        struct text report = {0};
        if (!finding_fails(f))
            continue;
        finding_text(r->subject, f, &(struct case_view){0}, &report);
        text_format(to, "  ---\n  bug: %s\n  kind: %s\n  report: |\n", f->id,
                    bug_kind_id(f->c.bug.kind));
        add_block("    ", text_get(&report), to);
        text_add(to, "  ...\n");
        text_free(&report);
    }
}
