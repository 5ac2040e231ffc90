#include "report/call_json.h"

#include "base/json.h"
#include "base/text.h"
#include "cases/call.h"

static void value_json(const struct call_value *v, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "place", v->place);
    json_text(j, "value", v->value);
    json_bool(j, "pointer", v->kind == CALL_POINTER);
    json_end(j);
}

static void object_json(const struct call_object *o, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "name", o->name);
    json_text(j, "declaration", o->declaration);
    json_bool(j, "heap", o->form != CALL_LOCAL);
    json_bool(j, "freed", o->freed);
    json_array(j, "fields");
    for (uint32_t i = 0; i < o->fields.n; i++)
        value_json(&o->fields.at[i], j);
    json_end(j);
    json_end(j);
}

static void input_json(const struct call_case *c, struct json *j)
{
    json_array(j, "arguments");
    for (uint32_t i = 0; i < c->arguments.n; i++)
        json_text(j, NULL, c->arguments.at[i]);
    json_end(j);
    json_array(j, "objects");
    for (uint32_t i = 0; i < c->objects.n; i++)
        object_json(&c->objects.at[i], j);
    json_end(j);
    json_array(j, "before");
    for (uint32_t i = 0; i < c->before.n; i++)
        value_json(&c->before.at[i], j);
    json_end(j);
    json_array(j, "after");
    for (uint32_t i = 0; i < c->after.n; i++)
        value_json(&c->after.at[i], j);
    json_end(j);
}

static void way_json(const struct call_case *c, struct json *j)
{
    json_array(j, "lines");
    for (uint32_t i = 0; i < c->decisions.n; i++) {
        json_object(j, NULL);
        json_number(j, "line", c->decisions.at[i].line);
        json_text(j, "condition", c->decisions.at[i].text);
        json_text(j, "side", c->decisions.at[i].side);
        json_end(j);
    }
    json_end(j);
    json_array(j, "notes");
    for (uint32_t i = 0; i < c->labels.n; i++)
        json_text(j, NULL, c->labels.at[i]);
    json_end(j);
}

void call_json(const struct call_case *c, const char *test, struct json *j)
{
    struct text shown = {0};
    bool traps = c->end != CALL_RETURNS && c->end != CALL_EXITS;
    call_show(c, &shown);
    json_object(j, NULL);
    json_text(j, "program", c->programs.n ? c->programs.at[0] : "");
    json_text(j, "command", "show");
    json_text(j, "test", c->name);
    json_text(j, "file", c->file);
    json_number(j, "line", c->line);
    json_text(j, "verdict", traps ? "failed" : "passed");
    json_text(j, "words", text_get(&shown));
    json_object(j, "call");
    json_text(j, "function", c->function);
    json_text(j, "name", c->name);
    input_json(c, j);
    json_text(j, "result", c->result);
    json_text(j, "end", call_end_id(c->end));
    if (c->end != CALL_RETURNS) {
        json_text(j, "kind", c->trap.kind);
        json_text(j, "signal", c->trap.signal);
        json_text(j, "at", c->trap.file);
        json_number(j, "at_line", c->trap.line);
    }
    way_json(c, j);
    json_text(j, "source", test);
    json_end(j);
    json_end(j);
    text_free(&shown);
}
