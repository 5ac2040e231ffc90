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

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 78 };

// ---- what the calls need --------------------------------------------------

struct wants {
    bool floats, doubles, memory, alloc, guard, signals, exits;
};

static void want_value(struct wants *w, const struct call_value *v)
{
    w->floats |= v->kind == CALL_FLOAT;
    w->doubles |= v->kind == CALL_DOUBLE;
    w->memory |= v->kind == CALL_TEXT;
}

static struct wants wants_of(const struct testfile *f)
{
    struct wants w = {0};
    for (uint32_t i = 0; i < f->n; i++) {
        const struct call_case *c = f->calls[i];
        uint32_t needs = source_needs(c);
        w.alloc |= (needs & SOURCE_ALLOC) != 0;
        w.guard |= (needs & SOURCE_GUARD) != 0;
        w.signals |= c->end == CALL_TRAPS;
        w.exits |= c->end == CALL_EXITS;
        w.memory |= c->stubs.n > 0;
        if (c->end == CALL_RETURNS)
            for (uint32_t k = 0; k < c->after.n; k++)
                want_value(&w, &c->after.at[k]);
        for (uint32_t k = 0; k < c->objects.n; k++)
            for (uint32_t m = 0; m < c->objects.at[k].fields.n; m++)
                w.memory |= c->objects.at[k].form != CALL_LOCAL &&
                            c->objects.at[k].fields.at[m].kind == CALL_TEXT;
    }
    return w;
}

static void headers(const struct wants *w, struct text *to)
{
    text_add(to, "#include <limits.h>\n#include <setjmp.h>\n");
    if (w->signals)
        text_add(to, "#include <signal.h>\n");
    text_add(to, "#include <stdarg.h>\n#include <stddef.h>\n"
                 "#include <stdint.h>\n");
    if (w->signals || w->exits)
        text_add(to, "#include <stdio.h>\n");
    if (w->alloc)
        text_add(to, "#include <stdlib.h>\n");
    if (w->floats || w->doubles || w->memory)
        text_add(to, "#include <string.h>\n");
    if (w->guard)
        text_add(to, "#include <sys/mman.h>\n");
    if (w->signals || w->exits)
        text_add(to, "#include <sys/resource.h>\n#include <sys/wait.h>\n");
    if (w->guard || w->signals || w->exits)
        text_add(to, "#include <unistd.h>\n");
    text_add(to, "\n#include <cmocka.h>\n\n");
}

static void same_bits(const char *type, struct text *to)
{
    text_format(to,
                "// Equal bit for bit: 0.0 is not -0.0.\n"
                "static int same_%s(%s a, %s b)\n{\n"
                "    return memcmp(&a, &b, sizeof a) == 0;\n}\n\n",
                type, type, type);
}

static void children(const struct wants *w, struct text *to)
{
    text_add(to, "// How a process that makes this call ends: the status of "
                 "waitpid().\n"
                 "static int end_of(void (*call)(void))\n{\n"
                 "    struct rlimit none = {0, 0};\n"
                 "    fflush(NULL);\n"
                 "    pid_t child = fork();\n"
                 "    if (child == 0) {\n"
                 "        for (int s = 1; s < 32; s++)\n"
                 "            signal(s, SIG_DFL);\n"
                 "        setrlimit(RLIMIT_CORE, &none);\n"
                 "        alarm(10);\n"
                 "        if (!freopen(\"/dev/null\", \"w\", stderr))\n"
                 "            _exit(99);\n"
                 "        call();\n"
                 "        _exit(0);\n"
                 "    }\n"
                 "    int status = 0;\n"
                 "    waitpid(child, &status, 0);\n"
                 "    return status;\n}\n\n");
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
}

// Sanitizers end a process in their own way, so traps are left out then.
static void sanitizers(struct text *to)
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
}

static void helpers(const struct wants *w, struct text *to)
{
    if (w->floats)
        same_bits("float", to);
    if (w->doubles)
        same_bits("double", to);
    if (w->signals || w->exits)
        sanitizers(to);
    if (w->guard && (w->signals || w->exits))
        text_add(to, "#ifndef UNDER_SANITIZER\n");
    if (w->guard)
        source_guard(to);
    if (w->guard && (w->signals || w->exits))
        text_add(to, "#endif\n");
    if (w->signals || w->exits) {
        text_add(to, "#ifndef UNDER_SANITIZER\n");
        children(w, to);
        text_add(to, "#endif\n");
    }
}

// ---- assertions -----------------------------------------------------------

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
        text_format(to, "    assert_memory_equal(%s, %s, sizeof %s - 1);\n", p,
                    x, x);
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
        text_format(&line, "Ends at line %u: %s%s%s.", c->trap.line,
                    c->trap.kind, c->trap.text && *c->trap.text ? ", " : "",
                    c->trap.text ? c->trap.text : "");
        comment_words(text_get(&line), to);
    }
    for (uint32_t i = 0; i < c->labels.n; i++)
        comment_words(c->labels.at[i], to);
    text_free(&line);
}

static bool has_results(const struct call_case *c)
{
    for (uint32_t i = 0; i < c->stubs.n; i++)
        if (!c->stubs.at[i].is_void)
            return true;
    return false;
}

static void frees(const struct call_case *c, struct text *to)
{
    for (uint32_t i = 0; i < c->objects.n; i++)
        if (c->objects.at[i].form == CALL_HEAP && !c->objects.at[i].freed)
            text_format(to, "    free(%s);\n", c->objects.at[i].name);
}

static void returning(const struct call_case *c, struct text *to)
{
    comment(c, to);
    text_format(to, "static void %s__%s(void **state)\n{\n    (void)state;\n",
                c->function, c->name);
    if (has_results(c))
        text_add(to, "    reset_stubs();\n");
    source_arrange(c, to);
    if (c->objects.n || c->before.n || has_results(c))
        text_char(to, '\n');
    source_call(c, to);
    if (c->after.n)
        text_char(to, '\n');
    for (uint32_t i = 0; i < c->after.n; i++)
        assertion(&c->after.at[i], to);
    frees(c, to);
    text_add(to, "}\n\n");
}

static void ending(const struct call_case *c, struct text *to)
{
    struct call_case plain = *c;
    plain.result = NULL;
    comment(c, to);
    text_format(to, "static void call_%s(void)\n{\n", c->name);
    if (has_results(c))
        text_add(to, "    reset_stubs();\n");
    source_arrange(c, to);
    source_call(&plain, to);
    text_format(to,
                "}\nstatic void %s__traps_%s(void **state)\n{\n"
                "    (void)state;\n    assert_int_equal(%s(call_%s), %s);\n"
                "}\n\n",
                c->function, c->name,
                c->end == CALL_TRAPS ? "ends_by" : "exits_with", c->name,
                c->trap.signal);
}

static void tests(const struct testfile *f, bool ended, struct text *to)
{
    bool any = false;
    for (uint32_t i = 0; i < f->n; i++) {
        bool is = f->calls[i]->end != CALL_RETURNS;
        if (is != ended)
            continue;
        if (is && !any)
            text_add(to, "// ---- Traps: calls that do not return.\n\n"
                         "#ifndef UNDER_SANITIZER\n");
        any = true;
        if (is)
            ending(f->calls[i], to);
        else
            returning(f->calls[i], to);
    }
    if (any && ended)
        text_add(to, "#endif\n\n");
}

static uint32_t group(const struct testfile *f, bool ended, struct text *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct call_case *c = f->calls[i];
        if ((c->end != CALL_RETURNS) != ended)
            continue;
        if (!n++)
            text_format(to, "    const struct CMUnitTest %s[] = {\n",
                        ended ? "traps" : "tests");
        text_format(to, "        cmocka_unit_test(%s__%s%s),\n", c->function,
                    ended ? "traps_" : "", c->name);
    }
    if (n)
        text_format(to,
                    "    };\n"
                    "    failed += cmocka_run_group_tests(%s, NULL, NULL);\n",
                    ended ? "traps" : "tests");
    return n;
}

static void table(const struct testfile *f, struct text *to)
{
    struct text traps = {0};
    text_add(to, "int main(void)\n{\n    int failed = 0;\n");
    group(f, false, to);
    if (group(f, true, &traps))
        text_format(to, "#ifndef UNDER_SANITIZER\n%s#endif\n",
                    text_get(&traps));
    text_add(to, "    return failed;\n}\n");
    text_free(&traps);
}

static void stubs(const struct testfile *f, struct text *to)
{
    if (f->n && f->calls[0]->stubs.n)
        source_stubs(f->calls[0], to);
}

void testfile_print(const struct testfile *f, struct text *to)
{
    struct text body = {0};
    struct wants w = wants_of(f);
    text_format(&body, "// %s\n", f->command);
    for (uint32_t i = 0; i < f->n_notes; i++)
        comment_words(f->notes[i], &body);
    headers(&w, &body);
    source_include(f->include, f->has_main, &body);
    text_char(&body, '\n');
    helpers(&w, &body);
    stubs(f, &body);
    tests(f, false, &body);
    tests(f, true, &body);
    table(f, &body);
    text_format(to, "// Written by troupe unit, %016llx.\n%s",
                (unsigned long long)hash_bytes(text_get(&body), body.n),
                text_get(&body));
    text_free(&body);
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
