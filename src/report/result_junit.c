// A result as a test case of JUnit's XML.
#include "report/result.h"

#include "base/junit.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"

#include "troupe.h"

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
        if (!finding_fails(f))
            continue;
        c.kind = bug_kind_id(f->c.bug.kind);
        c.message = f->c.bug.text;
        finding_text(r->subject, f, &(struct case_view){0}, &report);
        c.report = text_get(&report);
    }
    junit_add(to, &c);
    text_free(&report);
}
