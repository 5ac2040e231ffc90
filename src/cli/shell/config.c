// inih reads the file; its reader is ours, so that errors can name the line.
#include "cli/shell/config.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/shell/options.h"
#include "program/home.h"

struct reading {
    struct config *c;
    struct arena *a;
    struct options *o;
    const char *command, *profile;
    struct diag *d;
    FILE *f;
    int line;
};

static char *read_line(char *buf, int size, void *user)
{
    struct reading *r = user;
    r->line++;
    return fgets(buf, size, r->f);
}

// Relative names are meant from the folder of the file.
static void add_paths(struct reading *r, struct args *to, const char *words)
{
    struct args plain = {0};
    args_split(&plain, r->a, words);
    for (uint32_t i = 0; i < plain.n; i++)
        vec_push(to, plain.at[i][0] == '/' || !*r->c->dir
                         ? plain.at[i]
                         : arena_format(r->a, "%s/%s", r->c->dir, plain.at[i]));
    vec_free(&plain);
}

static bool unknown_key(struct reading *r, const char *section,
                        const char *name)
{
    const char *near = options_near(r->o, name);
    diag_at(r->d, EXIT_USAGE, r->c->path, r->line, "section [%s] knows no '%s'",
            section, name);
    if (near)
        diag_hint(r->d, "did you mean %s?", near);
    return false;
}

static bool build_key(struct reading *r, const char *name, const char *value)
{
    if (strcmp(name, "flags") == 0)
        args_split(&r->c->flags, r->a, value);
    else if (strcmp(name, "program") == 0 || strcmp(name, "tests") == 0)
        add_paths(r, &r->c->program, value);
    else if (strcmp(name, "compile_commands") == 0)
        r->c->commands = arena_text(r->a, value);
    else if (strcmp(name, "cc") == 0)
        return options_set(r->o, OPT_cc, value, FROM_FILE,
                           arena_format(r->a, "%s:%d", r->c->path, r->line),
                           r->d);
    else
        return unknown_key(r, "build", name);
    return true;
}

static bool option_key(struct reading *r, const char *section, const char *name,
                       const char *value, enum option_origin origin)
{
    enum option_id id = options_id(name, strlen(name));
    if (id == OPTIONS_N || id == OPT_help || id == OPT_config)
        return unknown_key(r, section, name);
    return options_set(r->o, id, value, origin,
                       arena_format(r->a, "%s:%d", r->c->path, r->line), r->d);
}

static bool test_key(struct reading *r, const char *section, const char *name,
                     const char *value)
{
    if (options_id(name, strlen(name)) == OPTIONS_N)
        return unknown_key(r, section, name);
    struct config_line l = {arena_text(r->a, section + 5),
                            arena_text(r->a, name), arena_text(r->a, value),
                            arena_format(r->a, "%s:%d", r->c->path, r->line)};
    vec_push(&r->c->tests, l);
    return true;
}

// A section of another command or profile: only look whether it makes sense.
static bool other_key(struct reading *r, const char *section, const char *name,
                      const char *value)
{
    enum option_id id = options_id(name, strlen(name));
    return id < OPTIONS_N
               ? options_check(r->o, id, value, FROM_FILE,
                               arena_format(r->a, "%s:%d", r->c->path, r->line),
                               r->d)
               : unknown_key(r, section, name);
}

static bool unknown_section(struct reading *r, const char *section)
{
    diag_at(r->d, EXIT_USAGE, r->c->path, r->line, "unknown section [%s]",
            section);
    diag_hint(r->d, "sections are build, names of commands, profile.NAME and "
                    "test.NAME");
    return false;
}

static int key(void *user, const char *section, const char *name,
               const char *value)
{
    struct reading *r = user;
    if (r->d->status)
        return 1;
    if (strcmp(section, "build") == 0)
        build_key(r, name, value);
    else if (!*section || strcmp(section, "troupe") == 0 ||
             strcmp(section, r->command) == 0)
        option_key(r, section, name, value, FROM_FILE);
    else if (strncmp(section, "test.", 5) == 0)
        test_key(r, section, name, value);
    else if (strncmp(section, "profile.", 8) == 0 && r->profile &&
             strcmp(section + 8, r->profile) == 0) {
        r->c->profiled = true;
        option_key(r, section, name, value, FROM_PROFILE);
    } else if (strncmp(section, "profile.", 8) == 0 || command_known(section))
        other_key(r, section, name, value);
    else
        unknown_section(r, section);
    return 1;
}

// inih tells of names only: a section without any counts as well.
static void find_sections(struct reading *r)
{
    char line[INI_MAX_LINE];
    rewind(r->f);
    while (fgets(line, sizeof line, r->f)) {
        const char *at = line + strspn(line, " \t");
        r->c->reach |= strncmp(at, "[reach]", strlen("[reach]")) == 0;
        r->c->unit |= strncmp(at, "[unit]", strlen("[unit]")) == 0;
    }
}

bool config_read(struct config *c, struct arena *a, struct options *o,
                 const char *command, struct diag *d)
{
    const char *given = option_text(o, OPT_config);
    c->path = given ? given : home_ini(a);
    const char *profile = option_text(o, OPT_profile);
    if (!c->path)
        return !profile ||
               diag_set(d, EXIT_USAGE, "--profile=%s: there is no troupe.ini",
                        profile);
    const char *slash = strrchr(c->path, '/');
    c->dir =
        slash ? arena_format(a, "%.*s", (int)(slash - c->path), c->path) : "";
    struct reading r = {
        c, a, o, command, option_text(o, OPT_profile), d, fopen(c->path, "r"),
        0};
    if (!r.f)
        return diag_at(d, EXIT_USAGE, c->path, 0, "%s", strerror(errno));
    int bad = ini_parse_stream(read_line, &r, key, &r);
    find_sections(&r);
    fclose(r.f);
    if (bad > 0)
        return diag_at(d, EXIT_USAGE, c->path, bad,
                       "neither [section] nor name = value");
    if (!d->status && profile && !c->profiled)
        diag_at(d, EXIT_USAGE, c->path, 0, "no section [profile.%s]", profile);
    return !d->status;
}

bool config_apply_test(const struct config *c, struct options *o,
                       const char *test, struct diag *d)
{
    for (uint32_t i = 0; i < c->tests.n; i++) {
        const struct config_line *l = &c->tests.at[i];
        if (text_matches(l->test, test) &&
            !options_set(o, options_id(l->name, strlen(l->name)), l->value,
                         FROM_TEST, l->where, d))
            return false;
    }
    return true;
}

void config_free(struct config *c)
{
    vec_free(&c->flags);
    vec_free(&c->program);
    vec_free(&c->tests);
}
