// The shape of a test: its name says what tells it apart, the comment above it
// has the decisions in source text, then objects, call, assertions.  Traps
// come last, in a group of their own, each in a child process.
#include "unit/testfile.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "cases/call.h"
#include "unit/source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 78 };

// ---- what the calls need --------------------------------------------------

struct wants {
    bool floats, doubles, memory, alloc, guard, fence, fails;
    bool apart;                   // each test has a process of its own
    bool signals, exits, reports; // ends of calls
    uint32_t files;               // of SOURCE_FILE and SOURCE_TEXT
};

static void want_value(struct wants *w, const struct call_value *v)
{
    w->floats |= v->kind == CALL_FLOAT;
    w->doubles |= v->kind == CALL_DOUBLE;
    w->memory |= v->kind == CALL_TEXT;
}

// Is it memory that the call allocated and left to its caller?  What a variable
// of the program leads to stays the program's.
static bool is_left(const struct call_case *c, const struct call_value *v)
{
    size_t n = strcspn(v->place, "-.[");
    bool own = n == 6 && strncmp(v->place, "result", n) == 0;
    for (uint32_t i = 0; i < c->objects.n; i++)
        own |= strncmp(v->place, c->objects.at[i].name, n) == 0 &&
               !c->objects.at[i].name[n];
    return own && v->kind == CALL_POINTER && strcmp(v->value, "new") == 0;
}

static struct wants wants_of(const struct testfile *f)
{
    struct wants w = {.apart = f->remembers, .alloc = f->remembers};
    for (uint32_t i = 0; i < f->n; i++) {
        const struct call_case *c = f->calls[i];
        uint32_t needs = source_needs(c);
        w.alloc |= (needs & SOURCE_ALLOC) != 0;
        w.guard |= (needs & SOURCE_GUARD) != 0;
        w.fence |= (needs & SOURCE_FENCE) != 0;
        w.fails |= (needs & SOURCE_FAIL) != 0;
        w.alloc |= w.fails;
        w.memory |= w.fence || w.fails;
        w.files |= needs & (SOURCE_FILE | SOURCE_TEXT);
        w.signals |= c->end == CALL_TRAPS;
        w.exits |= c->end == CALL_EXITS;
        w.reports |= c->end == CALL_REPORTED;
        w.memory |= c->stubs.n > 0;
        for (uint32_t k = 0; k < c->stubs.n; k++)
            w.alloc |= c->stubs.at[k].ends;
        if (c->end == CALL_RETURNS)
            for (uint32_t k = 0; k < c->after.n; k++)
                want_value(&w, &c->after.at[k]);
        for (uint32_t k = 0; k < c->after.n; k++)
            w.alloc |= is_left(c, &c->after.at[k]);
        for (uint32_t k = 0; k < c->objects.n; k++)
            for (uint32_t m = 0; m < c->objects.at[k].fields.n; m++)
                w.memory |= c->objects.at[k].form != CALL_LOCAL &&
                            c->objects.at[k].form != CALL_FILE &&
                            c->objects.at[k].fields.at[m].kind == CALL_TEXT;
    }
    return w;
}

// Is there a call that is made in a child?
static bool needs_children(const struct wants *w)
{
    return w->signals || w->exits || w->reports;
}

static void headers(const struct wants *w, struct text *to)
{
    bool children = needs_children(w) || w->apart;
    if (w->fails)
        text_add(to, "#include <errno.h>\n");
    text_add(to, "#include <limits.h>\n#include <setjmp.h>\n");
    if (children)
        text_add(to, "#include <signal.h>\n");
    text_add(to, "#include <stdarg.h>\n#include <stddef.h>\n"
                 "#include <stdint.h>\n");
    if (children || w->files)
        text_add(to, "#include <stdio.h>\n");
    if (w->alloc)
        text_add(to, "#include <stdlib.h>\n");
    if (w->floats || w->doubles || w->memory)
        text_add(to, "#include <string.h>\n");
    if (w->guard || w->fence)
        text_add(to, "#include <sys/mman.h>\n");
    if (children)
        text_add(to, "#include <sys/resource.h>\n#include <sys/wait.h>\n");
    if (w->guard || children)
        text_add(to, "#include <unistd.h>\n");
    text_add(to, "\n#include <cmocka.h>\n\n");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Is there a call or a function of this name in the text?
static bool calls(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if ((at == text || !is_word(at[-1])) &&
            at[n + strspn(at + n, " \t\n")] == '(')
            return true;
    return false;
}

// What the source asks of system headers must be said before the first of them.
static void features(const struct testfile *f, struct text *to)
{
    static const char *const words[] = {"_GNU_SOURCE", "_DEFAULT_SOURCE",
                                        "_BSD_SOURCE", "_POSIX_C_SOURCE",
                                        "_XOPEN_SOURCE"};
    struct text source = {0};
    if (!f->source || !file_read(f->source, &source))
        return;
    for (const char *s = text_get(&source); *s; s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strncmp(s, "#define ", 8) == 0 &&
                strncmp(s + 8, words[i], strlen(words[i])) == 0 &&
                !is_word(s[8 + strlen(words[i])]))
                text_format(to, "%.*s\n", (int)n, s);
        s += n;
    }
    text_free(&source);
}

// Words of cmocka's that no test of ours needs and the source has for itself.
static void own_words(const struct testfile *f, struct text *to)
{
    static const char *const words[] = {
        "check_expected",  "expect_any",   "expect_check", "expect_memory",
        "expect_string",   "expect_value", "fail",         "fail_msg",
        "function_called", "mock",         "mock_type",    "run_test",
        "run_tests",       "skip",         "test_calloc",  "test_free",
        "test_malloc",     "test_realloc", "unit_test",    "will_return"};
    struct text source = {0};
    size_t before = to->n;
    if (!f->source || !file_read(f->source, &source))
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (calls(text_get(&source), words[i]))
            text_format(to, "#undef %s\n", words[i]);
    if (to->n != before)
        text_char(to, '\n');
    text_free(&source);
}

static void same_bits(const char *type, struct text *to)
{
    text_format(to,
                "// Equal bit for bit: 0.0 is not -0.0.  What NaN it is, a "
                "compiler decides.\n"
                "static int same_%s(%s a, %s b)\n{\n"
                "    return a != a ? b != b : memcmp(&a, &b, sizeof a) == "
                "0;\n}\n\n",
                type, type, type);
}

// Where a call is made in a child: traps where no sanitizer is, reports where
// one is.
static const char *child_condition(const struct wants *w)
{
    return !w->reports              ? "#ifndef UNDER_SANITIZER\n"
           : w->signals || w->exits ? "#if !defined UNDER_SANITIZER || defined "
                                      "UNDER_ADDRESS_SANITIZER\n"
                                    : "#ifdef UNDER_ADDRESS_SANITIZER\n";
}

// How a child ends, as a value for assertions.
static void ends(const struct wants *w, struct text *to)
{
    if (w->signals || w->exits)
        text_add(to, "#ifndef UNDER_SANITIZER\n");
    if (w->signals)
        text_add(to, "// The signal that ends it, 0 if it returns.\n"
                     "static int ends_by(void (*call)(void))\n{\n"
                     "    int status = end_of(call);\n"
                     "    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;"
                     "\n}\n\n");
    if (w->exits)
        text_add(to, "// The status it exits with, -1 if it does not exit.\n"
                     "static int exits_with(void (*call)(void))\n{\n"
                     "    int status = end_of(call);\n"
                     "    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;"
                     "\n}\n\n");
    if (w->signals || w->exits)
        text_add(to, "#endif\n");
    if (w->reports)
        text_add(to, "#ifdef UNDER_ADDRESS_SANITIZER\n"
                     "// Does the sanitizer end it?\n"
                     "static int is_reported(void (*call)(void))\n{\n"
                     "    return end_of(call) != 0;\n}\n\n#endif\n");
}

static void children(const struct wants *w, struct text *to)
{
    text_add(to, child_condition(w));
    text_add(to, "// How a process that makes this call ends: the status of "
                 "waitpid().  It has a\n// second of processor time.\n"
                 "static int end_of(void (*call)(void))\n{\n"
                 "    struct rlimit none = {0, 0}, second = {1, 2};\n"
                 "    fflush(NULL);\n"
                 "    pid_t child = fork();\n"
                 "    if (child == 0) {\n"
                 "        for (int s = 1; s < 32; s++)\n"
                 "            signal(s, SIG_DFL);\n"
                 "        setrlimit(RLIMIT_CORE, &none);\n"
                 "        setrlimit(RLIMIT_CPU, &second);\n"
                 "        alarm(60);\n"
                 "        if (!freopen(\"/dev/null\", \"w\", stderr))\n"
                 "            _exit(99);\n"
                 "        call();\n"
                 "        _exit(0);\n"
                 "    }\n"
                 "    int status = 0;\n"
                 "    waitpid(child, &status, 0);\n"
                 "    return status;\n}\n#endif\n\n");
    ends(w, to);
}

// Sanitizers end a process in their own way, so traps are left out then.
static void sanitizers(const struct wants *w, struct text *to)
{
    text_add(to, "#if defined __SANITIZE_ADDRESS__ || defined "
                 "__SANITIZE_THREAD__\n"
                 "#define UNDER_SANITIZER\n"
                 "#elif defined __has_feature\n"
                 "#if __has_feature(address_sanitizer) || "
                 "__has_feature(thread_sanitizer) || \\\n"
                 "    __has_feature(memory_sanitizer) || "
                 "__has_feature(undefined_behavior_sanitizer)\n"
                 "#define UNDER_SANITIZER\n"
                 "#endif\n"
                 "#endif\n\n");
    if (w->reports)
        text_add(to, "#ifdef __SANITIZE_ADDRESS__\n"
                     "#define UNDER_ADDRESS_SANITIZER\n"
                     "#elif defined __has_feature\n"
                     "#if __has_feature(address_sanitizer)\n"
                     "#define UNDER_ADDRESS_SANITIZER\n"
                     "#endif\n"
                     "#endif\n\n");
}

static void helpers(const struct wants *w, struct text *to)
{
    if (w->floats)
        same_bits("float", to);
    if (w->doubles)
        same_bits("double", to);
    if (needs_children(w) && !w->fence)
        sanitizers(w, to);
    source_files(w->files, to);
    if (w->guard && needs_children(w))
        text_add(to, "#ifndef UNDER_SANITIZER\n");
    if (w->guard)
        source_guard(to);
    if (w->guard && needs_children(w))
        text_add(to, "#endif\n");
    if (w->apart)
        text_add(to, "// The source has static variables: each test begins "
                     "with them as they are at\n// first, in a process of its "
                     "own.\n"
                     "static int run_apart(const struct CMUnitTest *test)\n{\n"
                     "    const struct CMUnitTest one[] = {*test};\n"
                     "    int status = 0;\n"
                     "    fflush(NULL);\n"
                     "    pid_t child = fork();\n"
                     "    if (child == 0)\n"
                     "        exit(cmocka_run_group_tests(one, NULL, NULL));\n"
                     "    waitpid(child, &status, 0);\n"
                     "    return status != 0;\n}\n\n");
    if (needs_children(w))
        children(w, to);
}

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
        if (is_left(c, &c->after.at[i]))
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
     "#ifndef UNDER_SANITIZER\n"},
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
    struct wants w = wants_of(f);
    text_format(&body, "// %s\n", f->command);
    if (w.reports)
        text_format(&body, "// %s\n", f->sanitized);
    for (uint32_t i = 0; i < f->n_notes; i++)
        comment_words(f->notes[i], &body);
    features(f, &body);
    headers(&w, &body);
    own_words(f, &body);
    if (w.fence) {
        sanitizers(&w, &body);
        text_add(&body, "#ifndef UNDER_SANITIZER\n");
        source_fence(&body);
        text_add(&body, "#endif\n\n");
    }
    if (w.fails)
        source_failing(f->source, &body);
    source_include(f->include, f->has_main, f->n ? f->calls[0]->own.at : NULL,
                   f->n ? f->calls[0]->own.n : 0, &body);
    text_char(&body, '\n');
    helpers(&w, &body);
    stubs(f, &body);
    for (uint32_t g = 0; g < GROUPS_N; g++)
        tests(f, g, &body);
    table(f, &body);
    testfile_sign(&body, to);
    text_free(&body);
}

void testfile_sign(const struct text *rest, struct text *to)
{
    text_format(to, "// Written by troupe unit, %016llx.\n%s",
                (unsigned long long)hash_bytes(text_get(rest), rest->n),
                text_get(rest));
}

// ---- files ----------------------------------------------------------------

// Was this file, which exists, written by us and not edited since?
enum state { NONE, OURS, EDITED };

static enum state state_of(const char *path)
{
    struct text t = {0};
    unsigned long long hash;
    int n = 0;
    enum state s = EDITED;
    if (access(path, F_OK) != 0)
        return NONE;
    if (file_read(path, &t) &&
        sscanf(text_get(&t), "// Written by troupe unit, %16llx.%n", &hash,
               &n) == 1 &&
        text_get(&t)[n] == '\n' &&
        hash == hash_bytes(text_get(&t) + n + 1, t.n - (size_t)n - 1))
        s = OURS;
    text_free(&t);
    return s;
}

// "tests/test_f.c" -> "tests/test_f.new.c".
static const char *beside(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    return arena_format(a, "%.*s.new.c", (int)(n - 2), path);
}

bool testfile_write(struct arena *a, const struct text *t, const char **path,
                    struct diag *d)
{
    if (state_of(*path) == EDITED)
        *path = beside(a, *path);
    return file_replace(*path, text_get(t), t->n) ||
           diag_set(d, EXIT_USAGE, "cannot write '%s': %s", *path,
                    strerror(errno));
}

const char *testfile_relative(struct arena *a, const char *folder,
                              const char *file)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct text t = {0};
    if (!realpath(folder, from) || !realpath(file, to))
        return file;
    size_t same = 0;
    for (size_t i = 0; from[i] == to[i] || !from[i]; i++) {
        if (to[i] == '/')
            same = i;
        if (!from[i] || !to[i])
            break;
    }
    for (const char *s = from + same; *s; s++)
        if (*s == '/' && s[1])
            text_add(&t, "../");
    text_add(&t, to + same + 1);
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}
