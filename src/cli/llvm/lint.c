// troupe lint: what is probably wrong, as text, JSON or SARIF.
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/llvm/analysis.h"
#include "cli/shell/command.h"
#include "cli/session.h"
#include "flow/flow.h"
#include "troupe.h"

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
    json_array(&j, NULL);
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
    text_char(&t, '\n');
    bool ok = session_write(s, path, &t);
    text_free(&t);
    return ok;
}

// ---- SARIF 2.1.0 ----------------------------------------------------------

static void sarif_rules(struct json *j)
{
    json_array(j, "rules");
    for (int k = 0; k < LINT_KINDS_N; k++) {
        json_object(j, NULL);
        json_text(j, "id", lint_id((enum lint_kind)k));
        json_object(j, "shortDescription");
        json_text(j, "text", lint_text((enum lint_kind)k));
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void sarif_result(const struct lint *l, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "ruleId", lint_id(l->kind));
    json_text(j, "level", level(l));
    json_object(j, "message");
    json_text(j, "text", l->text);
    json_end(j);
    json_array(j, "locations");
    json_object(j, NULL);
    json_object(j, "physicalLocation");
    json_object(j, "artifactLocation");
    json_text(j, "uri", l->file);
    json_end(j);
    json_object(j, "region");
    json_number(j, "startLine", l->line ? l->line : 1);
    if (l->column)
        json_number(j, "startColumn", l->column);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
}

static bool write_sarif(struct session *s, const struct lints *all,
                        const char *path)
{
    struct text t = {0};
    struct json j = {.to = &t};
    json_object(&j, NULL);
    json_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(&j, "version", "2.1.0");
    json_array(&j, "runs");
    json_object(&j, NULL);
    json_object(&j, "tool");
    json_object(&j, "driver");
    json_text(&j, "name", "troupe lint");
    json_text(&j, "version", TR_VERSION);
    sarif_rules(&j);
    json_end(&j);
    json_end(&j);
    json_array(&j, "results");
    for (uint32_t i = 0; i < all->at.n; i++)
        if (shown(s, &all->at.at[i]))
            sarif_result(&all->at.at[i], &j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    text_char(&t, '\n');
    bool ok = session_write(s, path, &t);
    text_free(&t);
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

int cmd_lint(struct session *s)
{
    struct lints all = {0};
    bool warned = false;
    struct ir *ir = analysis_ir(s);
    struct flow *f = ir ? analysis_flow(s, ir, false) : NULL;
    if (f)
        flow_lint(f, &all);
    bool ok = f && tell(s, &all);
    for (uint32_t i = 0; i < all.at.n; i++)
        warned |= !all.at.at[i].note;
    vec_free(&all.at);
    flow_free(f);
    ir_free(ir);
    return !ok ? s->diag.status : warned ? EXIT_BUG : EXIT_GOOD;
}
