// troupe list: what a program declares, as text or as JSON.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/params.h"
#include "program/receptionists.h"
#include "cli/session.h"
#include "program/behaviours.h"
#include "program/program.h"
#include "program/values.h"

// Everything is told twice: as lines and as JSON; one of them is shown.
struct listing {
    struct session *s;
    const struct program *p;
    struct values *values;
    struct text lines;
    struct text json_text;
    struct json json;
};

// "double amount, server_ref to"
static void tell_fields(struct listing *l, const char *type, size_t size,
                        struct text *to)
{
    struct values_field f;
    json_array(&l->json, "fields");
    for (uint32_t i = 0; values_field(l->values, type, size, i, &f); i++) {
        bool space = *f.name && f.type[strlen(f.type) - 1] != '*';
        text_format(to, "%s%s%s%s", i ? ", " : "", f.type, space ? " " : "",
                    f.name);
        if (f.bits)
            text_format(to, " : %u", f.bits);
        json_object(&l->json, NULL);
        json_text(&l->json, "name", f.name);
        json_text(&l->json, "type", f.type);
        json_number(&l->json, "offset", f.offset);
        if (f.bits)
            json_number(&l->json, "bits", f.bits);
        json_end(&l->json);
    }
    json_end(&l->json);
}

static void tell_place(struct listing *l, const char *name, const char *file,
                       int line)
{
    json_text(&l->json, "name", name);
    json_text(&l->json, "file", file);
    json_number(&l->json, "line", line);
}

static void tell_params(struct listing *l, const tr_test *t)
{
    struct params p = {0};
    params_of(&p, l->s, t);
    json_array(&l->json, "params");
    for (uint32_t i = 0; i < p.list.n; i++) {
        const struct param *q = &p.list.at[i];
        text_format(&l->lines, "%s %s=%lld", i ? "" : " params", q->name,
                    (long long)q->otherwise);
        json_object(&l->json, NULL);
        json_text(&l->json, "name", q->name);
        json_number(&l->json, "default", q->otherwise);
        json_end(&l->json);
    }
    json_end(&l->json);
    params_free(&p);
}

static void tell_tests(struct listing *l, const struct tests *tests)
{
    json_array(&l->json, "tests");
    for (uint32_t i = 0; i < tests->n; i++) {
        const tr_test *t = tests->at[i];
        text_format(&l->lines, "test %s (%s:%d)%s%s", t->name, t->file, t->line,
                    t->tags ? " tags " : "", t->tags ? t->tags : "");
        json_object(&l->json, NULL);
        tell_place(l, t->name, t->file, t->line);
        if (t->tags)
            json_text(&l->json, "tags", t->tags);
        if (t->expect)
            json_text(&l->json, "expect", t->expect);
        if (t->schedule)
            json_text(&l->json, "schedule", t->schedule);
        tell_params(l, t);
        text_char(&l->lines, '\n');
        json_end(&l->json);
    }
    json_end(&l->json);
}

static void tell_reception(struct listing *l, const tr_system *system)
{
    struct reception r = {0};
    reception_read(&r, &l->s->arena, system,
                   session_params(l->s, l->s->options));
    json_array(&l->json, "receptionists");
    for (uint32_t i = 0; i < r.list.n; i++) {
        text_format(&l->lines, "  receptionist %s: %s\n", r.list.at[i].name,
                    r.list.at[i].cls);
        json_object(&l->json, NULL);
        json_text(&l->json, "name", r.list.at[i].name);
        json_text(&l->json, "class", r.list.at[i].cls);
        json_end(&l->json);
    }
    json_end(&l->json);
    if (r.failed)
        text_add(&l->lines, "  the setup does not come to its end\n");
    json_bool(&l->json, "setup_ends", !r.failed);
    reception_free(&r);
}

static void tell_systems(struct listing *l)
{
    json_array(&l->json, "systems");
    for (uint32_t i = 0; i < l->p->n_systems; i++) {
        const tr_system *s = l->p->systems[i];
        text_format(&l->lines, "system %s (%s:%d)\n", s->name, s->file,
                    s->line);
        json_object(&l->json, NULL);
        tell_place(l, s->name, s->file, s->line);
        tell_reception(l, s);
        json_end(&l->json);
    }
    json_end(&l->json);
    json_array(&l->json, "invariants");
    for (uint32_t i = 0; i < l->p->n_invariants; i++) {
        const tr_invariant *v = l->p->invariants[i];
        text_format(&l->lines, "invariant %s (%s:%d)\n", v->name, v->file,
                    v->line);
        json_object(&l->json, NULL);
        tell_place(l, v->name, v->file, v->line);
        json_end(&l->json);
    }
    json_end(&l->json);
}

// ---- classes --------------------------------------------------------------

static void tell_row(struct listing *l, const tr_handler *h)
{
    text_format(&l->lines, "    %s %s", program_policy(h), h->msg->name);
    if (h->fn_name)
        text_format(&l->lines, " -> %s", h->fn_name);
    struct where w = {0};
    if (h->policy == TR_RUN)
        w = program_where(l->p, (uintptr_t)h->fn);
    int line = w.declared ? w.declared : w.line;
    if (w.file)
        text_format(&l->lines, " (%s:%d)", w.file, line);
    text_char(&l->lines, '\n');
    json_object(&l->json, NULL);
    json_text(&l->json, "message", h->msg->name);
    json_text(&l->json, "policy", program_policy(h));
    if (h->fn_name)
        json_text(&l->json, "handler", h->fn_name);
    if (w.file) {
        json_text(&l->json, "file", w.file);
        json_number(&l->json, "line", line);
    }
    json_end(&l->json);
}

static void tell_behaviour(struct listing *l, const tr_class *c,
                           const tr_behaviour *b)
{
    bool hot = program_hot(l->p, c, b), start = c->start == b;
    text_format(&l->lines, "  behaviour %s%s%s\n", b->name,
                start ? " (start)" : "", hot ? " (hot)" : "");
    json_object(&l->json, NULL);
    json_text(&l->json, "name", b->name);
    json_bool(&l->json, "start", start);
    json_bool(&l->json, "hot", hot);
    json_array(&l->json, "rows");
    for (uint32_t i = 0; i < b->n; i++)
        tell_row(l, &b->on[i]);
    json_end(&l->json);
    json_end(&l->json);
}

static void tell_class(struct listing *l, const tr_class *c)
{
    struct behaviours b = {0};
    struct text fields = {0};
    program_behaviours(l->p, c, &b);
    json_object(&l->json, NULL);
    json_text(&l->json, "name", c->name);
    json_number(&l->json, "size", c->size);
    tell_fields(l, c->name, c->size, &fields);
    text_format(&l->lines, "class %s(%s)\n", c->name, text_get(&fields));
    json_array(&l->json, "behaviours");
    for (uint32_t i = 0; i < b.list.n; i++)
        tell_behaviour(l, c, b.list.at[i]);
    json_end(&l->json);
    json_end(&l->json);
    vec_free(&b.list);
    text_free(&fields);
}

static void tell_message(struct listing *l, const tr_msg *m)
{
    struct text fields = {0};
    json_object(&l->json, NULL);
    json_text(&l->json, "name", m->name);
    json_number(&l->json, "size", m->size);
    if (m->reply)
        json_text(&l->json, "reply", m->reply);
    json_bool(&l->json, "owns_memory", m->copy || m->drop);
    tell_fields(l, m->name, m->size, &fields);
    json_end(&l->json);
    text_format(&l->lines, "message %s(%s)", m->name, text_get(&fields));
    if (m->reply)
        text_format(&l->lines, " replied with %s", m->reply);
    text_char(&l->lines, '\n');
    text_free(&fields);
}

static void tell_all(struct listing *l, const struct tests *tests)
{
    json_object(&l->json, NULL);
    session_json_head(l->s, &l->json);
    json_text(&l->json, "program", l->s->inputs.at[0]);
    json_text(&l->json, "object", l->p->path);
    tell_tests(l, tests);
    tell_systems(l);
    json_array(&l->json, "classes");
    for (uint32_t i = 0; i < l->p->n_classes; i++)
        tell_class(l, l->p->classes[i]);
    json_end(&l->json);
    json_array(&l->json, "messages");
    for (uint32_t i = 0; i < l->p->n_msgs; i++)
        tell_message(l, l->p->msgs[i]);
    json_end(&l->json);
    json_end(&l->json);
    if (!values_known(l->values))
        fputs("hint: no debug information, so no fields; compile with -g\n",
              stderr);
}

int cmd_list(struct session *s)
{
    struct tests tests = {0};
    if (!session_program(s))
        return s->diag.status;
    bool choose = s->names.n || option_count(s->options, OPT_filter);
    if ((choose || s->program->n_tests) && !session_tests(s, &tests))
        return s->diag.status;
    struct listing l = {
        .s = s, .p = s->program, .values = values_new(s->program)};
    l.json.to = &l.json_text;
    tell_all(&l, &tests);
    const char *path = option_text(s->options, OPT_json);
    if (!path || strcmp(path, "-") != 0)
        fputs(text_get(&l.lines), stdout);
    if (path)
        session_write(s, path, &l.json_text);
    values_free(l.values);
    text_free(&l.lines);
    text_free(&l.json_text);
    vec_free(&tests);
    return EXIT_GOOD;
}
