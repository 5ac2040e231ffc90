#include "cli/kept_call.h"

#include "base/file.h"
#include "base/json.h"
#include "base/temp.h"
#include "base/text.h"
#include "cases/call.h"
#include "cli/page_write.h"
#include "cli/session.h"
#include "program/home.h"
#include "report/call_json.h"
#include "unit/call_shrink.h"
#include "unit/subject.h"
#include "unit/testfile.h"
#include "unit/verify.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_of(struct session *s)
{
    const char *word = s->words.at[0];
    if (access(word, R_OK) == 0)
        return word;
    const char *kept =
        home_path(&s->arena, arena_format(&s->arena, "unit/%s.call", word));
    return access(kept, R_OK) == 0 ? kept : NULL;
}

// Its sources as they are seen from here.
static bool read_kept(struct session *s, struct call_case *c)
{
    if (!call_read(&s->arena, path_of(s), c, &s->diag))
        return false;
    for (uint32_t i = 0; i < c->programs.n; i++)
        c->programs.at[i] = home_here(&s->arena, c->programs.at[i]);
    return true;
}

// Are its sources where they were?
static bool has_sources(struct session *s, const struct call_case *c)
{
    for (uint32_t i = 0; i < c->programs.n; i++)
        if (access(c->programs.at[i], R_OK) != 0)
            return diag_at(&s->diag, EXIT_USAGE, path_of(s), 0,
                           "its source '%s' cannot be read", c->programs.at[i]);
    return true;
}

bool kept_call_given(struct session *s)
{
    struct text t = {0};
    const char *path = s->words.n == 1 ? path_of(s) : NULL;
    bool is = path && file_read(path, &t) && call_is(text_get(&t));
    text_free(&t);
    return is;
}

static void print_test(struct session *s, const struct call_case *c,
                       const char *path, struct text *to)
{
    char real[PATH_MAX];
    const char *source = c->programs.at[0];
    struct testfile f = {
        .path = path,
        .source = source,
        .include = realpath(source, real) ? real : source,
        .command =
            arena_format(&s->arena, "cc -g -O0 %s -lcmocka && ./a.out", path),
        .has_main = true,
        .calls = &c,
        .n = 1,
    };
    testfile_print(&f, to);
}

void kept_call_page(struct session *s, const struct call_case *c,
                    struct text *to)
{
    struct text source = {0};
    struct json j = {.to = to, .compact = true};
    if (to->n)
        text_char(to, ',');
    print_test(s, c, "test.c", &source);
    call_json(c, text_get(&source), &j);
    text_free(&source);
}

static bool write_page(struct session *s, const struct call_case *c)
{
    struct text object = {0};
    kept_call_page(s, c, &object);
    bool ok = page_write(s, text_get(&object), false);
    text_free(&object);
    return ok;
}

static bool show_json(struct session *s, const struct call_case *c)
{
    struct text t = {0}, source = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return true;
    json_text(&j, "path", path_of(s));
    json_array(&j, "tests");
    print_test(s, c, "test.c", &source);
    call_json(c, text_get(&source), &j);
    json_end(&j);
    text_free(&source);
    return session_json_end(s, &j);
}

// How a replay or a shrinking of it ended.
static bool outcome_json(struct session *s, const struct call_case *c,
                         const char *how)
{
    struct text t = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return true;
    json_text(&j, "case", path_of(s));
    json_text(&j, "function", c->function);
    json_text(&j, "outcome", how);
    return session_json_end(s, &j);
}

int kept_call_show(struct session *s)
{
    struct call_case c;
    struct text t = {0};
    if (!read_kept(s, &c))
        return s->diag.status; // the caller prints it
    if (option_given(s->options, OPT_html)) {
        bool written = write_page(s, &c);
        call_release(&c);
        return written ? EXIT_GOOD : s->diag.status;
    }
    if (option_flag(s->options, OPT_test))
        print_test(s, &c, "test.c", &t);
    else
        call_show(&c, &t);
    const char *out = option_text(s->options, OPT_out);
    const char *json = option_text(s->options, OPT_json);
    bool ok = show_json(s, &c) &&
              ((!out && json && strcmp(json, "-") == 0) || // stdout is taken
               session_write(s, out ? out : "-", &t));
    text_free(&t);
    call_release(&c);
    return ok ? EXIT_GOOD : s->diag.status;
}

static int say(struct session *s, const struct call_case *c,
               const struct verified *v)
{
    static const char *const words[] = {[VERIFY_PASSED] = "same",
                                        [VERIFY_FAILED] = "other",
                                        [VERIFY_UNBUILT] = "unbuilt"};
    FILE *to = session_say(s);
    if (!outcome_json(s, c, words[v->outcome]))
        return s->diag.status; // the caller prints it
    switch (v->outcome) {
    case VERIFY_PASSED:
        if (c->end == CALL_RETURNS) {
            fprintf(to, "troupe: replayed: returns, as the call says\n");
            return EXIT_GOOD;
        }
        fprintf(to, "troupe: replayed: %s at %s:%u, as the call says\n",
                c->trap.kind, c->trap.file, c->trap.line);
        return EXIT_BUG;
    case VERIFY_FAILED:
        fprintf(to, "troupe: replayed: it ends otherwise than the call says\n");
        return c->end == CALL_RETURNS ? EXIT_BUG : EXIT_GOOD;
    case VERIFY_UNBUILT:
        fprintf(to, "troupe: not replayed: %s\n", v->why);
        return EXIT_NO_ANSWER;
    }
    return EXIT_FAULT;
}

int kept_call_replay(struct session *s)
{
    struct call_case c;
    struct text t = {0};
    if (!read_kept(s, &c) || !has_sources(s, &c))
        return s->diag.status; // the caller prints it
    const char *dir = temp_new(&s->arena, &s->diag);
    if (!dir)
        return s->diag.status;
    const char *file = arena_format(&s->arena, "%s/call.c", dir);
    struct unit_options o = {.source = c.programs.at[0],
                             .flags = c.flags.at,
                             .n_flags = c.flags.n,
                             .others = c.programs.at + 1,
                             .n_others = c.programs.n - 1};
    struct verified v = {0};
    print_test(s, &c, file, &t);
    int status = s->diag.status;
    if (session_write(s, file, &t)) {
        verify(&s->arena, &o, file, c.end == CALL_REPORTED, &v);
        status = say(s, &c, &v);
    }
    verified_free(&v);
    temp_remove(dir);
    text_free(&t);
    call_release(&c);
    return status;
}

// The name of the source's precondition, if its text has one.
static const char *pre_of(struct session *s, const struct call_case *c,
                          const char *text)
{
    const char *name = arena_format(&s->arena, "pre_%s", c->function);
    const char *at = strstr(text, name);
    return at && at[strlen(name)] == '(' ? name : NULL;
}

// Is it made as a test, and does it pass?
static bool passes(struct session *s, const struct unit_options *o,
                   const struct call_case *c)
{
    struct verified v = {0};
    struct text t = {0};
    const char *dir = temp_new(&s->arena, &s->diag);
    const char *file = dir ? arena_format(&s->arena, "%s/call.c", dir) : NULL;
    bool ok = file != NULL;
    if (ok)
        print_test(s, c, file, &t);
    ok = ok && session_write(s, file, &t);
    if (ok)
        verify(&s->arena, o, file, false, &v);
    ok = ok && v.outcome == VERIFY_PASSED;
    verified_free(&v);
    if (dir)
        temp_remove(dir);
    text_free(&t);
    return ok;
}

static int shrink(struct session *s, struct call_case *c)
{
    const char *path = path_of(s);
    struct text source = {0};
    struct call_shrunk out;
    struct unit_options o = {.source = c->programs.at[0],
                             .flags = c->flags.at,
                             .n_flags = c->flags.n,
                             .others = c->programs.at + 1,
                             .n_others = c->programs.n - 1};
    file_read(o.source, &source);
    call_shrink(&s->arena, &o, true, pre_of(s, c, text_get(&source)),
                (double)option_duration(s->options, OPT_time) * 1e-9, c, &out);
    text_free(&source);
    if (out.why) {
        diag_at(&s->diag, EXIT_USAGE, path, 0, "cannot be made: %s", out.why);
        return s->diag.status;
    }
    if (!out.taken) {
        fprintf(session_say(s),
                "troupe: %s: %u plainer calls tried, none does the same\n",
                path, out.tried);
        return outcome_json(s, c, "least") ? EXIT_GOOD : s->diag.status;
    }
    if (!passes(s, &o, c)) {
        fprintf(session_say(s),
                "troupe: %s: a plainer call was found, but its test does not "
                "pass; nothing is changed\n",
                path);
        return outcome_json(s, c, "other") ? EXIT_NO_ANSWER : s->diag.status;
    }
    for (uint32_t i = 0; i < c->programs.n; i++)
        c->programs.at[i] = home_name(&s->arena, c->programs.at[i]);
    if (!call_write(c, path, &s->diag))
        return s->diag.status;
    fprintf(session_say(s), "troupe: %s: plainer in %u steps, %u calls tried\n",
            path, out.taken, out.tried);
    return outcome_json(s, c, "better") ? EXIT_GOOD : s->diag.status;
}

int kept_call_shrink(struct session *s)
{
    struct call_case c;
    if (!read_kept(s, &c) || !has_sources(s, &c))
        return s->diag.status; // the caller prints it
    int status;
    if (c.end == CALL_REPORTED) {
        fprintf(session_say(s),
                "troupe: %s: a trap that only a sanitizer notices is not made "
                "plainer\n",
                path_of(s));
        status = outcome_json(s, &c, "least") ? EXIT_GOOD : s->diag.status;
    } else {
        status = shrink(s, &c);
    }
    call_release(&c);
    return status;
}
