#include "cli/results.h"

#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "base/junit.h"
#include "cli/page_write.h"
#include "cli/params.h"
#include "program/home.h"
#include "report/store.h"
#include "program/program.h"

#include <string.h>

// ---- beginning ------------------------------------------------------------

static bool choose(struct results *r)
{
    struct session *s = r->session;
    struct tests *t = &r->tests;
    uint32_t n = 0;
    if ((!s->program && !session_program(s)) ||
        !program_controllable(s->program, &s->diag) ||
        !session_subjects(s, t) || !params_check(s, t))
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
    r->store = store_open(home_path(&r->session->arena, ""),
                          needed ? &r->session->diag : &why);
    if (!r->store && !needed)
        fprintf(stderr, "troupe: warning: nothing is kept: %s\n",
                why.text + strlen("error: "));
    diag_free(&why);
    return r->store || !needed;
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

bool results_open_quietly(struct results *r, struct session *s)
{
    bool own_json = r->own_json;
    bool ok = results_open(r, s, false);
    r->own_json = own_json;
    r->skipped = 0;
    return ok;
}

void results_add_native(struct results *r, const char *test,
                        enum result_verdict verdict, const char *why)
{
    ++*counter(r, verdict);
    result_tap_native(test, verdict, why, ++r->tapped, &r->tap);
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

static void keep(const struct results *r, const struct trial *t,
                 const struct page_test *of, const char *page)
{
    struct text one = {0};
    struct json j = {.to = &one, .compact = true};
    of->json(&j, of->self);
    store_event(t->store, t->run, text_get(&one));
    store_end(t->store, t->run, text_get(&one));
    store_page(t->store, t->run, r->first_run, page);
    text_free(&one);
}

// What the page shows of this test.
static void add_page(struct results *r, const struct trial *t,
                     const struct result *of, struct page_test *one,
                     struct text *page)
{
    struct json j = {.to = page, .compact = true};
    one->command = r->session->command->name;
    one->course = &t->course;
    page_test_json(of, one, &j);
    if (r->pages.n)
        text_char(&r->pages, ',');
    text_add(&r->pages, text_get(page));
}

void results_add(struct results *r, const struct trial *t, double seconds,
                 struct page_test *one)
{
    struct result of = trial_result(t, seconds);
    struct text page = {0};
    add_page(r, t, &of, one, &page);
    if (!r->first_run)
        r->first_run = t->run;
    if (r->done++)
        text_add(&r->objects, ",\n");
    r->json.some = false;
    one->json(&r->json, one->self);
    if (t->store && t->run)
        keep(r, t, one, text_get(&page));
    text_free(&page);
    if (session_github(r->session))
        result_github(&of, stdout);
    result_tap(&of, one->verdict, ++r->tapped, &r->tap);
    if (r->junit)
        result_junit(&of, r->junit);
    result_sarif(&of, &r->session->arena, &r->sarif);
    if (one->complete)
        known_tell_gone(&r->session->known, t->subject.test->name, &t->findings,
                        t->say);
    ++*counter(r, one->verdict);
}

// ---- the end --------------------------------------------------------------

static bool write_json(struct results *r)
{
    const char *path = option_text(r->session->options, OPT_json);
    struct text all = {0};
    struct json j = {.to = &all};
    if (!path || r->own_json)
        return true;
    json_object(&j, NULL);
    session_json_head(r->session, &j);
    text_format(&all, ",\n  \"tests\": [%s]", text_get(&r->objects));
    json_end(&j);
    bool ok = session_write(r->session, path, &all);
    text_free(&all);
    return ok;
}

static void print_tap(const struct results *r)
{
    if (option_flag(r->session->options, OPT_tap))
        printf("TAP version 13\n1..%u\n%s", r->tapped, text_get(&r->tap));
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
    bool ok = write_json(r) && write_sarif(r) &&
              page_write(r->session, text_get(&r->pages), true);
    const char *path = option_text(r->session->options, OPT_junit);
    if (r->junit)
        ok = junit_write(r->junit, path, &r->session->diag) && ok;
    r->junit = NULL;
    print_tap(r);
    return ok;
}

void results_count(const struct results *r)
{
    FILE *to = session_say(r->session);
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
    text_free(&r->pages);
    text_free(&r->tap);
    sarif_free(&r->sarif);
    vec_free(&r->tests);
}
