// troupe lint: what is probably wrong, as text, JSON or SARIF.
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/llvm/analysis.h"
#include "cli/shell/command.h"
#include "cli/session.h"
#include "flow/flow.h"
#include "program/source.h"
#include "report/sarif.h"

static bool shown(const struct session *s, const struct lint *l)
{
    return !l->note || option_flag(s->options, OPT_verbose);
}

static const char *level(const struct lint *l)
{
    return l->note ? "note" : "warning";
}

static void print_lints(struct session *s, const struct lints *all)
{
    uint32_t n = 0, hidden = 0;
    for (uint32_t i = 0; i < all->at.n; i++) {
        const struct lint *l = &all->at.at[i];
        if (!shown(s, l)) {
            hidden++;
            continue;
        }
        printf("%s:%u: %s: %s [%s]\n", l->file, l->line, level(l), l->text,
               lint_id(l->kind));
        if (session_github(s))
            printf("::warning file=%s,line=%u,title=%s::%s\n", l->file, l->line,
                   lint_id(l->kind), l->text);
        n += !l->note;
    }
    if (option_flag(s->options, OPT_quiet))
        return;
    printf("%u warning%s", n, n == 1 ? "" : "s");
    if (hidden)
        printf(", %u note%s with --verbose", hidden, hidden == 1 ? "" : "s");
    printf("\n");
}

static bool write_json(struct session *s, const struct lints *all,
                       const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    session_json_head(s, &j);
    json_array(&j, "findings");
    for (uint32_t i = 0; i < all->at.n; i++) {
        const struct lint *l = &all->at.at[i];
        if (!shown(s, l))
            continue;
        json_object(&j, NULL);
        json_text(&j, "rule", lint_id(l->kind));
        json_text(&j, "level", level(l));
        json_text(&j, "file", l->file);
        json_number(&j, "line", l->line);
        json_number(&j, "column", l->column);
        json_text(&j, "text", l->text);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    bool ok = session_write(s, path, &t);
    text_free(&t);
    return ok;
}

static bool write_sarif(struct session *s, const struct lints *all,
                        const char *path)
{
    struct sarif out = {.tool = "troupe lint"};
    struct text t = {0};
    for (int k = 0; k < LINT_KINDS_N; k++)
        vec_push(&out.rules,
                 ((struct sarif_rule){lint_id((enum lint_kind)k),
                                      lint_text((enum lint_kind)k)}));
    for (uint32_t i = 0; i < all->at.n; i++) {
        const struct lint *l = &all->at.at[i];
        struct sarif_finding f = {lint_id(l->kind), level(l), l->text,
                                  l->file,          l->line,  l->column};
        if (shown(s, l))
            vec_push(&out.findings, f);
    }
    sarif_print(&out, &t);
    bool ok = session_write(s, path, &t);
    text_free(&t);
    sarif_free(&out);
    return ok;
}

static bool tell(struct session *s, const struct lints *all)
{
    const char *json = option_text(s->options, OPT_json);
    const char *sarif = option_text(s->options, OPT_sarif);
    if (json && !write_json(s, all, json))
        return false;
    if (sarif && !write_sarif(s, all, sarif))
        return false;
    bool taken =
        (json && strcmp(json, "-") == 0) || (sarif && strcmp(sarif, "-") == 0);
    if (!taken)
        print_lints(s, all);
    return true;
}

// "// troupe: allow KIND" in the line or in the one above: somebody has looked
// at it, and it is a note.
static bool is_allowed(const struct lint *l)
{
    struct text words = {0};
    bool found = false;
    text_format(&words, "troupe: allow %s", lint_id(l->kind));
    for (int line = (int)l->line - 1; line <= (int)l->line && !found; line++) {
        struct text source = {0};
        found = line > 0 && source_line(l->file, line, &source) &&
                strstr(text_get(&source), text_get(&words));
        text_free(&source);
    }
    text_free(&words);
    return found;
}

int cmd_lint(struct session *s)
{
    struct lints all = {0};
    bool warned = false;
    struct ir *ir = analysis_ir(s);
    struct flow *f = ir ? analysis_flow(s, ir, false) : NULL;
    if (f)
        flow_lint(f, &all);
    for (uint32_t i = 0; i < all.at.n; i++)
        all.at.at[i].note |= is_allowed(&all.at.at[i]);
    bool ok = f && tell(s, &all);
    for (uint32_t i = 0; i < all.at.n; i++)
        warned |= !all.at.at[i].note;
    vec_free(&all.at);
    flow_free(f);
    ir_free(ir);
    return !ok ? s->diag.status : warned ? EXIT_BUG : EXIT_GOOD;
}
