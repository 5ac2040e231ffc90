// Findings as annotations of GitHub Actions.
#include "report/result.h"

#include "cases/findings.h"
#include "cases/subject.h"

#include "troupe.h"

enum { MOST_SHOWN = 9 }; // GitHub shows ten of a kind

void result_github(const struct result *r, FILE *to)
{
    const struct tr_test *t = r->subject->test;
    for (uint32_t i = 0; i < r->findings->list.n && i < MOST_SHOWN; i++) {
        const struct bug *b = &r->findings->list.at[i].c.bug;
        fprintf(to, "::%s file=%s,line=%d,title=%s in %s::%s\n",
                b->warning ? "warning" : "error", b->file ? b->file : t->file,
                b->file ? b->line : t->line, bug_kind_id(b->kind), t->name,
                b->text);
    }
}
