#include "unit/check.h"

#include "base/arena.h"
#include "base/text.h"
#include "unit/call_program.h"
#include "unit/sanitized.h"
#include "unit/subject.h"

#include <stdio.h>
#include <string.h>

static const char *signal_text(struct arena *a, int number)
{
    const char *name = sigabbrev_np(number);
    return name ? arena_format(a, "SIG%s", name)
                : arena_format(a, "signal %d", number);
}

static const char *end_text(struct arena *a, const struct call_case *c)
{
    return c->end == CALL_RETURNS ? "returns"
           : c->end == CALL_EXITS
               ? arena_format(a, "exits with %s", c->trap.signal)
               : arena_format(a, "ends by %s", c->trap.signal);
}

static void add(struct check_result *out, const struct call_case *c,
                const char *place, const char *was, const char *is)
{
    if (strcmp(was, is) != 0)
        vec_push(&out->changes, ((struct check_change){c, place, was, is}));
}

static void take_line(struct arena *a, const char *line,
                      const struct call_case *const *calls, uint32_t n,
                      struct check_result *out)
{
    unsigned i, k;
    int number, at = 0;
    if (sscanf(line, "differs %u %u %n", &i, &k, &at) == 2 && i < n &&
        k < calls[i]->after.n)
        add(out, calls[i], calls[i]->after.at[k].place,
            calls[i]->after.at[k].value, arena_text(a, line + at));
    else if (sscanf(line, "returns %u", &i) == 1 && i < n)
        add(out, calls[i], "", end_text(a, calls[i]), "returns");
    else if (sscanf(line, "exits %u %d", &i, &number) == 2 && i < n)
        add(out, calls[i], "", end_text(a, calls[i]),
            arena_format(a, "exits with %d", number));
    else if (sscanf(line, "signal %u %d", &i, &number) == 2 && i < n)
        add(out, calls[i], "", end_text(a, calls[i]),
            arena_format(a, "ends by %s", signal_text(a, number)));
}

static void take_words(struct arena *a, const char *said,
                       const struct call_case *const *calls, uint32_t n,
                       struct check_result *out)
{
    char *all = arena_text(a, said), *save = NULL;
    for (char *line = strtok_r(all, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        take_line(a, line, calls, n, out);
}

// Traps that only a sanitizer notices.
static void check_reports(struct arena *a, const struct unit_options *o,
                          bool has_main, const struct call_case *const *calls,
                          uint32_t n, struct check_result *out)
{
    struct sanitized *r = arena_zero(a, (n + 1ul) * sizeof *r);
    if (!n || !sanitized_calls(a, o, has_main, SANITIZED_ALL, calls, n, r))
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct call_trap *t = &calls[i]->trap;
        const char *was = arena_format(a, "%s at line %u", t->kind, t->line);
        add(out, calls[i], "", was,
            r[i].kind ? arena_format(a, "%s at line %u", r[i].kind, r[i].line)
                      : "returns");
    }
}

void check_calls(struct arena *a, const struct unit_options *o, bool has_main,
                 const struct call_case *calls, uint32_t n,
                 struct check_result *out)
{
    struct text said = {0};
    const struct call_case **plain =
        arena_get(a, 2 * (n + 1ul) * sizeof *plain);
    const struct call_case **reported = plain + n + 1;
    uint32_t n_reported = 0;
    struct call_program p = {
        .options = o, .has_main = has_main, .calls = plain};
    *out = (struct check_result){.calls = n};
    for (uint32_t i = 0; i < n; i++)
        if (calls[i].end == CALL_REPORTED)
            reported[n_reported++] = &calls[i];
        else
            plain[p.n++] = &calls[i];
    if (p.n && call_program_run(a, &p, &said, &out->why)) {
        out->why = NULL;
        take_words(a, text_get(&said), plain, p.n, out);
    }
    check_reports(a, o, has_main, reported, n_reported, out);
    text_free(&said);
}

void check_free(struct check_result *r)
{
    vec_free(&r->changes);
}
