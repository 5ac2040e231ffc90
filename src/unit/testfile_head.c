// What stands before the tests of a file: headers, the source under test, and
// the helpers that some call needs.
#include "unit/testfile_head.h"

#include "base/file.h"
#include "base/text.h"
#include "cases/call.h"
#include "unit/source.h"
#include "unit/testfile.h"

#include <ctype.h>
#include <string.h>

// ---- what the calls need --------------------------------------------------

struct wants {
    bool floats, doubles, memory, alloc, guard, fence, fails;
    bool apart;                   // each test has a process of its own
    bool signals, exits, reports; // ends of calls
    bool indices;                 // a report that only -fsanitize=bounds makes
    uint32_t files;               // of SOURCE_FILE and SOURCE_TEXT
};

static void want_value(struct wants *w, const struct call_value *v)
{
    w->floats |= v->kind == CALL_FLOAT;
    w->doubles |= v->kind == CALL_DOUBLE;
    w->memory |= v->kind == CALL_TEXT;
}

// What a variable of the program leads to stays the program's.
bool testfile_is_left(const struct call_case *c, const struct call_value *v)
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
        w.indices |= c->end == CALL_REPORTED &&
                     strcmp(c->trap.signal, CALL_BY_BOUNDS) == 0;
        w.memory |= c->stubs.n > 0;
        for (uint32_t k = 0; k < c->stubs.n; k++)
            w.alloc |= c->stubs.at[k].ends;
        if (c->end == CALL_RETURNS)
            for (uint32_t k = 0; k < c->after.n; k++)
                want_value(&w, &c->after.at[k]);
        for (uint32_t k = 0; k < c->after.n; k++)
            w.alloc |= testfile_is_left(c, &c->after.at[k]);
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
    return !w->reports              ? "#ifndef NO_TRAPS\n"
           : w->signals || w->exits ? "#if !defined NO_TRAPS || defined "
                                      "UNDER_ADDRESS_SANITIZER\n"
                                    : "#ifdef UNDER_ADDRESS_SANITIZER\n";
}

// How a child ends, as a value for assertions.
static void ends(const struct wants *w, struct text *to)
{
    if (w->signals || w->exits)
        text_add(to, "#ifndef NO_TRAPS\n");
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
                     "    return end_of(call) != 0;\n}\n\n");
    if (w->indices)
        text_add(to, "// Does it end at a wrong index, too: "
                     "-fsanitize=bounds?\n"
                     "static void index_wrongly(void)\n{\n"
                     "    static char a[2][2];\n"
                     "    static volatile int i = 3;\n"
                     "    (void)a[i];\n}\n"
                     "static int checks_bounds(void)\n{\n"
                     "    return is_reported(index_wrongly);\n}\n\n");
    if (w->reports)
        text_add(to, "#endif\n");
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

// Sanitizers end a process in their own way, and compilers that optimize take
// what is wrong for what never happens: traps are left out then.
static void sanitizers(const struct wants *w, struct text *to)
{
    text_add(to, "// Optimized, or under a sanitizer, what is wrong may end in "
                 "another way, or go\n// on.\n"
                 "#if defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || "
                 "\\\n    defined __SANITIZE_THREAD__\n"
                 "#define NO_TRAPS\n"
                 "#elif defined __has_feature\n"
                 "#if __has_feature(address_sanitizer) || "
                 "__has_feature(thread_sanitizer) || \\\n"
                 "    __has_feature(memory_sanitizer) || "
                 "__has_feature(undefined_behavior_sanitizer)\n"
                 "#define NO_TRAPS\n"
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
        text_add(to, "#ifndef NO_TRAPS\n");
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

void testfile_head(const struct testfile *f, struct text *to)
{
    struct wants w = wants_of(f);
    features(f, to);
    headers(&w, to);
    own_words(f, to);
    if (w.fence) {
        sanitizers(&w, to);
        text_add(to, "#ifndef NO_TRAPS\n");
        source_fence(to);
        text_add(to, "#endif\n\n");
    }
    if (w.fails)
        source_failing(f->source, to);
    source_include(f->include, f->has_main, f->n ? f->calls[0] : NULL, to);
    text_char(to, '\n');
    helpers(&w, to);
}
