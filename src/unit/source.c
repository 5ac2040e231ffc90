// First what a file needs before its tests: guards, failing allocations, fenced
// memory, stubs.  Then the objects of a call, each declared when all that its
// initialiser names is; what points forward is assigned afterwards.
#include "unit/source.h"

#include "base/file.h"
#include "base/text.h"
#include "cases/call.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Does this C expression mention this name?
static bool mentions(const char *expression, const char *name)
{
    size_t n = strlen(name);
    bool inside = false; // of a literal
    for (const char *s = expression; *s; s++) {
        if (inside && *s == '\\' && s[1])
            s++;
        else if (*s == '"')
            inside = !inside;
        else if (!inside && strncmp(s, name, n) == 0 && !is_word(s[n]) &&
                 (s == expression || !is_word(s[-1])))
            return true;
    }
    return false;
}

// A field's lvalue: "a.next", "a->n", "x".
static void place_of(const struct call_object *o, const struct call_value *v,
                     struct text *to)
{
    if (!*v->place && o->form != CALL_LOCAL)
        text_format(to, "*%s", o->name);
    else
        text_format(to, "%s%s", o->name, v->place);
}

// ---- helpers of a file ----------------------------------------------------

uint32_t source_needs(const struct call_case *c)
{
    uint32_t needs = 0;
    for (uint32_t i = 0; i < c->objects.n; i++) {
        enum call_form form = c->objects.at[i].form;
        if (form == CALL_HEAP)
            needs |= SOURCE_ALLOC;
        if (form == CALL_BEHIND || form == CALL_BEFORE)
            needs |= SOURCE_GUARD;
        if (form == CALL_FILE)
            needs |= SOURCE_FILE;
    }
    if (c->fails)
        needs |= SOURCE_FAIL;
    for (uint32_t i = 0; i < c->after.n; i++)
        if (strncmp(c->after.at[i].place, "text_of(", 8) == 0)
            needs |= SOURCE_TEXT;
    if (c->end == CALL_TRAPS && c->trap.kind &&
        strcmp(c->trap.kind, "freed") == 0)
        needs |= SOURCE_FENCE | SOURCE_ALLOC;
    return needs;
}

void source_guard(struct text *to)
{
    text_add(to,
             "// Zeroed memory; the page behind it (or before it) may not be "
             "touched.\n"
             "static void *guarded(size_t size, int before)\n"
             "{\n"
             "    size_t page = (size_t)sysconf(_SC_PAGESIZE);\n"
             "    size_t room = (size + page - 1) / page * page;\n"
             "    char *all = mmap(NULL, room + page, PROT_NONE,\n"
             "                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
             "    char *inner = before ? all + page : all;\n"
             "    mprotect(inner, room, PROT_READ | PROT_WRITE);\n"
             "    return before ? inner : inner + room - size;\n"
             "}\n\n");
}

void source_failing(const char *source, struct text *to)
{
    static const struct {
        const char *name, *parameters, *arguments, *type;
    } all[] = {{"malloc", "size_t n", "n", "void *"},
               {"calloc", "size_t n, size_t size", "n, size", "void *"},
               {"realloc", "void *p, size_t n", "p, n", "void *"},
               {"strdup", "const char *s", "s", "char *"},
               {"strndup", "const char *s, size_t n", "s, n", "char *"}};
    text_add(to,
             "// The n-th allocation of the source from now on gives NULL.\n"
             "static unsigned allocations_left;\n"
             "static void fail_allocation(unsigned n)\n"
             "{\n"
             "    allocations_left = n;\n"
             "}\n"
             "static int allocation_fails(void)\n"
             "{\n"
             "    if (!allocations_left || --allocations_left)\n"
             "        return 0;\n"
             "    errno = ENOMEM;\n"
             "    return 1;\n"
             "}\n");
    struct text whole = {0};
    bool known = source && file_read(source, &whole);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!known || mentions(text_get(&whole), all[i].name))
            text_format(to,
                        "__attribute__((unused)) static %sfailing_%s(%s)\n"
                        "{\n"
                        "    return allocation_fails() ? NULL : %s(%s);\n"
                        "}\n#undef %s\n#define %s failing_%s\n",
                        all[i].type, all[i].name, all[i].parameters,
                        all[i].name, all[i].arguments, all[i].name, all[i].name,
                        all[i].name);
    text_char(to, '\n');
    text_free(&whole);
}

void source_files(uint32_t needs, struct text *to)
{
    if (needs & SOURCE_FILE)
        text_add(to,
                 "// A file that holds a text of n bytes and is read from its "
                 "beginning.\n"
                 "static FILE *file_with(const char *text, size_t n)\n"
                 "{\n"
                 "    FILE *f = tmpfile();\n"
                 "    if (f) {\n"
                 "        fwrite(text, 1, n, f);\n"
                 "        rewind(f);\n"
                 "    }\n"
                 "    return f;\n"
                 "}\n\n");
    if (needs & SOURCE_TEXT)
        text_add(to, "// What a file holds.\n"
                     "static const char *text_of(FILE *f)\n"
                     "{\n"
                     "    static char text[4096];\n"
                     "    rewind(f);\n"
                     "    text[fread(text, 1, sizeof text - 1, f)] = '\\0';\n"
                     "    return text;\n"
                     "}\n\n");
}

void source_fence(struct text *to)
{
    text_add(to,
             "// Memory that was given back may not be touched any more: using "
             "it ends the\n// process.\n"
             "static struct {\n"
             "    void *at;\n"
             "    size_t room;\n"
             "    int freed;\n"
             "} fenced[4096];\n"
             "static unsigned n_fenced;\n"
             "static void *fenced_malloc(size_t size)\n"
             "{\n"
             "    size_t page = (size_t)sysconf(_SC_PAGESIZE);\n"
             "    size_t room = (size / page + 1) * page;\n"
             "    void *at = mmap(NULL, room, PROT_READ | PROT_WRITE,\n"
             "                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
             "    if (at == MAP_FAILED || n_fenced == 4096)\n"
             "        return NULL;\n"
             "    fenced[n_fenced].at = at;\n"
             "    fenced[n_fenced++].room = room;\n"
             "    return at;\n"
             "}\n"
             "__attribute__((unused)) static void *fenced_calloc(size_t n, "
             "size_t size)\n"
             "{\n"
             "    return fenced_malloc(n * size);\n"
             "}\n"
             "static void fenced_free(void *p)\n"
             "{\n"
             "    for (unsigned i = 0; i < n_fenced; i++)\n"
             "        if (fenced[i].at == p) {\n"
             "            if (fenced[i].freed++)\n"
             "                abort(); // twice\n"
             "            mprotect(p, fenced[i].room, PROT_NONE);\n"
             "            return;\n"
             "        }\n"
             "    free(p);\n"
             "}\n"
             "__attribute__((unused)) static void *fenced_realloc(void *p, "
             "size_t size)\n"
             "{\n"
             "    void *q = fenced_malloc(size);\n"
             "    for (unsigned i = 0; i < n_fenced && p && q; i++)\n"
             "        if (fenced[i].at == p)\n"
             "            memcpy(q, p, size < fenced[i].room ? size : "
             "fenced[i].room);\n"
             "    if (p)\n"
             "        fenced_free(p);\n"
             "    return q;\n"
             "}\n"
             "#define malloc fenced_malloc\n"
             "#define calloc fenced_calloc\n"
             "#define realloc fenced_realloc\n"
             "#define free fenced_free\n");
}

// cmocka reads the environment, too.
static bool is_shared(const char *stub)
{
    return strcmp(stub, "getenv") == 0;
}

void source_include(const char *path, bool has_main, const struct call_case *c,
                    struct text *to)
{
    for (uint32_t i = 0; c && i < c->own.n; i++)
        text_format(to, "#define %s %s_of_the_program\n", c->own.at[i],
                    c->own.at[i]);
    for (uint32_t i = 0; c && i < c->stubs.n; i++)
        if (is_shared(c->stubs.at[i].name))
            text_format(to,
                        "#include <stdlib.h>\n"
                        "extern __typeof__(%s) %s_for_the_program;\n"
                        "#define %s %s_for_the_program\n",
                        c->stubs.at[i].name, c->stubs.at[i].name,
                        c->stubs.at[i].name, c->stubs.at[i].name);
    if (has_main)
        text_add(to, "#define main main_of_the_program\n");
    text_format(to, "#include \"%s\"\n", path);
    if (has_main)
        text_add(to, "#undef main\n");
}

static const char *result_type(const struct call_stub *s)
{
    if (s->is_void)
        return "void ";
    return s->kind == CALL_POINTER  ? "void *"
           : s->kind == CALL_FLOAT  ? "float "
           : s->kind == CALL_DOUBLE ? "double "
                                    : "long long ";
}

static bool writes(const struct call_stub *s)
{
    for (uint32_t k = 0; k < CALL_WRITES_MOST; k++)
        if (s->writes[k])
            return true;
    return false;
}

// What the calls return and write, and how many there were.
static void stub_variables(const struct call_stub *s, struct text *to,
                           struct text *reset)
{
    const char *name = s->name;
    if (!s->is_void) {
        text_format(to, "static %s%s_returns[%d];\n", result_type(s), name,
                    CALL_RETURNS_MOST);
        text_format(reset, "    memset(%s_returns, 0, sizeof %s_returns);\n",
                    name, name);
    }
    for (uint32_t k = 0; k < CALL_WRITES_MOST; k++)
        if (s->writes[k]) {
            text_format(to, "static int%u_t %s_writes_%u[%d];\n",
                        8u * s->writes[k], name, k + 1, CALL_RETURNS_MOST);
            text_format(reset,
                        "    memset(%s_writes_%u, 0, sizeof %s_writes_%u);\n",
                        name, k + 1, name, k + 1);
        }
    if (!s->is_void || writes(s)) {
        text_format(to, "static unsigned %s_calls;\n", name);
        text_format(reset, "    %s_calls = 0;\n", name);
    }
}

static void stub_parameters(const struct call_stub *s, struct text *to)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < CALL_WRITES_MOST; k++)
        n = s->writes[k] ? k + 1 : n;
    text_add(to, n ? "(" : "(void)");
    for (uint32_t k = 0; k < n; k++)
        text_format(to, "%svoid *p%u%s", k ? ", " : "", k + 1,
                    k + 1 < n ? "" : ")");
}

static void stub_body(const struct call_stub *s, struct text *to)
{
    const char *name = s->name;
    if (s->is_void && !writes(s)) {
        text_add(to, s->ends ? "\n{\n    _Exit(1);\n}\n\n" : "\n{\n}\n\n");
        return;
    }
    text_format(to, "\n{\n    unsigned n = %s_calls < %d ? %s_calls++ : %d;\n",
                name, CALL_RETURNS_MOST, name, CALL_RETURNS_MOST - 1);
    for (uint32_t k = 0; k < CALL_WRITES_MOST; k++) {
        bool last = true;
        for (uint32_t m = k; m < CALL_WRITES_MOST; m++)
            last &= !s->writes[m];
        if (s->writes[k])
            text_format(to, "    memcpy(p%u, &%s_writes_%u[n], %u);\n", k + 1,
                        name, k + 1, s->writes[k]);
        else if (!last)
            text_format(to, "    (void)p%u;\n", k + 1);
    }
    if (!s->is_void)
        text_format(to, "    return %s_returns[n];\n", name);
    text_add(to, "}\n\n");
}

// The source declares the function with types that we do not know, so ours has
// another name and only the same symbol.
void source_stubs(const struct call_case *c, struct text *to)
{
    struct text reset = {0};
    for (uint32_t i = 0; i < c->stubs.n; i++) {
        const struct call_stub *s = &c->stubs.at[i];
        const char *type = result_type(s), *name = s->name;
        text_format(to,
                    s->declaration ? "// %s() is passed to the call; "
                                   : "// %s() is defined elsewhere; here ",
                    name);
        text_add(to, s->ends      ? "it ends the process with status 1.\n"
                     : writes(s)  ? "its n-th call writes and\n// returns the "
                                    "n-th of these.\n"
                     : s->is_void ? "it does nothing.\n"
                                  : "its n-th call returns the n-th of "
                                    "these.\n");
        stub_variables(s, to, &reset);
        if (s->declaration)
            text_format(to, "%s;\n", s->declaration);
        text_format(to, "%s%s_stub", type, name);
        stub_parameters(s, to);
        text_format(to, " __asm__(\"%s%s\");\n%s%s_stub", name,
                    is_shared(name) ? "_for_the_program" : "", type, name);
        stub_parameters(s, to);
        stub_body(s, to);
    }
    if (reset.n)
        text_format(to, "static void reset_stubs(void)\n{\n%s}\n\n",
                    text_get(&reset));
    text_free(&reset);
}

bool source_resets(const struct call_case *c)
{
    for (uint32_t i = 0; i < c->stubs.n; i++)
        if (!c->stubs.at[i].is_void || writes(&c->stubs.at[i]))
            return true;
    return false;
}

// ---- objects --------------------------------------------------------------

struct arranger {
    const struct call_case *c;
    struct text *to;
    struct text later; // assignments that close rings
    bool seen[256], made[256];
};
enum { OBJECTS_MOST = 256 };

static void assign(struct text *to, const struct call_value *v,
                   const char *place)
{
    if (v->kind == CALL_TEXT)
        text_format(to, "    memcpy(%s, %s, sizeof %s - 1);\n", place, v->value,
                    v->value);
    else
        text_format(to, "    %s = %s;\n", place, v->value);
}

static void assign_field(struct text *to, const struct call_object *o,
                         const struct call_value *v)
{
    struct text place = {0};
    place_of(o, v, &place);
    assign(to, v, text_get(&place));
    text_free(&place);
}

// Are all objects that a value mentions declared by now?
static bool is_ready(const struct arranger *w, uint32_t self, const char *value)
{
    for (uint32_t i = 0; i < w->c->objects.n; i++)
        if (i != self && !w->made[i] &&
            mentions(value, w->c->objects.at[i].name))
            return false;
    return true;
}

static void initialiser(struct arranger *w, uint32_t i)
{
    const struct call_object *o = &w->c->objects.at[i];
    struct text inside = {0};
    const struct call_value *whole = NULL;
    for (uint32_t k = 0; k < o->fields.n; k++) {
        const struct call_value *v = &o->fields.at[k];
        if (!is_ready(w, i, v->value))
            assign_field(&w->later, o, v);
        else if (!*v->place)
            whole = v;
        else
            text_format(&inside, "%s%s = %s", inside.n ? ", " : "", v->place,
                        v->value);
    }
    if (whole)
        text_format(w->to, "    %s = %s;\n", o->declaration, whole->value);
    else
        text_format(w->to, "    %s = {%s};\n", o->declaration,
                    inside.n ? text_get(&inside) : "0");
    text_free(&inside);
}

static void allocate(struct arranger *w, uint32_t i)
{
    const struct call_object *o = &w->c->objects.at[i];
    const char *size = o->size;
    if (o->form == CALL_FILE) {
        text_format(w->to, "    %s = file_with(%s, %s);\n", o->declaration,
                    o->fields.n ? o->fields.at[0].value : "\"\"", size);
        return;
    }
    if (o->form == CALL_HEAP)
        text_format(w->to, "    %s = calloc(1, %s);\n", o->declaration, size);
    else
        text_format(w->to, "    %s = guarded(%s, %d);\n", o->declaration, size,
                    o->form == CALL_BEFORE);
    for (uint32_t k = 0; k < o->fields.n; k++)
        assign_field(is_ready(w, i, o->fields.at[k].value) ? w->to : &w->later,
                     o, &o->fields.at[k]);
}

static void make(struct arranger *w, uint32_t i)
{
    const struct call_object *o = &w->c->objects.at[i];
    w->seen[i] = true;
    for (uint32_t k = 0; k < o->fields.n; k++)
        for (uint32_t j = 0; j < w->c->objects.n; j++)
            if (!w->seen[j] &&
                mentions(o->fields.at[k].value, w->c->objects.at[j].name))
                make(w, j);
    if (o->form == CALL_LOCAL)
        initialiser(w, i);
    else
        allocate(w, i);
    w->made[i] = true;
}

void source_arrange(const struct call_case *c, struct text *to)
{
    struct arranger w = {.c = c, .to = to};
    assert(c->objects.n <= OBJECTS_MOST);
    if (c->earlier) {
        struct call_case before = *c;
        before.result = NULL;
        text_format(to, "    for (int i = 0; i < %u; i++)\n    ", c->earlier);
        source_call(&before, to);
    }
    for (uint32_t i = 0; i < c->objects.n; i++)
        if (!w.seen[i])
            make(&w, i);
    text_add(to, text_get(&w.later));
    text_free(&w.later);
    for (uint32_t i = 0; i < c->before.n; i++)
        assign(to, &c->before.at[i], c->before.at[i].place);
    if (c->fails)
        text_format(to, "    fail_allocation(%u);\n", c->fails);
}

void source_call(const struct call_case *c, struct text *to)
{
    text_add(to, "    ");
    if (c->result)
        text_format(to, "%s = ", c->result);
    text_format(to, "%s(", c->function);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        text_format(to, "%s%s", i ? ", " : "", c->arguments.at[i]);
    text_add(to, ");\n");
}
