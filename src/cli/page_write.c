#include "cli/page_write.h"

#include "base/json.h"
#include "base/text.h"
#include "cli/llvm_tool.h"
#include "cli/open_case.h"
#include "cli/session.h"
#include "cli/shell/command.h"
#include "report/page.h"

#include "troupe.h"

#include <string.h>

static const char *command_line(struct session *s)
{
    struct text t = {0};
    for (char **w = s->argv; *w; w++) {
        bool plain = **w && !(*w)[strcspn(*w, " \t\n'\"\\$&|;<>()*?[]{}`")];
        text_add(&t, w == s->argv ? "" : " ");
        if (w == s->argv) // the path of the tool is of no interest
            text_add(&t, "troupe");
        else
            text_format(&t, plain ? "%s" : "'%s'", *w);
    }
    const char *line = arena_text(&s->arena, text_get(&t));
    text_free(&t);
    return line;
}

bool page_write(struct session *s, const char *tests, bool graph)
{
    const char *path = option_text(s->options, OPT_html);
    struct text t = {0};
    if (!path)
        return true;
    // Tests that others run under control only are not run for real for a page.
    bool ran_natively = strcmp(s->command->name, "test") == 0;
    struct page p = {
        .command_line = command_line(s),
        .versions = "troupe " TR_VERSION ", built by " BUILT_BY,
        .tests = tests,
        .graph = graph ? llvm_tool_graph(s) : NULL,
        .run = graph && ran_natively ? llvm_tool_blocks(s) : NULL,
        .sources = s->inputs.at,
        .n_sources = s->inputs.n,
    };
    page_print(&p, &t);
    bool ok = session_write(s, path, &t);
    text_free(&t);
    if (ok && strcmp(path, "-") != 0 && !option_flag(s->options, OPT_quiet))
        fprintf(stderr, "troupe: the page is %s\n", path);
    return ok;
}

bool page_write_case(struct session *s, const struct open_case *k,
                     const struct confirmed *f)
{
    struct text t = {0};
    struct json j = {.to = &t, .compact = true};
    page_case_json(&k->trial.subject, &k->c, f, k->name, &j);
    bool ok = page_write(s, text_get(&t), true);
    text_free(&t);
    return ok;
}
