// The shape of a test: its name says what tells it apart, the comment above it
// has the decisions in source text, then objects, call, assertions.  Traps
// come last, in a group of their own, each in a child process.
#include "unit/testfile.h"

#include "base/arena.h"
#include "base/text.h"
#include "cases/call.h"
#include "unit/source.h"
#include "unit/testfile_head.h"

#include <string.h>

enum { WIDTH = 78 };

// ---- assertions -----------------------------------------------------------

// Bytes of a string literal, and how many of them are zero.
static size_t bytes_of(const char *literal, size_t *zeros)
{
    size_t n = 0;
    *zeros = 0;
    for (const char *s = literal + 1; *s && s[1]; n++) {
        unsigned v = 1;
        if (*s++ != '\\')
            continue;
        if (*s < '0' || *s > '7') {
            s++;
            continue;
        }
        v = 0;
        for (int k = 0; k < 3 && *s >= '0' && *s <= '7'; k++)
            v = 8 * v + (unsigned)(*s++ - '0');
        *zeros += v == 0;
    }
    return n;
}

// A text whose only zero is the last byte is a string.
static void assert_text(const char *place, const char *literal, struct text *to)
{
    size_t zeros, n = bytes_of(literal, &zeros), k = strlen(literal);
    size_t tail = k > 5 && strcmp(literal + k - 5, "\\000\"") == 0 ? 5
                  : k > 3 && strcmp(literal + k - 3, "\\0\"") == 0 ? 3
                                                                   : 0;
    if (zeros == 1 && tail)
        text_format(to, "    assert_string_equal(%s, %.*s\");\n", place,
                    (int)(k - tail), literal);
    else
        text_format(to, "    assert_memory_equal(%s, %s, %zu);\n", place,
                    literal, n);
}

static void assertion(const struct call_value *v, struct text *to)
{
    const char *p = v->place, *x = v->value;
    switch (v->kind) {
    case CALL_SIGNED:
    case CALL_UNSIGNED:
        text_format(to, "    assert_int_equal(%s, %s);\n", p, x);
        return;
    case CALL_FLOAT:
        text_format(to, "    assert_true(same_float(%s, %s));\n", p, x);
        return;
    case CALL_DOUBLE:
        text_format(to, "    assert_true(same_double(%s, %s));\n", p, x);
        return;
    case CALL_LONG_DOUBLE:
        text_format(to, "    assert_true(%s == %s);\n", p, x);
        return;
    case CALL_POINTER:
        if (strcmp(x, "NULL") == 0)
            text_format(to, "    assert_null(%s);\n", p);
        else if (strcmp(x, "new") == 0)
            text_format(to, "    assert_non_null(%s);\n", p);
        else
            text_format(to, "    assert_ptr_equal(%s, %s);\n", p, x);
        return;
    case CALL_TEXT:
        assert_text(p, x, to);
        return;
    case CALL_KINDS_N:
        break;
    }
    assert(false);
}

// ---- tests ----------------------------------------------------------------

static void comment_words(const char *line, struct text *to)
{
    size_t at = 0;
    text_add(to, "//");
    at = 2;
    for (const char *s = line; *s;) {
        size_t n = strcspn(s, " ");
        if (at + 1 + n > WIDTH && at > 2) {
            text_add(to, "\n//");
            at = 2;
        }
        text_char(to, ' ');
        text_bytes(to, s, n);
        at += n + 1;
        s += n;
        s += strspn(s, " ");
    }
    text_char(to, '\n');
}

static void comment(const struct call_case *c, struct text *to)
{
    struct text line = {0};
    for (uint32_t i = 0; i < c->decisions.n; i++) {
        const struct call_decision *d = &c->decisions.at[i];
        text_format(&line, "%s%s (%u): %s", i ? "; " : "", d->text, d->line,
                    d->side);
    }
    if (!c->decisions.n && c->end == CALL_RETURNS)
        text_add(&line, "no decisions");
    if (line.n)
        comment_words(text_get(&line), to);
    text_clear(&line);
    if (c->end != CALL_RETURNS) {
        text_format(&line, "%s line %u: %s%s%s.",
                    strcmp(c->trap.kind, "endless") == 0 ? "Does not end at"
                    : c->end == CALL_REPORTED            ? "Wrong at"
                                                         : "Ends at",
                    c->trap.line, c->trap.kind,
                    c->trap.text && *c->trap.text ? ", " : "",
                    c->trap.text ? c->trap.text : "");
        comment_words(text_get(&line), to);
    }
    for (uint32_t i = 0; i < c->labels.n; i++)
        comment_words(c->labels.at[i], to);
    text_free(&line);
}

// Is there something to assert of it?
static bool tells_result(const struct call_case *c)
{
    for (uint32_t i = 0; i < c->after.n; i++)
        if (strstr(c->after.at[i].place, "result"))
            return true;
    return false;
}

static void frees(const struct call_case *c, struct text *to)
{
    for (uint32_t i = c->after.n; i-- > 0;)
        if (testfile_is_left(c, &c->after.at[i]))
            text_format(to, "    free(%s);\n", c->after.at[i].place);
    for (uint32_t i = 0; i < c->objects.n; i++)
        if (c->objects.at[i].form == CALL_HEAP && !c->objects.at[i].freed)
            text_format(to, "    free(%s);\n", c->objects.at[i].name);
    for (uint32_t i = 0; i < c->objects.n; i++)
        if (c->objects.at[i].form == CALL_FILE && !c->objects.at[i].freed)
            text_format(to, "    fclose(%s);\n", c->objects.at[i].name);
}

static void returning(const struct call_case *c, struct text *to)
{
    comment(c, to);
    text_format(to, "static void %s__%s(void **state)\n{\n    (void)state;\n",
                c->function, c->name);
    if (source_resets(c))
        text_add(to, "    reset_stubs();\n");
    source_arrange(c, to);
    if (c->objects.n || c->before.n || source_resets(c))
        text_char(to, '\n');
    struct call_case call = *c;
    if (!tells_result(c))
        call.result = NULL;
    source_call(&call, to);
    if (c->after.n)
        text_char(to, '\n');
    for (uint32_t i = 0; i < c->after.n; i++)
        assertion(&c->after.at[i], to);
    frees(c, to);
    text_add(to, "}\n\n");
}

static const char *end_helper(enum call_end end)
{
    switch (end) {
    case CALL_TRAPS:
        return "ends_by";
    case CALL_EXITS:
        return "exits_with";
    case CALL_REPORTED:
        return "is_reported";
    case CALL_RETURNS:
    case CALL_ENDS_N:
        break;
    }
    return "";
}

static void ending(const struct call_case *c, struct text *to)
{
    struct call_case plain = *c;
    plain.result = NULL;
    comment(c, to);
    text_format(to, "static void call_%s(void)\n{\n", c->name);
    if (source_resets(c))
        text_add(to, "    reset_stubs();\n");
    source_arrange(c, to);
    source_call(&plain, to);
    text_format(to,
                "}\nstatic void %s__traps_%s(void **state)\n{\n"
                "    (void)state;\n    ",
                c->function, c->name);
    if (c->end == CALL_REPORTED && strcmp(c->trap.signal, CALL_BY_BOUNDS) == 0)
        text_add(to, "if (!checks_bounds())\n        skip();\n    ");
    if (c->end == CALL_REPORTED)
        text_format(to, "assert_true(%s(call_%s));\n}\n\n", end_helper(c->end),
                    c->name);
    else
        text_format(to, "assert_int_equal(%s(call_%s), %s);\n}\n\n",
                    end_helper(c->end), c->name, c->trap.signal);
}

// The tests of a file come in groups: calls that return, those that end, and
// those that only a sanitizer ends.
static const struct {
    const char *name;      // of the array
    const char *head;      // a comment before it
    const char *condition; // NULL: always
} groups[] = {
    {"tests", "", NULL},
    {"traps", "// ---- Traps: calls that do not return.\n\n",
     "#ifndef NO_TRAPS\n"},
    {"reports", "// ---- Traps that only a sanitizer notices.\n\n",
     "#ifdef UNDER_ADDRESS_SANITIZER\n"},
};
enum { GROUPS_N = sizeof groups / sizeof *groups };

static uint32_t group_of(const struct call_case *c)
{
    return c->end == CALL_RETURNS ? 0 : c->end == CALL_REPORTED ? 2 : 1;
}

static void tests(const struct testfile *f, uint32_t g, struct text *to)
{
    bool any = false;
    for (uint32_t i = 0; i < f->n; i++) {
        if (group_of(f->calls[i]) != g)
            continue;
        if (!any && groups[g].condition)
            text_format(to, "%s%s", groups[g].head, groups[g].condition);
        any = true;
        if (g)
            ending(f->calls[i], to);
        else
            returning(f->calls[i], to);
    }
    if (any && groups[g].condition)
        text_add(to, "#endif\n\n");
}

static void group(const struct testfile *f, uint32_t g, struct text *to)
{
    struct arena a = {0};
    struct text rows = {0};
    for (uint32_t i = 0; i < f->n; i++)
        if (group_of(f->calls[i]) == g)
            text_format(&rows, "        cmocka_unit_test(%s__%s%s),\n",
                        f->calls[i]->function, g ? "traps_" : "",
                        f->calls[i]->name);
    if (rows.n)
        text_format(
            to,
            "%s    const struct CMUnitTest %s[] = {\n%s    };\n"
            "%s"
            "%s",
            groups[g].condition ? groups[g].condition : "", groups[g].name,
            text_get(&rows),
            f->remembers
                ? arena_format(&a,
                               "    for (size_t i = 0; i < sizeof %s / sizeof "
                               "*%s; i++)\n"
                               "        failed += run_apart(&%s[i]);\n",
                               groups[g].name, groups[g].name, groups[g].name)
                : arena_format(&a,
                               "    failed += cmocka_run_group_tests("
                               "%s, NULL, NULL);\n",
                               groups[g].name),
            groups[g].condition ? "#endif\n" : "");
    text_free(&rows);
    arena_free(&a);
}

static void table(const struct testfile *f, struct text *to)
{
    text_add(to, "int main(void)\n{\n    int failed = 0;\n");
    for (uint32_t g = 0; g < GROUPS_N; g++)
        group(f, g, to);
    text_add(to, "    return failed;\n}\n");
}

// All calls have the same stubs, but for those that bring a callback along.
static void stubs(const struct testfile *f, struct text *to)
{
    const struct call_case *most = NULL;
    for (uint32_t i = 0; i < f->n; i++)
        if (!most || f->calls[i]->stubs.n > most->stubs.n)
            most = f->calls[i];
    if (most && most->stubs.n)
        source_stubs(most, to);
}

void testfile_print(const struct testfile *f, struct text *to)
{
    struct text body = {0};
    bool reports = false;
    for (uint32_t i = 0; i < f->n; i++)
        reports |= f->calls[i]->end == CALL_REPORTED;
    text_format(&body, "// %s\n", f->command);
    if (reports)
        text_format(&body, "// %s\n", f->sanitized);
    for (uint32_t i = 0; i < f->n_notes; i++)
        comment_words(f->notes[i], &body);
    testfile_head(f, &body);
    stubs(f, &body);
    for (uint32_t g = 0; g < GROUPS_N; g++)
        tests(f, g, &body);
    table(f, &body);
    testfile_sign(&body, to);
    text_free(&body);
}
