#include "cli/results.h"

#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "base/junit.h"
#include "cli/params.h"
#include "report/store.h"
#include "program/program.h"

#include <errno.h>
#include <string.h>

// ---- beginning ------------------------------------------------------------

static bool choose(struct results *r)
{
    struct session *s = r->session;
    struct tests *t = &r->tests;
    uint32_t n = 0;
    if (!session_program(s) || !program_controllable(s->program, &s->diag) ||
        !session_tests(s, t) || !params_check(s, t))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (!t->at[i]->schedule) // a kept case leaves nothing to search
            t->at[n++] = t->at[i];
    r->skipped = t->n - n;
    t->n = n;
    return true;
}

static bool open_store(struct results *r, bool needed)
{
    struct diag why = {0};
    r->store = store_open(".troupe", needed ? &r->session->diag : &why);
    if (!r->store && !needed)
        fprintf(stderr, "troupe: warning: nothing is kept: %s\n",
                why.text + strlen("error: "));
    diag_free(&why);
    return r->store || !needed;
}

bool results_open(struct results *r, struct session *s, bool needs_store)
{
    memset(r, 0, sizeof *r);
    r->session = s;
    r->json.to = &r->objects;
    if (!choose(r) || !open_store(r, needs_store))
        return false;
    session_warn(s);
    if (option_text(s->options, OPT_junit))
        r->junit =
            junit_new(arena_format(&s->arena, "troupe %s", s->command->name));
    r->sarif.tool = arena_format(&s->arena, "troupe %s", s->command->name);
    result_sarif_rules(&r->sarif);
    interrupt_catch();
    return true;
}

// ---- one test -------------------------------------------------------------

void results_refuse(struct results *r)
{
    diag_print(&r->session->diag, stderr);
    diag_free(&r->session->diag);
    r->refused++;
}

static void keep(const struct trial *t,
                 void (*json)(struct json *j, const void *self),
                 const void *self)
{
    struct text one = {0};
    struct json j = {.to = &one, .compact = true};
    json(&j, self);
    store_event(t->store, t->run, text_get(&one));
    store_end(t->store, t->run, text_get(&one));
    text_free(&one);
}

static uint32_t *counter(struct results *r, enum result_verdict v)
{
    switch (v) {
    case RESULT_PASSED:
        return &r->passed;
    case RESULT_FAILED:
        return &r->failed;
    case RESULT_REFUSED:
        return &r->refused;
    case RESULT_INCOMPLETE:
        return &r->incomplete;
    }
    return NULL;
}

void results_add(struct results *r, const struct trial *t, double seconds,
                 enum result_verdict verdict,
                 void (*json)(struct json *j, const void *self),
                 const void *self)
{
    struct result of = trial_result(t, seconds);
    if (r->done++)
        text_add(&r->objects, ",\n");
    r->json.some = false;
    json(&r->json, self);
    if (t->store && t->run)
        keep(t, json, self);
    if (session_github(r->session))
        result_github(&of, stdout);
    if (r->junit)
        result_junit(&of, r->junit);
    result_sarif(&of, &r->session->arena, &r->sarif);
    ++*counter(r, verdict);
}

// ---- the end --------------------------------------------------------------

// One object for one test, else an array of them.
static bool write_json(struct results *r)
{
    const char *path = option_text(r->session->options, OPT_json);
    struct text all = {0};
    if (!path)
        return true;
    text_format(&all, r->tests.n == 1 && r->done ? "%s\n" : "[%s]\n",
                text_get(&r->objects));
    bool ok = session_write(r->session, path, &all);
    text_free(&all);
    return ok;
}

static bool write_sarif(struct results *r)
{
    const char *path = option_text(r->session->options, OPT_sarif);
    struct text all = {0};
    if (!path)
        return true;
    sarif_print(&r->sarif, &all);
    bool ok = session_write(r->session, path, &all);
    text_free(&all);
    return ok;
}

bool results_write(struct results *r)
{
    bool ok = write_json(r) && write_sarif(r);
    const char *path = option_text(r->session->options, OPT_junit);
    if (r->junit && !junit_write(r->junit, path)) {
        diag_set(&r->session->diag, EXIT_USAGE, "%s: %s", path,
                 strerror(errno));
        ok = false;
    }
    r->junit = NULL;
    return ok;
}

void results_count(const struct results *r)
{
    FILE *to = trial_say(r->session);
    fprintf(to, "%u passed, %u failed", r->passed, r->failed + r->refused);
    if (r->incomplete)
        fprintf(to, ", %u incomplete", r->incomplete);
    if (r->incomplete == 1 && r->part && *r->part)
        fprintf(to, " (%s)", r->part);
    if (r->skipped)
        fprintf(to, ", %u skipped", r->skipped);
    fputc('\n', to);
}

void results_close(struct results *r)
{
    store_close(r->store);
    text_free(&r->objects);
    sarif_free(&r->sarif);
    vec_free(&r->tests);
}
