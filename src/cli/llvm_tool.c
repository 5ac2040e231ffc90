#include "cli/llvm_tool.h"

#include "base/command.h"
#include "base/text.h"
#include "cli/helper.h"
#include "cli/session.h"

#include <string.h>

static bool is_source(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".bc") == 0);
}

static bool all_sources(const struct session *s)
{
    for (uint32_t i = 0; i < s->inputs.n; i++)
        if (!is_source(s->inputs.at[i]))
            return false;
    return s->inputs.n;
}

static void add_flags(const struct session *s, struct args *argv)
{
    if (s->flags.n)
        vec_push(argv, "--");
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(argv, s->flags.at[i]);
}

static void add_program(struct session *s, struct args *argv)
{
    for (uint32_t i = 0; i < s->inputs.n; i++)
        vec_push(argv, s->inputs.at[i]);
    add_flags(s, argv);
}

enum {
    TIMED_OUT = 124, // what timeout(1) ends with
    PAGE_SECONDS = 20,
};

// "timeout N helper COMMAND"; false if there is no second executable.
static bool begin(struct session *s, const char *command, double seconds,
                  struct args *argv)
{
    const char *helper = helper_path(&s->arena, "troupe-llvm");
    if (!helper)
        return false;
    if (command_path(&s->arena, "timeout")) {
        vec_push(argv, "timeout");
        vec_push(argv,
                 arena_format(&s->arena, "%.0f", seconds < 1 ? 1 : seconds));
    }
    vec_push(argv, helper);
    vec_push(argv, command);
    if (s->config.path) {
        vec_push(argv, "--config");
        vec_push(argv, s->config.path);
    }
    return true;
}

static uint32_t count(const char *text, const char *word)
{
    uint32_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

bool llvm_tool_lint(struct session *s, double seconds, struct text *out,
                    uint32_t *warnings, const char **why)
{
    struct args argv = {0};
    int status = -1;
    *why = NULL;
    if (!all_sources(s))
        *why = "it reads C sources only";
    else if (!begin(s, "lint", seconds, &argv))
        *why = "this troupe was built without LLVM";
    if (!*why) {
        vec_push(&argv, "--quiet");
        vec_push(&argv, "--github=no");
        add_program(s, &argv);
        status = command_run(&argv, true, out);
        *warnings = count(text_get(out), ": warning: ");
        if (status == TIMED_OUT)
            *why = "it took too long";
        else if (status != EXIT_GOOD && status != EXIT_BUG)
            *why = "it failed; see troupe lint";
    }
    vec_free(&argv);
    return !*why;
}

// What a command prints as JSON, with these words before the program.
static const char *json_of(struct session *s, const char *command,
                           const char *const *words)
{
    struct args argv = {0};
    struct text out = {0};
    const char *json = NULL;
    if (all_sources(s) && begin(s, command, PAGE_SECONDS, &argv)) {
        vec_push(&argv, "--json=-");
        for (; *words; words++)
            vec_push(&argv, *words);
        add_program(s, &argv);
        int status = command_run(&argv, true, &out);
        if ((status == EXIT_GOOD || status == EXIT_BUG) && out.n)
            json = arena_text(&s->arena, text_get(&out));
    }
    vec_free(&argv);
    text_free(&out);
    return json;
}

const char *llvm_tool_graph(struct session *s)
{
    static const char *const words[] = {NULL};
    return json_of(s, "graph", words);
}

const char *llvm_tool_blocks(struct session *s)
{
    static const char *const orders[] = {
        "--blocks=/dev/null", "--manager=random", "--repeat=10",
        "--seed=1",           "--quiet",          NULL};
    static const char *const once[] = {"--blocks=/dev/null", "--manager=single",
                                       "--quiet", NULL};
    const char *json = json_of(s, "run", orders);
    return json ? json : json_of(s, "run", once); // ten runs took too long
}

int llvm_tool_reach(struct session *s, double seconds)
{
    struct args argv = {0};
    int status = -1;
    if (begin(s, "reach", 2 * seconds + 10, &argv)) {
        vec_push(&argv, arena_format(&s->arena, "--total-time=%.0fms",
                                     seconds * 1000 + 1));
        add_program(s, &argv);
        status = command_run(&argv, false, NULL);
    }
    vec_free(&argv);
    return status;
}

int llvm_tool_unit(struct session *s, const char *source, double seconds)
{
    struct args argv = {0};
    int status = -1;
    if (begin(s, "unit", 2 * seconds + 10, &argv)) {
        vec_push(&argv,
                 arena_format(&s->arena, "--time=%.0fms", seconds * 1000 + 1));
        vec_push(&argv, source);
        add_flags(s, &argv);
        status = command_run(&argv, false, NULL);
    }
    vec_free(&argv);
    return status;
}
