#include "unit/call_program.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/temp.h"
#include "base/text.h"
#include "cases/call.h"
#include "unit/source.h"
#include "unit/subject.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- the program ----------------------------------------------------------

static void compare(const struct call_value *v, uint32_t i, uint32_t k,
                    struct text *to)
{
    const char *p = v->place, *x = v->value;
    switch (v->kind) {
    case CALL_SIGNED:
    case CALL_UNSIGNED:
        text_format(to,
                    "    if ((%s) != (%s))\n        printf(\"differs %u %u "
                    "%%lld\\n\", (long long)(%s));\n",
                    p, x, i, k, p);
        return;
    case CALL_FLOAT:
    case CALL_DOUBLE:
        text_format(to,
                    "    { %s is = %s, was = %s;\n"
                    "      if (memcmp(&is, &was, sizeof is) != 0)\n"
                    "        printf(\"differs %u %u %%a\\n\", (double)is); }\n",
                    v->kind == CALL_FLOAT ? "float" : "double", p, x, i, k);
        return;
    case CALL_LONG_DOUBLE:
        text_format(to,
                    "    if (%s != %s)\n        printf(\"differs %u %u "
                    "%%La\\n\", %s);\n",
                    p, x, i, k, p);
        return;
    case CALL_POINTER:
        text_format(to,
                    "    if (%s(%s)%s%s%s)\n        printf(\"differs %u %u "
                    "%%s\\n\", %s ? \"another object\" : \"NULL\");\n",
                    strcmp(x, "new") == 0 ? "!" : "", p,
                    strcmp(x, "new") == 0 ? "" : " != (void *)(",
                    strcmp(x, "new") == 0 ? "" : x,
                    strcmp(x, "new") == 0 ? "" : ")", i, k, p);
        return;
    case CALL_TEXT:
        text_format(to,
                    "    if (memcmp(%s, %s, sizeof %s - 1) != 0)\n"
                    "        printf(\"differs %u %u \\\"%%.40s\\\"\\n\", "
                    "(const char *)%s);\n",
                    p, x, x, i, k, p);
        return;
    case CALL_KINDS_N:
        return;
    }
}

// What the precondition refuses ends with a status of its own.
static void ask_pre(const struct call_case *c, const char *pre, struct text *to)
{
    text_format(to, "    if (!%s(", pre);
    for (uint32_t i = 0; i < c->arguments.n; i++)
        text_format(to, "%s%s", i ? ", " : "", c->arguments.at[i]);
    text_add(to, "))\n        _exit(98);\n");
}

static void one_call(const struct call_program *p, uint32_t i, struct text *to)
{
    const struct call_case *c = p->calls[i];
    text_format(to, "NO_WAY static void call_%u(void)\n{\n", i);
    if (source_resets(c))
        text_add(to, "    reset_stubs();\n");
    source_arrange(c, to);
    if (p->pre)
        ask_pre(c, p->pre, to);
    if (p->ways)
        text_add(to, "    way->on = 1;\n");
    source_call(c, to);
    if (p->ways)
        text_add(to, "    way->on = 0;\n");
    for (uint32_t k = 0; k < c->after.n && c->end == CALL_RETURNS; k++)
        compare(&c->after.at[k], i, k, to);
    text_add(to, "    fflush(stdout);\n}\n");
}

static const char head[] =
    "#include <errno.h>\n#include <limits.h>\n#include <signal.h>\n#include "
    "<stddef.h>\n"
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <sys/mman.h>\n"
    "#include <sys/resource.h>\n#include <sys/wait.h>\n"
    "#include <unistd.h>\n";

// The compiler puts a call to __sanitizer_cov_trace_pc() at the beginning of
// each block.  Pairs of blocks that follow each other are added up, each once.
static const char ways[] =
    "#if defined __clang__\n"
    "#define NO_WAY __attribute__((no_sanitize(\"coverage\")))\n"
    "#else\n"
    "#define NO_WAY __attribute__((no_sanitize_coverage))\n"
    "#endif\n"
    "struct way { int on; uint64_t set, last; unsigned char seen[1 << 16]; };\n"
    "static struct way *way;\n"
    "void __sanitizer_cov_trace_pc(void);\n"
    "NO_WAY void __sanitizer_cov_trace_pc(void)\n{\n"
    "    uint64_t at = (uint64_t)(uintptr_t)__builtin_return_address(0);\n"
    "    if (!way || !way->on)\n        return;\n"
    "    uint64_t pair = (way->last * 31 + at) * 0x9e3779b97f4a7c15u;\n"
    "    way->last = at;\n"
    "    if (!way->seen[pair >> 48]) {\n"
    "        way->seen[pair >> 48] = 1;\n"
    "        way->set += pair;\n    }\n}\n";
static const char ways_begin[] =
    "    way = mmap(NULL, sizeof *way, PROT_READ | PROT_WRITE,\n"
    "               MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n";
static const char ways_of[] =
    "    printf(\"way %u %llx %llx\\n\", i, (unsigned long long)way->set,\n"
    "           (unsigned long long)way->last);\n"
    "    memset(way, 0, sizeof *way);\n";

// A child that needs more than LASTS seconds of processor time does not end.
static const char tail[] =
    "NO_WAY static void make(unsigned i, void (*call)(void))\n{\n"
    "    int status = 0;\n"
    "    struct rlimit time = {LASTS, LASTS + 1}, none = {0, 0};\n"
    "    printf(\"call %u\\n\", i);\n"
    "    fflush(stdout);\n"
    "    pid_t child = fork();\n"
    "    if (child == 0) {\n"
    "        for (int s = 1; s < 32; s++)\n"
    "            if (QUIET)\n"
    "                signal(s, SIG_DFL);\n"
    "        setrlimit(RLIMIT_CPU, &time);\n"
    "        setrlimit(RLIMIT_CORE, &none);\n"
    "        alarm(60);\n"
    "        if (QUIET && !freopen(\"/dev/null\", \"w\", stderr))\n"
    "            _exit(99);\n"
    "        call();\n"
    "        kill(getpid(), SIGUSR2);\n"
    "    }\n"
    "    waitpid(child, &status, 0);\n"
    "    if (WIFEXITED(status))\n"
    "        printf(\"exits %u %d\\n\", i, WEXITSTATUS(status));\n"
    "    else if (WTERMSIG(status) == SIGUSR2)\n"
    "        printf(\"returns %u\\n\", i);\n"
    "    else\n"
    "        printf(\"signal %u %d\\n\", i, WTERMSIG(status));\n"
    "    TELL_WAY\n"
    "    fflush(stdout);\n"
    "}\n";

// Leaks are no errors of a call.
static const char sanitizer[] =
    "const char *__asan_default_options(void)\n{\n"
    "    return \"detect_leaks=0:exitcode=1:abort_on_error=0:\"\n"
    "           \"detect_stack_use_after_return=1:\"\n"
    "           \"allocator_may_return_null=1\";\n}\n";

static void program(struct arena *a, const struct call_program *p,
                    struct text *to)
{
    char real[PATH_MAX];
    uint32_t needs = 0;
    const char *source = p->options->source;
    for (uint32_t i = 0; i < p->n; i++)
        needs |= source_needs(p->calls[i]);
    text_add(to, head);
    text_add(to, p->ways ? ways : "#define NO_WAY\n");
    if (needs & SOURCE_FENCE && !p->n_sanitizers)
        source_fence(to);
    if (needs & SOURCE_FAIL)
        source_failing(source, to);
    source_include(realpath(source, real) ? arena_text(a, real) : source,
                   p->has_main, p->calls[0], to);
    if (needs & SOURCE_GUARD)
        source_guard(to);
    source_files(needs, to);
    source_stubs(p->calls[0], to);
    for (uint32_t i = 0; i < p->n; i++)
        one_call(p, i, to);
    text_format(to, "enum { QUIET = %d, LASTS = %d };\n%s", !p->n_sanitizers,
                p->n_sanitizers ? 10 : 1, p->n_sanitizers ? sanitizer : "");
    text_format(to, "#define TELL_WAY %s\n", p->ways ? "tell_way(i);" : "");
    if (p->ways)
        text_format(to, "NO_WAY static void tell_way(unsigned i)\n{\n%s}\n",
                    ways_of);
    text_add(to, tail);
    text_format(to, "NO_WAY int main(void)\n{\n%s", p->ways ? ways_begin : "");
    for (uint32_t i = 0; i < p->n; i++)
        text_format(to, "    make(%u, call_%u);\n", i, i);
    text_add(to, "    return 0;\n}\n");
}

// ---- building and running ---------------------------------------------------

static bool build(struct arena *a, const struct call_program *p,
                  const char *file, const char *exe, const char **why)
{
    static const char *const first[] = {"-g", "-O0", "-w", "-D_GNU_SOURCE",
                                        "-o"};
    const struct unit_options *o = p->options;
    struct args argv = {0};
    struct text said = {0};
    args_split(&argv, a, p->compiler ? p->compiler : o->cc ? o->cc : "cc");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&argv, first[i]);
    vec_push(&argv, exe);
    for (uint32_t i = 0; i < p->n_sanitizers; i++)
        vec_push(&argv, p->sanitizers[i]);
    if (p->ways)
        vec_push(&argv, "-fsanitize-coverage=trace-pc");
    for (uint32_t i = 0; i < o->n_flags; i++)
        vec_push(&argv, o->flags[i]);
    vec_push(&argv, file);
    for (uint32_t i = 0; i < o->n_others; i++)
        vec_push(&argv, o->others[i]);
    vec_push(&argv, "-lm");
    bool ok = command_run_in(&argv, NULL, &said) == 0;
    const char *error = strstr(text_get(&said), "error");
    error = error ? error : text_get(&said);
    if (!ok)
        *why = arena_format(a, "%.*s", (int)strcspn(error, "\n"), error);
    vec_free(&argv);
    text_free(&said);
    return ok;
}

static void run(const char *exe, bool errors, struct text *said)
{
    struct args argv = {0};
    if (errors) {
        vec_push(&argv, "sh");
        vec_push(&argv, "-c");
        vec_push(&argv, "exec \"$0\" 2>&1");
    }
    vec_push(&argv, exe);
    command_run(&argv, false, said);
    vec_free(&argv);
}

bool call_program_run(struct arena *a, const struct call_program *p,
                      struct text *said, const char **why)
{
    struct diag d = {0};
    struct text t = {0};
    const char *dir = temp_new(a, &d);
    *why = "its program cannot be written";
    diag_free(&d);
    if (!dir || !p->n)
        return false;
    const char *file = arena_format(a, "%s/calls.c", dir);
    const char *exe = arena_format(a, "%s/calls", dir);
    program(a, p, &t);
    bool ok =
        file_replace(file, text_get(&t), t.n) && build(a, p, file, exe, why);
    if (ok)
        run(exe, p->n_sanitizers > 0, said);
    temp_remove(dir);
    text_free(&t);
    return ok;
}
