#include "cli/llvm/unit_kept.h"

#include "base/diag.h"
#include "base/text.h"
#include "cli/session.h"
#include "program/home.h"
#include "unit/subject.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool same_file(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];
    return strcmp(a, b) == 0 ||
           (realpath(a, x) && realpath(b, y) && strcmp(x, y) == 0);
}

typedef void each_call(void *self, const char *path, struct call_case *c);

// Every kept call of a function of this source; the call is given to `each`.
static void kept(struct session *s, const char *source, const char *function,
                 each_call *each, void *self)
{
    glob_t found = {0};
    const char *pattern = home_path(
        &s->arena, arena_format(&s->arena, "unit/%s.*.call", function));
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct diag d = {0};
            struct call_case c;
            const char *path = arena_text(&s->arena, found.gl_pathv[i]);
            if (!call_read(&s->arena, path, &c, &d)) {
                diag_free(&d);
                continue;
            }
            if (c.programs.n &&
                same_file(home_here(&s->arena, c.programs.at[0]), source) &&
                strcmp(c.function, function) == 0)
                each(self, path, &c);
            else
                call_release(&c);
        }
    globfree(&found);
}

static void take(void *self, const char *path, struct call_case *c)
{
    struct unit_kept *k = self;
    (void)path;
    vec_push(&k->calls, *c);
}

void unit_kept_check(struct session *s, const struct unit_subject *subject,
                     const char *function, struct unit_kept *out)
{
    memset(out, 0, sizeof *out);
    kept(s, subject->options->source, function, take, out);
    if (out->calls.n)
        check_calls(&s->arena, subject->options, subject->has_main,
                    out->calls.at, out->calls.n, &out->check);
}

static void drop(void *self, const char *path, struct call_case *c)
{
    (void)self;
    unlink(path);
    call_release(c);
}

void unit_kept_remove(struct session *s, const char *source,
                      const char *function)
{
    kept(s, source, function, drop, NULL);
}

void unit_kept_print(const char *function, const struct unit_kept *k,
                     struct text *to)
{
    if (k->check.why)
        text_format(to,
                    "  changed %s   its %u kept calls cannot be built any "
                    "more: %s\n",
                    function, k->calls.n, k->check.why);
    for (uint32_t i = 0; i < k->check.changes.n; i++) {
        const struct check_change *c = &k->check.changes.at[i];
        text_format(to, "  changed %s__%s%s   %s%s%s -> %s\n", function,
                    c->call->end == CALL_RETURNS ? "" : "traps_", c->call->name,
                    c->place, *c->place ? "  " : "", c->was, c->is);
    }
}

uint32_t unit_kept_changed(const struct unit_kept *k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->calls.n; i++) {
        bool changed = k->check.why != NULL;
        for (uint32_t m = 0; m < k->check.changes.n; m++)
            changed |= k->check.changes.at[m].call == &k->calls.at[i];
        n += changed;
    }
    return n;
}

void unit_kept_free(struct unit_kept *k)
{
    for (uint32_t i = 0; i < k->calls.n; i++)
        call_release(&k->calls.at[i]);
    vec_free(&k->calls);
    check_free(&k->check);
}
