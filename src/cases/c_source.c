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

static void head(const struct test_case *c, const char *id, struct text *to)
{
    text_format(to, "/* Bug %s: ", id);
    add_comment(to, c->bug.text ? c->bug.text : bug_kind_text(c->bug.kind));
    text_add(to, ".\n * Found by troupe");
    if (c->tool)
        text_format(to, " %s", c->tool);
    text_format(to, " in test %s, delivery %s.  Build and run:\n *   cc -g",
                c->test, c->delivery);
    flags(c, false, to);
    text_format(to, " test_%s.c", id);
    for (uint32_t i = 0; i < c->programs.n; i++)
        text_format(to, " %s", c->programs.at[i]);
    flags(c, true, to);
    text_format(to,
                " \\\n *      $(pkg-config --cflags --libs troupe-test) -o "
                "test_%s\n *   ./test_%s --filter=bug_%s\n */\n",
                id, id, id);
    if (c->bug.kind == BUG_CYCLE)
        text_add(to,
                 "/* Goes round once: that it may go on for ever is seen by "
                 "explore only. */\n");
    if (bug_kind_warns(c->bug.kind))
        text_add(to, "/* A warning: the test passes, and keeps the schedule. "
                     "*/\n");
}

static void steps(const struct test_case *c, struct text *to)
{
    for (uint32_t i = 0; i < c->steps.n; i++) {
        struct text line = {0};
        words_print(&c->steps.at[i], &line);
        if (i + 1 < c->steps.n)
            text_add(&line, "; ");
        text_add(to, i ? "\n          " : "          ");
        add_string(to, text_get(&line));
        text_free(&line);
    }
    if (!c->steps.n)
        text_add(to, "          \"\"");
}

static bool needs_stage(enum bug_kind k)
{
    return k == BUG_ISOLATION || k == BUG_NONDET;
}

void case_source(const struct test_case *c, struct text *to)
{
    char id[9];
    case_id(&c->bug, c->test, id);
    head(c, id, to);
    text_add(to, "#include <troupe.h>\n\n");
    if (needs_stage(c->bug.kind)) {
        text_format(to, "TR_TEST(bug_%s, .of = \"%s\", .explore = \"%s\"", id,
                    c->test, c->delivery);
    } else {
        text_format(to, "TR_REPLAY(bug_%s, \"%s\", \"%s\",\n", id, c->test,
                    c->delivery);
        steps(c, to);
    }
    if (c->own_clocks)
        text_add(to, ",\n          .clock = \"own\"");
    if (c->params.n) {
        struct text params = {0};
        for (uint32_t i = 0; i < c->params.n; i++)
            text_format(&params, "%s%s", i ? " " : "", c->params.at[i]);
        text_add(to, ",\n          .params = ");
        add_string(to, text_get(&params));
        text_free(&params);
    }
    text_add(to, ")\n{\n}\n");
}
