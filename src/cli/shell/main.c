// troupe COMMAND [OPTION...] ...
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/text.h"
#include "cli/helper.h"
#include "cli/llvm/blocks.h"
#include "cli/shell/command.h"
#include "cli/shell/help.h"
#include "cli/session.h"
#include "cli/far_task.h"
#include "program/program.h"
#include "troupe.h"

static int print_face(void (*face)(struct text *))
{
    struct text t = {0};
    face(&t);
    fputs(text_get(&t), stdout);
    text_free(&t);
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_FAULT;
}

static int unknown_command(const char *name)
{
    struct diag d = {0};
    const struct command *near = command_near(name);
    diag_set(&d, EXIT_USAGE, "%s '%s'",
             name[0] == '-' ? "unknown option" : "no such command", name);
    if (near)
        diag_hint(&d, "did you mean %s %s?", command_typed(), near->name);
    else
        diag_hint(&d, "%s --help shows what there is", command_typed());
    int status = diag_print(&d, stderr);
    diag_free(&d);
    return status;
}

// Words up to "--" are options and operands, those behind are flags for the
// compiler.
static void split(struct session *s, int argc, char **argv, struct args *before)
{
    int i = 0;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        vec_push(before, argv[i]);
    for (i++; i < argc; i++)
        vec_push(&s->flags, argv[i]);
}

static bool read_all(struct session *s, const struct args *words)
{
    const char *name = s->command->name;
    if (!options_read_words(s->options, words, &s->words, &s->diag))
        return false;
    if (option_flag(s->options, OPT_help))
        return true;
    if (!options_read_environment(s->options, &s->diag) ||
        !config_read(&s->config, &s->arena, s->options, name, &s->diag))
        return false;
    if (options_has(s->options, OPT_with_known) &&
        !option_flag(s->options, OPT_with_known) &&
        !known_read(&s->known, known_path(&s->config, &s->arena), &s->arena,
                    &s->diag))
        return false;
    if (!*s->command->operands && s->words.n)
        return diag_set(&s->diag, EXIT_USAGE, "%s takes no operands, got '%s'",
                        name, s->words.at[0]);
    return true;
}

static int show_help(const struct session *s)
{
    struct text t = {0};
    help_command(s->command, s->options, &t);
    fputs(text_get(&t), stdout);
    text_free(&t);
    return EXIT_GOOD;
}

static void release(struct session *s)
{
    program_free(s->program);
    config_free(&s->config);
    vec_free(&s->known.list);
    vec_free(&s->told);
    options_free(s->options);
    vec_free(&s->words);
    vec_free(&s->flags);
    vec_free(&s->inputs);
    vec_free(&s->names);
    diag_free(&s->diag);
    arena_free(&s->arena);
}

// Become troupe-llvm; returns only if that cannot be.
static int hand_over(struct session *s)
{
    const char *path = helper_path(&s->arena, "troupe-llvm");
    fflush(NULL);
    if (path)
        execv(path, s->argv);
    if (path)
        diag_at(&s->diag, EXIT_FAULT, path, 0, "%s", strerror(errno));
    else
        diag_set(&s->diag, EXIT_USAGE,
                 "this troupe was built without LLVM, which %s needs",
                 s->command->run ? "that option" : s->command->name);
    if (!path)
        diag_hint(&s->diag, "build it with LLVM 19: graph, lint, reach, unit "
                            "and the measuring of lines are in troupe-llvm");
    return s->diag.status;
}

static int run_it(struct session *s)
{
    if (option_flag(s->options, OPT_help))
        return show_help(s);
    bool there = (option_given(s->options, OPT_blocks) ||
                  option_given(s->options, OPT_lcov)) &&
                 !blocks_program;
    return s->command->run && !there ? s->command->run(s) : hand_over(s);
}

// A wrong option stands before --json: the result says what is wrong with it.
static void find_json(struct session *s, const struct args *words)
{
    static const char name[] = "--json=";
    struct diag d = {0};
    if (!options_has(s->options, OPT_json) || option_given(s->options, OPT_json))
        return;
    for (uint32_t i = 0; i < words->n; i++)
        if (strncmp(words->at[i], name, sizeof name - 1) == 0)
            options_set(s->options, OPT_json, words->at[i] + sizeof name - 1,
                        FROM_COMMAND_LINE, NULL, &d);
    diag_free(&d);
}

static int run_command(const struct command *c, int argc, char **argv,
                       char **all)
{
    struct session s = {.command = c, .argv = all};
    struct args words = {0};
    s.options = options_new(c->name, c->takes_program);
    split(&s, argc, argv, &words);
    int status = EXIT_USAGE;
    if (read_all(&s, &words) &&
        (option_flag(s.options, OPT_help) || session_can_write(&s)))
        status = run_it(&s);
    if (s.diag.status) {
        find_json(&s, &words);
        session_json_error(&s);
        fflush(stdout);
        status = diag_print(&s.diag, stderr);
    }
    vec_free(&words);
    release(&s);
    return status;
}

static int completion(const char *shell)
{
    if (shell && strcmp(shell, "bash") == 0)
        return print_face(help_bash);
    if (shell && strcmp(shell, "zsh") == 0)
        return print_face(help_zsh);
    if (shell && strcmp(shell, "fish") == 0)
        return print_face(help_fish);
    fputs("error: completions are made for bash, zsh and fish\n", stderr);
    return EXIT_USAGE;
}

static int man(const char *name)
{
    const struct command *c = name ? command_find(name) : NULL;
    if (!name)
        return print_face(help_man);
    if (!c)
        return unknown_command(name);
    struct text t = {0};
    help_man_command(c, &t);
    fputs(text_get(&t), stdout);
    text_free(&t);
    return EXIT_GOOD;
}

static int run_main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "--help";
    if (argc < 2) {
        struct text t = {0};
        help_overview(&t);
        fputs(text_get(&t), stderr);
        text_free(&t);
        return EXIT_USAGE;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
        return run_command(command_find("version"), 0, NULL, argv);
    if (strcmp(first, TASK_OPTION) == 0)
        return task_main();
    if (strcmp(first, "--man") == 0)
        return man(argc > 2 ? argv[2] : NULL);
    if (strcmp(first, "--commands") == 0) {
        for (unsigned i = 0; i < commands_n; i++)
            puts(command_table[i].name);
        return EXIT_GOOD;
    }
    if (strcmp(first, "--completion") == 0)
        return completion(argc > 2 ? argv[2] : NULL);
    bool help = strcmp(first, "help") == 0;
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 ||
        (help && argc == 2))
        return print_face(help_overview);
    const struct command *c = command_find(help ? argv[2] : first);
    if (!c)
        return unknown_command(help ? argv[2] : first);
    char ask[] = "--help", *asking[] = {ask};
    if (help)
        return run_command(c, 1, asking, argv);
    return run_command(c, argc - 2, argv + 2, argv);
}

int main(int argc, char **argv)
{
    struct arena words = {0};
    command_quote_typed(&words);
    int status = run_main(argc, argv);
    arena_free(&words);
    return status;
}
