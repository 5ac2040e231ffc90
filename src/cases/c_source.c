// The generated file holds only the schedule: the test body is looked up by
// name in the program it is linked with.  What only the stage can see, memory
// that actors share and outcomes that depend on it, is explored again instead.
#include "cases/c_source.h"

#include "base/text.h"
#include "play/case.h"

#include <ctype.h>
#include <string.h>

// Text inside a C comment must not end it.
static void add_comment(struct text *to, const char *s)
{
    for (; *s; s++) {
        text_char(to, *s);
        if (*s == '*' && s[1] == '/')
            text_char(to, ' ');
    }
}

static void add_string(struct text *to, const char *s)
{
    text_char(to, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_char(to, '\\');
        text_char(to, *s);
    }
    text_char(to, '"');
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n >= k && strcmp(s + n - k, end) == 0;
}

// A linker takes from a library only what sources before it want.
static bool is_library(const char *flag)
{
    return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 ||
           strncmp(flag, "-Wl,", 4) == 0 ||
           (*flag != '-' && (ends_in(flag, ".a") || ends_in(flag, ".so") ||
                             ends_in(flag, ".o")));
}

static void flags(const struct test_case *c, bool libraries, struct text *to)
{
    for (uint32_t i = 0; i < c->flags.n; i++)
        if (is_library(c->flags.at[i]) == libraries)
            text_format(to, " %s", c->flags.at[i]);
}

static const char *kind_of(const struct test_case *c)
{
    return c->bug.kind || !c->reach_file ? "bug" : "reach";
}

static const char *word_of(const struct test_case *c)
{
    return c->bug.kind || !c->reach_file ? "Bug" : "Test";
}

static void what(const struct test_case *c, const char *id, struct text *to)
{
    text_format(to, "/* %s %s: ", word_of(c), id);
    if (c->bug.kind || !c->reach_file)
        add_comment(to, c->bug.text ? c->bug.text : bug_kind_text(c->bug.kind));
    if (c->reach_file)
        text_format(to, "%sreaches %s:%d", c->bug.kind ? ", " : "",
                    c->reach_file, c->reach_line);
    text_add(to, ".\n");
}

// A test that posts needs the structs of the sources; one in which memory runs
// out stands between their allocations and the C library.
static bool takes_sources(const struct test_case *c, const char *header)
{
    return (c->posts.n || c->alloc_fails) && !header;
}

// The program's sources are linked with the test, unless it includes them.
static void head(const struct test_case *c, const char *id, const char *header,
                 struct text *to)
{
    const char *kind = kind_of(c);
    what(c, id, to);
    text_add(to, " * Found by troupe");
    if (c->tool)
        text_format(to, " %s", c->tool);
    text_format(to, " in %s %s, delivery %s.  Build and run:\n *   cc -g",
                c->posts.n ? "system" : "test", c->test, c->delivery);
    flags(c, false, to);
    text_format(to, " test_%s.c", id);
    for (uint32_t i = 0; !takes_sources(c, header) && i < c->programs.n; i++)
        text_format(to, " %s", c->programs.at[i]);
    flags(c, true, to);
    text_format(to,
                " \\\n *      $(pkg-config --cflags --libs troupe-test) -o "
                "test_%s\n *   ./test_%s --filter=%s_%s\n */\n",
                id, id, kind, id);
    if (c->bug.kind == BUG_CYCLE)
        text_add(to,
                 "/* Goes round once: that it may go on for ever is seen by "
                 "explore only. */\n");
    if (bug_kind_warns(c->bug.kind))
        text_add(to, "/* A warning: the test passes, and keeps the schedule. "
                     "*/\n");
}

// A line of the schedule; the first one has no end of the line before it.
static void step_line(struct text *line, bool first, bool last, struct text *to)
{
    if (!last)
        text_add(line, "; ");
    text_add(to, first ? "          " : "\n          ");
    add_string(to, text_get(line));
    text_free(line);
}

static void step_range(const struct test_case *c, uint32_t i, uint32_t end,
                       struct text *to)
{
    for (uint32_t n; i < end; i += n) {
        struct text line = {0};
        n = c->posts.n ? case_run(c, i) : 1;
        n = n < end - i ? n : end - i;
        words_print(&c->steps.at[i], &line);
        if (n > 1)
            text_format(&line, " times %u", n);
        step_line(&line, !i, i + n == c->steps.n, to);
    }
}

static void steps(const struct test_case *c, struct text *to)
{
    for (uint32_t i = 0, n, times; i < c->steps.n; i += n * times) {
        n = c->posts.n ? case_round(c, i, &times) : 0;
        if (n) {
            struct text again = {0};
            step_range(c, i, i + n, to);
            text_format(&again, "again %u times %u", n, times - 1);
            step_line(&again, false, i + n * times == c->steps.n, to);
            continue;
        }
        times = 1;
        n = c->posts.n ? case_run(c, i) : 1;
        step_range(c, i, i + n, to);
    }
    if (!c->steps.n)
        text_add(to, "          \"\"");
}

static bool needs_stage(enum bug_kind k)
{
    return k == BUG_ISOLATION || k == BUG_NONDET;
}

// ---- posts ----------------------------------------------------------------

// A name as a variable of its own: what is not allowed there is _.
static void add_variable(struct text *to, const char *name)
{
    text_add(to, isdigit((unsigned char)*name) ? "_" : "");
    for (; *name; name++)
        text_char(to, isalnum((unsigned char)*name) ? *name : '_');
}

static bool posted_before(const struct test_case *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(c->posts.at[k].to, c->posts.at[i].to) == 0)
            return true;
    return false;
}

static void add_receptionist(const char *name, struct text *to)
{
    text_add(to, "    void *");
    add_variable(to, name);
    text_add(to, " = (void *)tr_receptionist_(ctx, ");
    add_string(to, name);
    text_add(to, ", NULL);\n");
}

// Text of fields is C, and names of receptionists in it are the variables.
static void add_fields(const char *fields, struct text *to)
{
    size_t n = strlen(fields);
    if (n > 1 && *fields == '{')
        text_format(to, ", %.*s", (int)(n - 2), fields + 1);
}

static void add_post(const struct case_post *p, struct text *to)
{
    if (p->times > 1)
        text_format(to, "    for (int i_ = 0; i_ < %u; i_++)\n    ", p->times);
    text_add(to, "    tr_send_any(ctx, ");
    add_variable(to, p->to);
    text_format(to, ", %s", p->msg);
    add_fields(p->fields, to);
    text_add(to, ");\n");
}

static void body(const struct test_case *c, struct text *to)
{
    text_add(to, ")\n{\n");
    for (uint32_t i = 0; i < c->posts.n; i++)
        if (!posted_before(c, i))
            add_receptionist(c->posts.at[i].to, to);
    for (uint32_t i = 0; i < c->posts.n; i++)
        add_post(&c->posts.at[i], to);
    text_add(to, "}\n");
}

// Allocations ask the schedule whether they fail.
static const char memory[] =
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "int tr_no_memory_(void);\n"
    "#define malloc(n) (tr_no_memory_() ? NULL : malloc(n))\n"
    "#define calloc(n, size) (tr_no_memory_() ? NULL : calloc(n, size))\n"
    "#define realloc(p, n) (tr_no_memory_() ? NULL : realloc(p, n))\n"
    "#define aligned_alloc(a, n) (tr_no_memory_() ? NULL : aligned_alloc(a, "
    "n))\n"
    "#define strdup(s) (tr_no_memory_() ? NULL : strdup(s))\n"
    "#define strndup(s, n) (tr_no_memory_() ? NULL : strndup(s, n))\n";

static void includes(const struct test_case *c, const char *header,
                     struct text *to)
{
    text_add(to, "#include <troupe.h>\n");
    if (c->alloc_fails && header)
        text_add(to, "/* Memory runs out in it, which only the tool shows: "
                     "troupe replay. */\n");
    else if (c->alloc_fails)
        text_add(to, memory);
    if (c->posts.n && header)
        text_format(to, "#include \"%s\"\n", header);
    for (uint32_t i = 0; takes_sources(c, header) && i < c->programs.n; i++)
        text_format(to, "#include \"%s\"\n", c->programs.at[i]);
    text_char(to, '\n');
}

static void test(const struct test_case *c, const char *id, struct text *to)
{
    if (needs_stage(c->bug.kind)) {
        text_format(to, "TR_TEST(%s_%s, .of = \"%s\", .explore = \"%s\"",
                    kind_of(c), id, c->test, c->delivery);
    } else {
        text_format(to, "TR_REPLAY(%s_%s, \"%s\", \"%s\",\n", kind_of(c), id,
                    c->test, c->delivery);
        steps(c, to);
    }
    if (c->own_clocks)
        text_add(to, ",\n          .clock = \"own\"");
    if (c->ticks)
        text_format(to, ",\n          .ticks = %u", c->ticks);
    if (c->params.n) {
        struct text params = {0};
        for (uint32_t i = 0; i < c->params.n; i++)
            text_format(&params, "%s%s", i ? " " : "", c->params.at[i]);
        text_add(to, ",\n          .params = ");
        add_string(to, text_get(&params));
        text_free(&params);
    }
    body(c, to);
}

void case_source(const struct test_case *c, const char *header, struct text *to)
{
    char id[9];
    case_id_of(c, id);
    head(c, id, header, to);
    includes(c, header, to);
    test(c, id, to);
}

void case_source_more(const struct test_case *c, struct text *to)
{
    char id[9];
    case_id_of(c, id);
    text_char(to, '\n');
    what(c, id, to);
    text_add(to, " */\n");
    test(c, id, to);
}
