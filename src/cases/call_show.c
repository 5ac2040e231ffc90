// A call for people: what it is given and what becomes of it, side by side.
#include "cases/call.h"

#include "base/text.h"

#include <string.h>

// The value behind this place at the end, NULL if the call does not tell.
static const char *later(const struct call_case *c, const char *place)
{
    for (uint32_t i = 0; i < c->after.n; i++)
        if (strcmp(c->after.at[i].place, place) == 0)
            return c->after.at[i].value;
    return NULL;
}

static void arrow(const char *before, const char *after, struct text *to)
{
    text_add(to, before);
    if (after && strcmp(before, after) != 0)
        text_format(to, " -> %s", after);
}

static bool belongs(const struct call_object *o, const char *place)
{
    size_t n = strlen(o->name);
    if (*place == '*')
        place++;
    return strncmp(place, o->name, n) == 0 &&
           (!place[n] || strchr(".-[", place[n]));
}

static bool was_given(const struct call_object *o, const char *place)
{
    struct text t = {0};
    bool found = false;
    for (uint32_t i = 0; i < o->fields.n && !found; i++) {
        text_clear(&t);
        text_format(&t, "%s%s", o->name, o->fields.at[i].place);
        found = strcmp(text_get(&t), place) == 0;
    }
    text_free(&t);
    return found;
}

static void show_object(const struct call_case *c, const struct call_object *o,
                        struct text *to)
{
    struct text place = {0};
    text_format(to, "  %s\n", o->declaration);
    for (uint32_t i = 0; i < o->fields.n; i++) {
        const struct call_value *v = &o->fields.at[i];
        text_clear(&place);
        text_format(&place, "%s%s", o->name, v->place);
        text_format(to, "    %-24s ", *v->place ? v->place : "=");
        arrow(v->value, later(c, text_get(&place)), to);
        text_char(to, '\n');
    }
    for (uint32_t i = 0; i < c->after.n; i++) {
        const struct call_value *v = &c->after.at[i];
        if (belongs(o, v->place) && !was_given(o, v->place))
            text_format(to, "    %-24s -> %s\n", v->place + strlen(o->name),
                        v->value);
    }
    text_free(&place);
}

static void show_rest(const struct call_case *c, struct text *to)
{
    for (uint32_t i = 0; i < c->after.n; i++) {
        bool told = false;
        for (uint32_t k = 0; k < c->objects.n; k++)
            told |= belongs(&c->objects.at[k], c->after.at[i].place);
        if (!told)
            text_format(to, "  %s = %s\n", c->after.at[i].place,
                        c->after.at[i].value);
    }
}

static void show_end(const struct call_case *c, struct text *to)
{
    switch (c->end) {
    case CALL_RETURNS:
        text_add(to, "returns\n");
        show_rest(c, to);
        return;
    case CALL_TRAPS:
        text_format(to, "ends by %s: %s at %s:%u", c->trap.signal, c->trap.kind,
                    c->trap.file, c->trap.line);
        break;
    case CALL_REPORTED:
        text_format(to, "a sanitizer reports: %s at %s:%u", c->trap.kind,
                    c->trap.file, c->trap.line);
        break;
    case CALL_ENDS_N:
        break;
    case CALL_EXITS:
        text_format(to, "exits with %s at %s:%u", c->trap.signal, c->trap.file,
                    c->trap.line);
        break;
    }
    if (c->trap.text && *c->trap.text)
        text_format(to, "  %s", c->trap.text);
    text_char(to, '\n');
}

void call_show(const struct call_case *c, struct text *to)
{
    text_format(to, "%s  %s:%u  %s\n\ncall\n  %s(", c->function,
                c->file ? c->file : c->programs.at[0], c->line, c->name,
                c->function);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        text_format(to, "%s%s", i ? ", " : "", c->arguments.at[i]);
    text_add(to, ")\n");
    if (c->objects.n || c->before.n)
        text_add(to, "\nobjects, before -> after\n");
    for (uint32_t i = 0; i < c->before.n; i++) {
        text_format(to, "  %s ", c->before.at[i].place);
        arrow(c->before.at[i].value, later(c, c->before.at[i].place), to);
        text_char(to, '\n');
    }
    for (uint32_t i = 0; i < c->objects.n; i++)
        show_object(c, &c->objects.at[i], to);
    text_char(to, '\n');
    show_end(c, to);
    if (c->decisions.n)
        text_add(to, "\nlines taken\n");
    for (uint32_t i = 0; i < c->decisions.n; i++)
        text_format(to, "  %4u  %s: %s\n", c->decisions.at[i].line,
                    c->decisions.at[i].text, c->decisions.at[i].side);
    for (uint32_t i = 0; i < c->labels.n; i++)
        text_format(to, "note: %s\n", c->labels.at[i]);
}
