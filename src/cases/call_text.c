// The text format of calls.  One table says which words there are.
#include "cases/call.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const char *name;
    int line;
    bool versioned;
    struct call_case *c;
    struct diag *d;
};

static const char *const kinds[] = {
#define KIND_(name, text) text,
    CALL_KINDS(KIND_)
#undef KIND_
};

static const char *const forms[] = {
#define FORM_(name, text) text,
    CALL_FORMS(FORM_)
#undef FORM_
};

// ---- reading --------------------------------------------------------------

static bool wrong(struct reader *r, const char *what, const char *rest)
{
    return diag_at(r->d, EXIT_USAGE, r->name, r->line, "%s: '%s'", what, rest);
}

// The first word, taken off; "" if there is none.
static const char *word(struct reader *r, const char **rest)
{
    size_t n = strcspn(*rest, " ");
    char *w = arena_copy(r->arena, *rest, n + 1);
    w[n] = '\0';
    *rest += n;
    while (**rest == ' ')
        ++*rest;
    return w;
}

static bool one_of(const char *const *names, size_t n, const char *w,
                   uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(names[i], w) == 0) {
            *out = i;
            return true;
        }
    return false;
}
#define ONE_OF(names, w, out)                                                  \
    one_of(names, sizeof names / sizeof *names, w, out)

static bool number(const char *s, uint32_t *out)
{
    char *end = NULL;
    unsigned long n = isdigit((unsigned char)*s) ? strtoul(s, &end, 10) : 0;
    if (!end || *end || n > UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool place(struct reader *r, const char *s, const char **file,
                  uint32_t *line)
{
    const char *colon = strrchr(s, ':');
    if (!colon || !number(colon + 1, line))
        return wrong(r, "a place is FILE:LINE", s);
    char *f = arena_copy(r->arena, s, (size_t)(colon - s) + 1);
    f[colon - s] = '\0';
    *file = f;
    return true;
}

static bool read_version(struct reader *r, const char *rest)
{
    r->versioned = true;
    return strcmp(rest, "1") == 0 ||
           wrong(r, "this tool reads calls of version 1", rest);
}

static bool read_place(struct reader *r, const char *rest)
{
    return place(r, rest, &r->c->file, &r->c->line);
}

static bool read_decision(struct reader *r, const char *rest)
{
    struct call_decision d;
    const char *all = rest;
    if (!number(word(r, &rest), &d.line))
        return wrong(r, "a decision is LINE SIDE CONDITION", all);
    d.side = word(r, &rest);
    if (strcmp(d.side, "case") == 0)
        d.side = arena_format(r->arena, "case %s", word(r, &rest));
    d.text = arena_text(r->arena, rest);
    vec_push(&r->c->decisions, d);
    return true;
}

static bool read_object(struct reader *r, const char *rest)
{
    struct call_object o = {0};
    uint32_t form;
    const char *all = rest;
    if (!ONE_OF(forms, word(r, &rest), &form))
        return wrong(r, "an object is FORM NAME DECLARATION", all);
    o.form = (enum call_form)form;
    o.name = word(r, &rest);
    o.declaration = arena_text(r->arena, rest);
    if (!*o.name || !*rest)
        return wrong(r, "an object is FORM NAME DECLARATION", all);
    vec_push(&r->c->objects, o);
    return true;
}

static bool read_size(struct reader *r, const char *rest)
{
    if (!r->c->objects.n)
        return wrong(r, "a size belongs to the object before it", rest);
    vec_last(&r->c->objects).size = arena_text(r->arena, rest);
    return true;
}

static bool read_fails(struct reader *r, const char *rest)
{
    return (number(rest, &r->c->fails) && r->c->fails) ||
           wrong(r, "'fails' takes the number of an allocation", rest);
}

static bool read_earlier(struct reader *r, const char *rest)
{
    return number(rest, &r->c->earlier) ||
           wrong(r, "'earlier' takes a number of calls", rest);
}

static bool read_freed(struct reader *r, const char *rest)
{
    if (!r->c->objects.n)
        return wrong(r, "'freed' belongs to the object before it", rest);
    vec_last(&r->c->objects).freed = true;
    return true;
}

static bool read_value(struct reader *r, const char *rest, bool kind_first,
                       struct call_value *v)
{
    const char *first = word(r, &rest), *second = word(r, &rest);
    uint32_t kind;
    if (!ONE_OF(kinds, kind_first ? first : second, &kind) || !*rest)
        return wrong(r, "not a kind, a place and a value", first);
    v->kind = (enum call_kind)kind;
    v->place = kind_first ? second : first;
    v->value = arena_text(r->arena, rest);
    return true;
}

static bool read_field(struct reader *r, const char *rest)
{
    struct call_value v;
    if (!r->c->objects.n)
        return wrong(r, "a field belongs to the object before it", rest);
    if (!read_value(r, rest, false, &v))
        return false;
    if (strcmp(v.place, ".") == 0)
        v.place = "";
    vec_push(&vec_last(&r->c->objects).fields, v);
    return true;
}

static bool read_before(struct reader *r, const char *rest)
{
    struct call_value v;
    if (!read_value(r, rest, true, &v))
        return false;
    vec_push(&r->c->before, v);
    return true;
}

static bool read_after(struct reader *r, const char *rest)
{
    struct call_value v;
    if (!read_value(r, rest, true, &v))
        return false;
    vec_push(&r->c->after, v);
    return true;
}

static bool read_stub(struct reader *r, const char *rest)
{
    struct call_stub s = {0};
    uint32_t kind = 0;
    const char *all = rest, *w = word(r, &rest);
    s.ends = strcmp(w, "ends") == 0;
    s.is_void = s.ends || strcmp(w, "void") == 0;
    if ((!s.is_void && !ONE_OF(kinds, w, &kind)) || !*rest)
        return wrong(r, "a stub is KIND NAME", all);
    s.kind = (enum call_kind)kind;
    s.name = arena_text(r->arena, rest);
    vec_push(&r->c->stubs, s);
    return true;
}

static bool read_declares(struct reader *r, const char *rest)
{
    if (!r->c->stubs.n)
        return wrong(r, "a declaration follows the stub it is of", rest);
    vec_last(&r->c->stubs).declaration = arena_text(r->arena, rest);
    return true;
}

static bool read_writes(struct reader *r, const char *rest)
{
    unsigned k, bytes;
    if (!r->c->stubs.n || sscanf(rest, "%u %u", &k, &bytes) != 2 || k < 1 ||
        k > CALL_WRITES_MOST || (bytes & (bytes - 1)) || !bytes || bytes > 8)
        return wrong(r, "what a stub writes is ARGUMENT BYTES", rest);
    vec_last(&r->c->stubs).writes[k - 1] = (uint8_t)bytes;
    return true;
}

static const char *const ends[] = {"return", "trap", "exit", "report"};

const char *call_end_id(enum call_end end)
{
    return ends[end];
}

static bool read_end(struct reader *r, const char *rest)
{
    uint32_t end;
    if (!ONE_OF(ends, rest, &end))
        return wrong(r, "a call ends by return, trap, exit or report", rest);
    r->c->end = (enum call_end)end;
    return true;
}

static bool read_trap(struct reader *r, const char *rest)
{
    struct call_trap *t = &r->c->trap;
    t->kind = word(r, &rest);
    t->signal = word(r, &rest);
    t->text = t->text ? t->text : "";
    return place(r, rest, &t->file, &t->line);
}

#define ONE_(name, field)                                                      \
    static bool read_##name(struct reader *r, const char *rest)                \
    {                                                                          \
        r->c->field = arena_text(r->arena, rest);                              \
        return true;                                                           \
    }
ONE_(tool, tool)
ONE_(function, function)
ONE_(name, name)
ONE_(result, result)
ONE_(text, trap.text)
#undef ONE_

#define MANY_(name, field)                                                     \
    static bool read_##name(struct reader *r, const char *rest)                \
    {                                                                          \
        vec_push(&r->c->field, arena_text(r->arena, rest));                    \
        return true;                                                           \
    }
MANY_(program, programs)
MANY_(flag, flags)
MANY_(own, own)
MANY_(label, labels)
MANY_(argument, arguments)
#undef MANY_

#define WORDS(X)                                                               \
    X(tool)                                                                    \
    X(program)                                                                 \
    X(flag)                                                                    \
    X(own)                                                                     \
    X(function)                                                                \
    X(place)                                                                   \
    X(name)                                                                    \
    X(decision)                                                                \
    X(label)                                                                   \
    X(object)                                                                  \
    X(size)                                                                    \
    X(freed)                                                                   \
    X(earlier)                                                                 \
    X(fails)                                                                   \
    X(field)                                                                   \
    X(before)                                                                  \
    X(stub)                                                                    \
    X(declares)                                                                \
    X(writes)                                                                  \
    X(argument)                                                                \
    X(result)                                                                  \
    X(end)                                                                     \
    X(trap)                                                                    \
    X(text)                                                                    \
    X(after)

static const struct {
    const char *word;
    bool (*read)(struct reader *, const char *rest);
} words[] = {{"troupe-call", read_version},
#define WORD_(w) {#w, read_##w},
             WORDS(WORD_)
#undef WORD_
};

static bool read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\r")] = '\0';
    if (!*line || *line == '#')
        return true;
    char *rest = strchr(line, ' ');
    if (rest)
        *rest++ = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, line) == 0)
            return r->versioned || i == 0
                       ? words[i].read(r, rest ? rest : "")
                       : wrong(r, "not a call: it begins with", line);
    return wrong(r, "not a word of a call", line);
}

static bool complete(struct reader *r)
{
    if (!r->c->function)
        return wrong(r, "the call names no", "function");
    if (!r->c->programs.n)
        return wrong(r, "the call names no", "program");
    if (!r->c->name)
        r->c->name = "call";
    if (r->c->end != CALL_RETURNS && !r->c->trap.kind)
        return wrong(r, "the call does not say which", "trap");
    return true;
}

bool call_is(const char *text)
{
    while (*text == '#' || isspace((unsigned char)*text)) {
        if (*text == '#')
            text += strcspn(text, "\n");
        else
            text++;
    }
    return strncmp(text, "troupe-call ", 12) == 0;
}

bool call_parse(struct arena *a, const char *name, const char *text,
                struct call_case *c, struct diag *d)
{
    struct reader r = {.arena = a, .name = name, .c = c, .d = d};
    char *copy = arena_text(a, text);
    memset(c, 0, sizeof *c);
    for (char *next; copy; copy = next) {
        next = strchr(copy, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        if (!read_line(&r, copy))
            return false;
    }
    return complete(&r);
}

bool call_read(struct arena *a, const char *path, struct call_case *c,
               struct diag *d)
{
    struct text t = {0};
    if (!file_read(path, &t))
        return diag_at(d, EXIT_USAGE, path, 0, "cannot be read: %s",
                       strerror(errno));
    bool ok = call_parse(a, path, text_get(&t), c, d);
    text_free(&t);
    return ok;
}

// ---- writing --------------------------------------------------------------

static void line(struct text *to, const char *w, const char *rest)
{
    if (rest)
        text_format(to, "%s %s\n", w, rest);
}

static void print_object(const struct call_object *o, struct text *to)
{
    text_format(to, "object %s %s %s\n", forms[o->form], o->name,
                o->declaration);
    line(to, "size", o->size);
    if (o->freed)
        text_add(to, "freed\n");
    for (uint32_t i = 0; i < o->fields.n; i++) {
        const struct call_value *v = &o->fields.at[i];
        text_format(to, "field %s %s %s\n", *v->place ? v->place : ".",
                    kinds[v->kind], v->value);
    }
}

static void print_head(const struct call_case *c, struct text *to)
{
    text_add(to, "troupe-call 1\n");
    line(to, "tool", c->tool);
    for (uint32_t i = 0; i < c->programs.n; i++)
        line(to, "program", c->programs.at[i]);
    for (uint32_t i = 0; i < c->flags.n; i++)
        line(to, "flag", c->flags.at[i]);
    for (uint32_t i = 0; i < c->own.n; i++)
        line(to, "own", c->own.at[i]);
    line(to, "function", c->function);
    if (c->file)
        text_format(to, "place %s:%u\n", c->file, c->line);
    line(to, "name", c->name);
    for (uint32_t i = 0; i < c->decisions.n; i++)
        text_format(to, "decision %u %s %s\n", c->decisions.at[i].line,
                    c->decisions.at[i].side, c->decisions.at[i].text);
    for (uint32_t i = 0; i < c->labels.n; i++)
        line(to, "label", c->labels.at[i]);
}

static void print_values(const char *w, const struct call_value *v, uint32_t n,
                         struct text *to)
{
    for (uint32_t i = 0; i < n; i++)
        text_format(to, "%s %s %s %s\n", w, kinds[v[i].kind], v[i].place,
                    v[i].value);
}

static void print_end(const struct call_case *c, struct text *to)
{
    line(to, "end", ends[c->end]);
    if (c->trap.kind) {
        text_format(to, "trap %s %s %s:%u\n", c->trap.kind, c->trap.signal,
                    c->trap.file, c->trap.line);
        if (c->trap.text && *c->trap.text)
            line(to, "text", c->trap.text);
    }
    print_values("after", c->after.at, c->after.n, to);
}

void call_print(const struct call_case *c, struct text *to)
{
    print_head(c, to);
    for (uint32_t i = 0; i < c->objects.n; i++)
        print_object(&c->objects.at[i], to);
    print_values("before", c->before.at, c->before.n, to);
    for (uint32_t i = 0; i < c->stubs.n; i++) {
        const struct call_stub *s = &c->stubs.at[i];
        text_format(to, "stub %s %s\n",
                    s->ends      ? "ends"
                    : s->is_void ? "void"
                                 : kinds[s->kind],
                    s->name);
        if (s->declaration)
            text_format(to, "declares %s\n", s->declaration);
        for (uint32_t k = 0; k < CALL_WRITES_MOST; k++)
            if (s->writes[k])
                text_format(to, "writes %u %u\n", k + 1, s->writes[k]);
    }
    if (c->earlier)
        text_format(to, "earlier %u\n", c->earlier);
    if (c->fails)
        text_format(to, "fails %u\n", c->fails);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        line(to, "argument", c->arguments.at[i]);
    line(to, "result", c->result);
    print_end(c, to);
}

bool call_write(const struct call_case *c, const char *path, struct diag *d)
{
    struct text t = {0};
    call_print(c, &t);
    bool ok = file_put(path, &t, d);
    text_free(&t);
    return ok;
}

void call_release(struct call_case *c)
{
    for (uint32_t i = 0; i < c->objects.n; i++)
        vec_free(&c->objects.at[i].fields);
    vec_free(&c->programs);
    vec_free(&c->flags);
    vec_free(&c->own);
    vec_free(&c->decisions);
    vec_free(&c->labels);
    vec_free(&c->objects);
    vec_free(&c->before);
    vec_free(&c->stubs);
    vec_free(&c->arguments);
    vec_free(&c->after);
}
