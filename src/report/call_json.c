// The source says what the parameters are called; the case does not.
#include "report/call_json.h"

#include "base/die.h"
#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"
#include "cases/call.h"
#include "program/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- names of parameters
// ------------------------------------------------------

enum { HEAD_LINES = 12 };

// The words between the parentheses behind the function's name, in its source.
static bool find_head(const struct call_case *c, struct text *to)
{
    struct text all = {0};
    for (int i = 0; i < HEAD_LINES; i++)
        if (source_line(c->file, (int)c->line + i, &all))
            text_char(&all, ' ');
    const char *at = all.n ? strstr(text_get(&all), c->function) : NULL;
    at = at ? at + strlen(c->function) : "";
    at += strspn(at, " \t");
    int depth = 0;
    for (const char *s = at; *at == '(' && *s; s++) {
        depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
        if (!depth) {
            text_bytes(to, at + 1, (size_t)(s - at - 1));
            break;
        }
    }
    text_free(&all);
    return to->n;
}

// Of a declaration the name that it declares: the last one outside of brackets;
// of a pointer to a function the first in them.
static void declared(const char *s, size_t n, struct text *to)
{
    size_t from = 0, length = 0;
    bool pointer = memchr(s, '(', n);
    for (size_t i = 0; i < n && s[i] != '['; i++) {
        size_t k = 0;
        while (i + k < n &&
               (isalnum((unsigned char)s[i + k]) || s[i + k] == '_'))
            k++;
        if (k) {
            from = i;
            length = k;
            i += k - 1;
        }
        if (pointer && length && s[i] == ')')
            break;
    }
    text_bytes(to, s + from, length);
}

// A name for each argument; none if the source has another number of them.
static void parameters_json(const struct call_case *c, struct json *j)
{
    VEC(char *) names = {0};
    struct text head = {0};
    int depth = 0;
    bool found = c->file && find_head(c, &head);
    const char *s = text_get(&head);
    for (size_t from = 0, i = 0; found && i <= head.n; i++) {
        struct text name = {0};
        depth += (s[i] == '(' || s[i] == '[') - (s[i] == ')' || s[i] == ']');
        if (i < head.n && (s[i] != ',' || depth))
            continue;
        declared(s + from, i - from, &name);
        vec_push(&names, need_text(text_get(&name)));
        text_free(&name);
        from = i + 1;
    }
    json_array(j, "parameters");
    for (uint32_t i = 0; i < names.n; i++) {
        if (names.n == c->arguments.n)
            json_text(j, NULL, names.at[i]);
        free(names.at[i]);
    }
    json_end(j);
    vec_free(&names);
    text_free(&head);
}

// ---- the call
// -------------------------------------------------------------------

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
    parameters_json(c, j);
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
