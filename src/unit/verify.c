#include "unit/verify.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/temp.h"
#include "base/text.h"
#include "unit/sanitized.h"
#include "unit/subject.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool verify_possible(struct arena *a)
{
    (void)a;
    return access("/usr/include/cmocka.h", R_OK) == 0 ||
           access("/usr/local/include/cmocka.h", R_OK) == 0 ||
           getenv("CPATH") || getenv("C_INCLUDE_PATH");
}

// "[  FAILED  ] f__n_gt_0" at the end of cmocka's words.
static void take_failed(struct arena *a, const char *said, struct verified *v)
{
    static const char mark[] = "[  FAILED  ] ";
    for (const char *s = said; (s = strstr(s, mark));) {
        s += sizeof mark - 1;
        size_t n = strcspn(s, " \n");
        const char *name = arena_format(a, "%.*s", (int)n, s);
        bool is_test = strstr(name, "__") != NULL;
        for (uint32_t i = 0; i < v->failed.n; i++)
            is_test &= strcmp(v->failed.at[i], name) != 0;
        if (is_test)
            vec_push(&v->failed, name);
    }
}

static const char *line_with(struct arena *a, const char *said,
                             const char *word)
{
    const char *at = strstr(said, word);
    if (!at)
        return NULL;
    while (at > said && at[-1] != '\n')
        at--;
    return arena_format(a, "%.*s", (int)strcspn(at, "\n"), at);
}

static bool build(struct arena *a, const struct unit_options *o,
                  const char *compiler, const char *flags, const char *path,
                  const char *exe, struct verified *v)
{
    struct args argv = {0};
    struct text said = {0};
    args_split(&argv, a, compiler);
    static const char *const first[] = {"-g", "-O0", "-Wall", "-Wextra", "-o"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&argv, first[i]);
    vec_push(&argv, exe);
    args_split(&argv, a, flags);
    for (uint32_t i = 0; i < o->n_flags; i++)
        vec_push(&argv, o->flags[i]);
    vec_push(&argv, path);
    for (uint32_t i = 0; i < o->n_others; i++)
        vec_push(&argv, o->others[i]);
    vec_push(&argv, "-lcmocka");
    vec_push(&argv, "-lm");
    bool ok = command_run_in(&argv, NULL, &said) == 0;
    const char *words = text_get(&said);
    if (!ok) {
        v->outcome = VERIFY_UNBUILT;
        v->why = line_with(a, words, "error");
        v->why = v->why ? v->why : line_with(a, words, "undefined");
        v->why = v->why ? v->why : arena_text(a, words);
    } else if (!v->warned && !strstr(flags, "sanitize")) {
        v->warned = line_with(a, words, "warning:");
    }
    vec_free(&argv);
    text_free(&said);
    return ok;
}

static void run(struct arena *a, const char *exe, struct verified *v)
{
    struct args argv = {0};
    struct text said = {0};
    vec_push(&argv, "sh");
    vec_push(&argv, "-c");
    vec_push(&argv, "ASAN_OPTIONS=detect_leaks=0 exec \"$0\" 2>&1");
    vec_push(&argv, exe);
    int status = command_run(&argv, false, &said);
    if (status != 0) {
        take_failed(a, text_get(&said), v);
        v->outcome = VERIFY_FAILED;
        if (!v->failed.n) {
            v->outcome = VERIFY_UNBUILT;
            v->why = arena_format(a, "the test ends with status %d", status);
        }
    }
    vec_free(&argv);
    text_free(&said);
}

void verify(struct arena *a, const struct unit_options *o, const char *path,
            bool sanitized, struct verified *out)
{
    const struct {
        const char *compiler, *flags;
    } builds[] = {{"gcc", ""},
                  {"clang", "-ftrivial-auto-var-init=pattern"},
                  {sanitized ? sanitized_compiler(a) : NULL,
                   sanitized_flags(SANITIZED_MEMORY)}};
    struct diag d = {0};
    memset(out, 0, sizeof *out);
    const char *dir = temp_new(a, &d);
    for (size_t i = 0; dir && i < sizeof builds / sizeof *builds &&
                       out->outcome != VERIFY_UNBUILT;
         i++) {
        const char *exe = arena_format(a, "%s/test%zu", dir, i);
        if (!builds[i].compiler || !command_path(a, builds[i].compiler))
            continue;
        if (build(a, o, builds[i].compiler, builds[i].flags, path, exe, out)) {
            out->compilers++;
            run(a, exe, out);
        }
    }
    if (dir)
        temp_remove(dir);
    diag_free(&d);
}

void verified_free(struct verified *v)
{
    vec_free(&v->failed);
}
