// troupe doctor: what is there, what is missing, and the configuration in
// effect.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/shell/command.h"
#include "cli/helper.h"
#include "cli/session.h"
#include "program/build.h"
#include "program/program.h"
#include "troupe.h"

enum finding { FINE, MISSING, BROKEN };

// An option's value, where it comes from, and for which commands.
struct setting {
    const char *name, *value, *where, *commands;
};

struct visit {
    struct session *s;
    struct json json;
    bool plain; // print lines
    int broken;
    VEC(struct setting) settings;
};

static void tell(struct visit *v, enum finding f, const char *what,
                 const char *detail)
{
    static const char *const words[] = {"ok", "missing", "BROKEN"};
    static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
    bool colour = v->plain && session_colour(v->s, stdout);
    v->broken += f == BROKEN;
    if (v->plain)
        printf("  %s%-8s%s %-18s %s\n", colour ? colours[f] : "", words[f],
               colour ? "\033[0m" : "", what, detail);
    json_object(&v->json, NULL);
    json_text(&v->json, "what", what);
    json_text(&v->json, "state", words[f]);
    json_text(&v->json, "detail", detail);
    json_end(&v->json);
}

// The first line of `command --version`.
static const char *version_of(struct visit *v, const struct args *command)
{
    struct text out = {0};
    struct args argv = {0};
    for (uint32_t i = 0; i < command->n; i++)
        vec_push(&argv, command->at[i]);
    vec_push(&argv, "--version");
    int status = command_run(&argv, true, &out);
    const char *line =
        arena_format(&v->s->arena, "%.*s", (int)strcspn(text_get(&out), "\n"),
                     text_get(&out));
    vec_free(&argv);
    text_free(&out);
    return status == 0 ? line : "does not tell its version";
}

static void look_for(struct visit *v, enum finding otherwise, const char *what,
                     const char *command, const char *need)
{
    struct args argv = {0};
    args_split(&argv, &v->s->arena, command);
    if (argv.n && command_path(&v->s->arena, argv.at[0]))
        tell(v, FINE, what, version_of(v, &argv));
    else
        tell(v, otherwise, what,
             arena_format(&v->s->arena, "'%s' not found; %s", command, need));
    vec_free(&argv);
}

static void look_at_build(struct visit *v)
{
    struct arena *a = &v->s->arena;
    const char *cc = option_text(v->s->options, OPT_cc), *env = getenv("CC");
    look_for(v, BROKEN, "C compiler",
             cc            ? cc
             : env && *env ? env
                           : "cc",
             "programs cannot be compiled; install gcc or clang");
    const char *include = build_include(a), *cache = build_cache(a);
    if (include)
        tell(v, FINE, "troupe.h", arena_format(a, "%s/troupe.h", include));
    else
        tell(v, BROKEN, "troupe.h", "not beside the tool; install it whole");
    if (cache)
        tell(v, FINE, "cache", cache);
    else
        tell(v, BROKEN, "cache",
             "no folder can be written; set "
             "XDG_CACHE_HOME");
}

// Programs are linked at a fixed address, images of actors at another.
static void look_at_memory(struct visit *v)
{
    static const struct {
        uintptr_t at;
        const char *what;
    } places[] = {{0x300000000000u, "load address"},
                  {0x200000000000u, "actor memory"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *want = (void *)places[i].at;
        void *got = mmap(want, 1 << 20, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                             MAP_FIXED_NOREPLACE,
                         -1, 0);
        if (got != MAP_FAILED)
            munmap(got, 1 << 20);
        tell(v, got == want ? FINE : BROKEN, places[i].what,
             arena_format(&v->s->arena, "address 0x%zx %s",
                          (size_t)places[i].at,
                          got == want ? "is free" : "cannot be used"));
    }
}

// Exploration on other machines.
static void look_at_work_queue(struct visit *v)
{
    struct arena *a = &v->s->arena;
    const char *engine = helper_path(a, "troupe-wq");
    struct args argv = {0};
    vec_push(&argv, engine ? engine : "");
    tell(v, engine ? FINE : MISSING, "Work Queue",
         engine ? version_of(v, &argv)
                : "this build has none; explore --listen needs it; apt install "
                  "coop-computing-tools-dev and build again");
    vec_free(&argv);
    const char *worker = command_path(a, "work_queue_worker");
    tell(v, worker ? FINE : MISSING, "workers",
         worker ? worker
                : "'work_queue_worker' not found; explore --listen --workers "
                  "needs it; apt install coop-computing-tools");
}

static void look_at_helpers(struct visit *v)
{
    struct arena *a = &v->s->arena;
    look_for(v, MISSING, "clang 19", "clang-19",
             "graph and lint need it; apt install clang-19");
    bool llvm = helper_path(a, "troupe-llvm");
    tell(v, llvm ? FINE : MISSING, "LLVM",
         llvm ? helper_version(a, "LLVM")
              : "this build has none; graph, lint, reach and unit need it; apt "
                "install llvm-19-dev and build again");
    const char *z3 = helper_version(a, "Z3");
    tell(v, z3 ? FINE : MISSING, "Z3",
         z3 ? z3
            : "this build has none; unit leaves more branches open without it; "
              "apt install libz3-dev and build again");
    look_at_work_queue(v);
    look_for(v, MISSING, "gdb", "gdb",
             "replay --gdb needs it; apt install "
             "gdb");
    const char *path = command_path(a, "dot");
    if (path)
        tell(v, FINE, "graphviz", path);
    else
        tell(v, MISSING, "graphviz",
             "'dot' not found; pictures of graphs need it; apt install "
             "graphviz");
    const char *commands =
        v->s->config.commands ? v->s->config.commands : "compile_commands.json";
    bool there = access(commands, R_OK) == 0;
    tell(v, there ? FINE : MISSING, "compile commands",
         there ? commands
               : arena_format(a,
                              "no %s; only programs whose build has one "
                              "need it",
                              commands));
}

// A program given is built and loaded, as a test of both.
static void look_at_program(struct visit *v)
{
    if (!v->s->words.n)
        return;
    if (!session_program(v->s)) {
        tell(v, BROKEN, "program", v->s->diag.text);
        return;
    }
    const char *names = session_uncontrolled(v->s);
    for (uint32_t i = 0; i < v->s->names.n; i++)
        if (!program_test(v->s->program, v->s->names.at[i]))
            tell(v, BROKEN, "program",
                 arena_format(&v->s->arena, "'%s' is neither a file nor a test",
                              v->s->names.at[i]));
    tell(v, FINE, "program", v->s->inputs.at[0]);
    tell(v, names ? MISSING : FINE, "control",
         names ? arena_format(&v->s->arena,
                              "uncontrolled calls: %s (run for real in every "
                              "schedule)",
                              names)
               : "all calls are under control");
}

// ---- the configuration ----------------------------------------------------

// Commands for which an option has one value from one place share a line.
static void note_setting(struct visit *v, const char *command, const char *name,
                         const char *value, const char *where)
{
    struct arena *a = &v->s->arena;
    for (uint32_t i = 0; i < v->settings.n; i++) {
        struct setting *s = &v->settings.at[i];
        if (strcmp(s->name, name) == 0 && strcmp(s->value, value) == 0 &&
            strcmp(s->where, where) == 0) {
            s->commands = arena_format(a, "%s %s", s->commands, command);
            return;
        }
    }
    struct setting s = {arena_text(a, name), arena_text(a, value),
                        arena_text(a, where), arena_text(a, command)};
    vec_push(&v->settings, s);
}

static void print_settings(const struct visit *v)
{
    for (uint32_t i = 0; i < v->settings.n; i++) {
        const struct setting *s = &v->settings.at[i];
        printf("  %-13s %-10s %-10s %s\n", s->name, s->value, s->where,
               s->commands);
    }
}

// All options of all commands, as they would be for each command.
static void tell_option(struct visit *v, const char *command,
                        const struct options *o, enum option_id id)
{
    const struct option_row *row = &option_table[id];
    const char *value = option_text(o, id), *where = option_where(o, id);
    char name[64];
    size_t n = 0;
    for (; n < sizeof name - 1 && row->name[n]; n++)
        name[n] = row->name[n] == '_' ? '-' : row->name[n];
    name[n] = 0;
    if (!value)
        return;
    note_setting(v, command, name, value, where);
    json_object(&v->json, NULL);
    json_text(&v->json, "command", command);
    json_text(&v->json, "option", name);
    json_text(&v->json, "value", value);
    json_text(&v->json, "from", where);
    json_end(&v->json);
}

static bool tell_command(struct visit *v, const struct command *c)
{
    struct options *o = options_new(c->name, c->takes_program);
    struct config config = {0};
    const char *path = option_text(v->s->options, OPT_config);
    const char *profile = option_text(v->s->options, OPT_profile);
    bool ok = (!path || options_set(o, OPT_config, path, FROM_COMMAND_LINE,
                                    NULL, &v->s->diag)) &&
              (!profile || options_set(o, OPT_profile, profile,
                                       FROM_COMMAND_LINE, NULL, &v->s->diag)) &&
              options_read_environment(o, &v->s->diag) &&
              config_read(&config, &v->s->arena, o, c->name, &v->s->diag);
    for (enum option_id i = 0; ok && i < OPTIONS_N; i++)
        if (options_has(o, i) && i != OPT_config && i != OPT_help)
            tell_option(v, c->name, o, i);
    config_free(&config);
    options_free(o);
    return ok;
}

static bool tell_configuration(struct visit *v)
{
    const struct config *c = &v->s->config;
    if (v->plain)
        printf("\nConfiguration: %s\n", c->path ? c->path : "no troupe.ini");
    json_end(&v->json);
    json_text(&v->json, "config", c->path);
    json_array(&v->json, "options");
    for (unsigned i = 0; i < commands_n; i++)
        if (command_table[i].takes_program &&
            !tell_command(v, &command_table[i]))
            return false;
    if (v->plain)
        print_settings(v);
    json_end(&v->json);
    return true;
}

int cmd_doctor(struct session *s)
{
    struct text out = {0};
    const char *json = option_text(s->options, OPT_json);
    struct visit v = {.s = s, .json = {.to = &out}};
    v.plain = !json || strcmp(json, "-") != 0;
    json_object(&v.json, NULL);
    session_json_head(s, &v.json);
    json_array(&v.json, "checks");
    if (v.plain)
        printf("troupe " TR_VERSION "\n");
    look_at_build(&v);
    look_at_memory(&v);
    look_at_helpers(&v);
    look_at_program(&v);
    if (tell_configuration(&v)) {
        json_end(&v.json);
        if (json)
            session_write(s, json, &out);
    }
    text_free(&out);
    vec_free(&v.settings);
    return v.broken ? EXIT_BUG : EXIT_GOOD;
}
