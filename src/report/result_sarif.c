// Findings as results of SARIF.
#include "report/result.h"

#include "base/arena.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "report/sarif.h"

#include "troupe.h"

void result_sarif_rules(struct sarif *to)
{
    for (int k = BUG_NONE + 1; k < BUG_KINDS_N; k++)
        vec_push(&to->rules,
                 ((struct sarif_rule){bug_kind_id((enum bug_kind)k),
                                      bug_kind_text((enum bug_kind)k)}));
}

void result_sarif(const struct result *r, struct arena *a, struct sarif *to)
{
    const struct tr_test *t = r->subject->test;
    for (uint32_t i = 0; i < r->findings->list.n; i++) {
        const struct bug *b = &r->findings->list.at[i].c.bug;
        bool fails = finding_fails(&r->findings->list.at[i]);
        struct sarif_finding f = {
            .rule = bug_kind_id(b->kind),
            .level = fails ? "error" : "warning",
            .text = arena_format(a, "%s: %s", t->name, b->text),
            .file = arena_text(a, b->file ? b->file : t->file),
            .line = (uint32_t)(b->file ? b->line : t->line),
        };
        vec_push(&to->findings, f);
    }
}
