#include "report/sarif.h"

#include "base/json.h"

#include "troupe.h"

static void print_rules(const struct sarif *s, struct json *j)
{
    json_array(j, "rules");
    for (uint32_t i = 0; i < s->rules.n; i++) {
        json_object(j, NULL);
        json_text(j, "id", s->rules.at[i].id);
        json_object(j, "shortDescription");
        json_text(j, "text", s->rules.at[i].text);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void print_place(const struct sarif_finding *f, struct json *j)
{
    json_array(j, "locations");
    json_object(j, NULL);
    json_object(j, "physicalLocation");
    json_object(j, "artifactLocation");
    json_text(j, "uri", f->file);
    json_end(j);
    json_object(j, "region");
    json_number(j, "startLine", f->line ? f->line : 1);
    if (f->column)
        json_number(j, "startColumn", f->column);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
}

static void print_finding(const struct sarif_finding *f, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "ruleId", f->rule);
    json_text(j, "level", f->level);
    json_object(j, "message");
    json_text(j, "text", f->text);
    json_end(j);
    print_place(f, j);
    json_end(j);
}

static void print_tool(const struct sarif *s, struct json *j)
{
    json_object(j, "tool");
    json_object(j, "driver");
    json_text(j, "name", s->tool);
    json_text(j, "version", TR_VERSION);
    print_rules(s, j);
    json_end(j);
    json_end(j);
}

void sarif_print(const struct sarif *s, struct text *to)
{
    struct json j = {.to = to};
    json_object(&j, NULL);
    json_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(&j, "version", "2.1.0");
    json_array(&j, "runs");
    json_object(&j, NULL);
    print_tool(s, &j);
    json_array(&j, "results");
    for (uint32_t i = 0; i < s->findings.n; i++)
        print_finding(&s->findings.at[i], &j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    json_end(&j);
    text_char(to, '\n');
}

void sarif_free(struct sarif *s)
{
    vec_free(&s->rules);
    vec_free(&s->findings);
}
