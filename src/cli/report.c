// troupe report: the page of a run that is over.
#include "base/number.h"
#include "base/text.h"
#include "cli/page_write.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "program/home.h"
#include "report/store.h"

int cmd_report(struct session *s)
{
    struct text pages = {0};
    uint64_t run = 0;
    if (s->words.n > 1)
        return diag_set(&s->diag, EXIT_USAGE, "one run at a time"), EXIT_USAGE;
    if (s->words.n && (!number_parse(s->words.at[0], &run) || !run)) {
        diag_set(&s->diag, EXIT_USAGE, "'%s' is not the number of a run",
                 s->words.at[0]);
        diag_hint(&s->diag, "runs are kept in .troupe/runs, the last one in "
                            ".troupe/last");
        return EXIT_USAGE;
    }
    bool ok =
        store_pages(home_path(&s->arena, ""), (uint32_t)run, &pages, &s->diag);
    if (ok && !option_given(s->options, OPT_html))
        ok = options_set(s->options, OPT_html, "troupe.html", FROM_COMMAND_LINE,
                         NULL, &s->diag);
    ok = ok && page_write(s, text_get(&pages), false);
    text_free(&pages);
    return ok ? EXIT_GOOD : s->diag.status;
}
