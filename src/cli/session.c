#include "cli/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/text.h"
#include "play/case.h"
#include "cli/shell/command.h"
#include "program/build.h"
#include "program/home.h"
#include "stage/native.h"
#include "program/program.h"

static bool no_input(struct session *s, const char *word)
{
    struct stat st;
    if (stat(word, &st))
        return diag_at(&s->diag, EXIT_USAGE, word, 0, "no such file");
    diag_at(&s->diag, EXIT_USAGE, word, 0,
            "neither a source (.c) nor an object (.o, .a, .so)");
    if (S_ISREG(st.st_mode) && st.st_mode & S_IXUSR)
        diag_hint(&s->diag,
                  "name what it is made of; an executable explores "
                  "by itself, with TR_TEST(..., .explore = \"pair\")");
    return false;
}

// Is each --param a number?  Only reach looks for values itself (=any).
static bool params_given(struct session *s)
{
    for (uint32_t i = 0; i < option_count(s->options, OPT_param); i++) {
        const char *p = option_item(s->options, OPT_param, i);
        if (strcmp(s->command->name, "reach") != 0 &&
            strcmp(strchr(p, '='), "=any") == 0)
            return diag_set(&s->diag, EXIT_USAGE,
                            "--param: '%s' is not NAME=NUMBER", p);
    }
    return true;
}

// Behind the program a bare word is a test, even if there is a file of that
// name.
bool session_inputs(struct session *s)
{
    if (!params_given(s))
        return false;
    for (uint32_t i = 0; i < s->words.n; i++) {
        const char *w = s->words.at[i];
        if (build_is_input(w))
            vec_push(&s->inputs, w);
        else if (strchr(w, '/') ||
                 ((!s->inputs.n || strchr(w, '.')) && access(w, F_OK) == 0))
            return no_input(s, w);
        else
            vec_push(&s->names, w);
    }
    bool none = !s->inputs.n;
    for (uint32_t i = 0; none && i < s->config.program.n; i++)
        vec_push(&s->inputs, s->config.program.at[i]);
    if (s->inputs.n)
        return true;
    if (s->names.n)
        diag_set(&s->diag, EXIT_USAGE, "no program given, '%s' is not a file",
                 s->names.at[0]);
    else
        diag_set(&s->diag, EXIT_USAGE, "no program given");
    diag_hint(&s->diag,
              "%s %s FILE.c..., or name it in troupe.ini: "
              "[build] program = FILE.c",
              command_typed(), s->command->name);
    return false;
}

// A program with a sanitizer needs the sanitizer's runtime before all other
// libraries: start the tool again with it.  Leaks are left to the program's own
// tests.
static bool begin_again(struct session *s, const char *library)
{
    const char *was = getenv("LD_PRELOAD");
    if (was && strstr(was, library))
        return diag_set(&s->diag, EXIT_USAGE, "cannot load '%s' first",
                        library);
    setenv("LD_PRELOAD",
           was && *was ? arena_format(&s->arena, "%s:%s", library, was)
                       : library,
           1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0", 0);
    fflush(NULL);
    execv("/proc/self/exe", s->argv);
    return diag_set(&s->diag, EXIT_FAULT, "cannot begin again with '%s': %s",
                    library, strerror(errno));
}

static struct program *load(struct session *s, const char *path)
{
    char *first = program_wants(path);
    if (first) {
        begin_again(s, first);
        free(first);
        return NULL;
    }
    return s->program = program_load(path, &s->diag);
}

struct program *session_program(struct session *s)
{
    return session_inputs(s) ? session_load(s, &s->inputs) : NULL;
}

static bool build(struct session *s, const struct args *inputs,
                  const char *const *extra, uint32_t n_extra, struct diag *d,
                  struct built *out)
{
    struct args flags = {0};
    for (uint32_t i = 0; i < s->config.flags.n; i++)
        vec_push(&flags, s->config.flags.at[i]);
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(&flags, s->flags.at[i]);
    struct build_options o = {
        .inputs = inputs->at,
        .n_inputs = inputs->n,
        .flags = flags.at,
        .n_flags = flags.n,
        .extra = extra,
        .n_extra = n_extra,
        .cc = option_text(s->options, OPT_cc),
        .fresh = option_flag(s->options, OPT_fresh),
        .verbose = option_flag(s->options, OPT_verbose),
    };
    interrupt_catch();
    bool ok = build_program(&s->arena, &o, out, d);
    interrupt_release();
    vec_free(&flags);
    return ok;
}

const char *session_build(struct session *s, const struct args *inputs)
{
    struct built b;
    bool ok = build(s, inputs, NULL, 0, &s->diag, &b);
    if (interrupted()) { // the compiler's complaint is not the reason
        diag_free(&s->diag);
        s->diag = (struct diag){0};
        diag_set(&s->diag, EXIT_INTERRUPTED, "interrupted");
        return NULL;
    }
    return ok ? b.path : NULL;
}

const char *session_build_filled(struct session *s, const struct args *inputs)
{
    static const char *const extra[] = {"-ftrivial-auto-var-init=pattern",
                                        "-w"};
    struct diag d = {0};
    struct built b;
    bool ok = build(s, inputs, extra, 2, &d, &b);
    diag_free(&d);
    return ok && !interrupted() ? b.path : NULL;
}

struct program *session_load(struct session *s, const struct args *inputs)
{
    const char *path = session_build(s, inputs);
    return path ? load(s, path) : NULL;
}

const char *session_uncontrolled(struct session *s)
{
    return program_uncontrolled(s->program, &s->arena);
}

void session_warn(struct session *s)
{
    const char *names = session_uncontrolled(s);
    if (names && !option_flag(s->options, OPT_quiet))
        fprintf(stderr,
                "troupe: warning: uncontrolled calls: %s (run for real in "
                "every schedule)\n",
                names);
}

// ---- tests ----------------------------------------------------------------

static bool has_tag(const tr_test *t, const char *glob)
{
    char word[64];
    for (const char *p = t->tags; p && *p;) {
        size_t n = strcspn(p, " ,");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        if (n && text_matches(glob, word))
            return true;
        p += n + (p[n] != 0);
    }
    return false;
}

static bool chosen(const struct session *s, const tr_test *t)
{
    uint32_t n = option_count(s->options, OPT_filter);
    bool named = !s->names.n, filtered = !n;
    for (uint32_t i = 0; i < s->names.n; i++)
        named |= text_matches(s->names.at[i], t->name);
    for (uint32_t i = 0; i < n; i++) {
        const char *glob = option_item(s->options, OPT_filter, i);
        filtered |= text_matches(glob, t->name) || has_tag(t, glob);
    }
    return named && filtered;
}

// A name that no test matches is an error even if others do.
static bool check_name(struct session *s, const char *name)
{
    const tr_test *near = NULL;
    unsigned best = 4;
    for (uint32_t i = 0; i < s->program->n_tests; i++) {
        const tr_test *t = s->program->tests[i];
        if (text_matches(name, t->name))
            return true;
        unsigned d = text_distance(name, t->name);
        if (d < best) {
            best = d;
            near = t;
        }
    }
    diag_set(&s->diag, EXIT_NO_MATCH, "no test '%s'", name);
    if (near)
        diag_hint(&s->diag, "did you mean %s?", near->name);
    else
        diag_hint(&s->diag, "%s list shows what there is", command_typed());
    return false;
}

const tr_test *session_system(struct session *s, const char *name)
{
    const tr_system *system = program_system(s->program, name);
    if (!system)
        return NULL;
    tr_test *t = arena_zero(&s->arena, sizeof *t);
    t->name = system->name;
    t->file = system->file;
    t->line = system->line;
    return t;
}

// Names of systems are taken out of the session's names.
static void take_systems(struct session *s, struct tests *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->names.n; i++) {
        const tr_test *t = program_test(s->program, s->names.at[i])
                               ? NULL
                               : session_system(s, s->names.at[i]);
        if (t)
            vec_push(out, t);
        else
            s->names.at[n++] = s->names.at[i];
    }
    s->names.n = n;
}

bool session_subjects(struct session *s, struct tests *out)
{
    const struct program *p = s->program;
    bool named = s->names.n;
    take_systems(s, out);
    if (!named && !p->n_tests)
        for (uint32_t i = 0; i < p->n_systems; i++)
            vec_push(out, session_system(s, p->systems[i]->name));
    return out->n && !s->names.n ? true : session_tests(s, out);
}

bool session_tests(struct session *s, struct tests *out)
{
    const struct program *p = s->program;
    for (uint32_t i = 0; i < s->names.n; i++)
        if (!check_name(s, s->names.at[i]))
            return false;
    for (uint32_t i = 0; i < p->n_tests; i++)
        if (chosen(s, p->tests[i]))
            vec_push(out, p->tests[i]);
    if (out->n)
        return true;
    return diag_set(&s->diag, EXIT_NO_MATCH, "%s",
                    p->n_tests ? "no test matches"
                               : "the program has no tests");
}

struct options *session_options_for(struct session *s, const char *test)
{
    struct options *o = options_copy(s->options);
    if (config_apply_test(&s->config, o, test, &s->diag))
        return o;
    options_free(o);
    return NULL;
}

const char *session_params(struct session *s, const struct options *o)
{
    struct text t = {0};
    for (uint32_t i = 0; i < option_count(o, OPT_param); i++)
        text_format(&t, "%s%s", i ? " " : "", option_item(o, OPT_param, i));
    const char *params = arena_text(&s->arena, text_get(&t));
    text_free(&t);
    return params;
}

// ---- output ---------------------------------------------------------------

static bool set_variable(const char *name)
{
    const char *v = getenv(name);
    return v && *v && strcmp(v, "0") != 0;
}

bool session_colour(const struct session *s, FILE *to)
{
    const char *asked = option_text(s->options, OPT_color);
    if (strcmp(asked, "auto") != 0)
        return strcmp(asked, "always") == 0;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no && *no)
        return false;
    if (set_variable("FORCE_COLOR") || set_variable("CLICOLOR_FORCE"))
        return true;
    return isatty(fileno(to)) && term && strcmp(term, "dumb") != 0;
}

bool session_github(const struct session *s)
{
    const char *how = option_text(s->options, OPT_github);
    const char *actions = getenv("GITHUB_ACTIONS");
    if (strcmp(how, "auto") != 0)
        return strcmp(how, "yes") == 0;
    return actions && strcmp(actions, "true") == 0;
}

void session_case(struct session *s, struct test_case *c)
{
    c->tool = TR_VERSION;
    for (uint32_t i = 0; i < s->inputs.n; i++)
        vec_push(&c->programs, home_name(&s->arena, s->inputs.at[i]));
    for (uint32_t i = 0; i < s->flags.n; i++)
        vec_push(&c->flags, s->flags.at[i]);
    c->build = arena_format(&s->arena, "%016llx",
                            (unsigned long long)s->program->hash[0]);
}

void session_json_head(const struct session *s, struct json *j)
{
    json_text(j, "schema", "troupe-result 1");
    json_text(j, "command", s->command->name);
    json_text(j, "version", TR_VERSION);
}

FILE *session_say(const struct session *s)
{
    const char *json = option_text(s->options, OPT_json);
    bool tap =
        options_has(s->options, OPT_tap) && option_flag(s->options, OPT_tap);
    return tap || (json && strcmp(json, "-") == 0) ? stderr : stdout;
}

static const char *json_path(const struct session *s)
{
    return options_has(s->options, OPT_json) ? option_text(s->options, OPT_json)
                                             : NULL;
}

bool session_json_begin(const struct session *s, struct json *j, struct text *t)
{
    if (!json_path(s))
        return false;
    *j = (struct json){.to = t};
    json_object(j, NULL);
    session_json_head(s, j);
    return true;
}

bool session_json_end(struct session *s, struct json *j)
{
    json_end(j);
    bool ok = session_write(s, json_path(s), j->to);
    text_free(j->to);
    return ok;
}

bool session_json_without(struct session *s, const enum option_id *ids,
                          size_t n)
{
    for (size_t i = 0; i < n && json_path(s); i++)
        if (option_given(s->options, ids[i]))
            return diag_set(&s->diag, EXIT_USAGE,
                            "--json does not go with --%s",
                            option_table[ids[i]].name);
    return true;
}

// A file that is there must be writable, or else its folder.
static bool can_write(struct session *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder =
        !slash ? "."
        : slash == path
            ? "/"
            : arena_format(&s->arena, "%.*s", (int)(slash - path), path);
    struct stat st;
    if (strcmp(path, "-") == 0)
        return true;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (access(path, F_OK) == 0 ? access(path, W_OK) == 0
                                     : access(folder, W_OK | X_OK) == 0)
        return true;
    return diag_set(&s->diag, EXIT_USAGE, "cannot write '%s': %s", path,
                    strerror(errno));
}

// Two results would be mixed in one file.
static bool share(struct session *s, enum option_id a, const char *a_path,
                  enum option_id b, const char *b_path)
{
    if (strcmp(a_path, b_path) != 0 || strcmp(a_path, "/dev/null") == 0)
        return false;
    diag_set(&s->diag, EXIT_USAGE, "--%s and --%s both write %s",
             option_table[a].name, option_table[b].name,
             strcmp(a_path, "-") == 0 ? "to stdout" : a_path);
    return true;
}

// Where an option writes to, or NULL.
static const char *written(const struct options *o, enum option_id id)
{
    return !options_has(o, id) ? NULL
           : id == OPT_tap     ? (option_flag(o, id) ? "-" : NULL)
                               : option_text(o, id);
}

bool session_can_write(struct session *s)
{
    static const enum option_id files[] = {
        OPT_json, OPT_junit, OPT_sarif,  OPT_html, OPT_svg,
        OPT_dot,  OPT_csv,   OPT_blocks, OPT_lcov, OPT_tap};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = written(s->options, files[i]), *other;
        if (path && !can_write(s, path))
            return false;
        for (size_t k = 0; path && k < i; k++)
            if ((other = written(s->options, files[k])) &&
                share(s, files[k], other, files[i], path))
                return false;
    }
    return true;
}

void session_json_error(struct session *s)
{
    struct text t = {0};
    struct json j;
    struct diag d = s->diag;
    if (s->told_json || !session_json_begin(s, &j, &t))
        return;
    json_text(&j, "error", d.text ? d.text : "see what was said on stderr");
    json_number(&j, "status", d.status);
    s->diag = (struct diag){0};
    session_json_end(s, &j);
    diag_free(&s->diag);
    s->diag = d;
}

bool session_write(struct session *s, const char *path, const struct text *t)
{
    const char *json = json_path(s);
    s->told_json |= json && path && strcmp(json, path) == 0;
    return file_write(path, t, &s->diag);
}
