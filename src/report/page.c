#include "report/page.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "cases/trace.h"
#include "program/behaviours.h"
#include "program/program.h"
#include "report/course.h"
#include "report/trace_json.h"

#include "troupe.h"

#include <assert.h>
#include <string.h>
#include <time.h>

// ---- classes --------------------------------------------------------------

static void behaviour_json(const struct program *p, const tr_class *c,
                           const tr_behaviour *b, struct json *j)
{
    json_object(j, NULL);
    json_text(j, "name", b->name);
    json_bool(j, "start", c->start == b);
    json_bool(j, "hot", program_hot(p, c, b));
    json_array(j, "rows");
    for (uint32_t i = 0; i < b->n; i++) {
        json_object(j, NULL);
        json_text(j, "message", b->on[i].msg->name);
        json_text(j, "policy", program_policy(&b->on[i]));
        if (b->on[i].fn_name)
            json_text(j, "handler", b->on[i].fn_name);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void classes_json(const struct program *p, struct json *j)
{
    json_array(j, "classes");
    for (uint32_t i = 0; i < p->n_classes; i++) {
        struct behaviours b = {0};
        program_behaviours(p, p->classes[i], &b);
        json_object(j, NULL);
        json_text(j, "name", p->classes[i]->name);
        json_array(j, "behaviours");
        for (uint32_t k = 0; k < b.list.n; k++)
            behaviour_json(p, p->classes[i], b.list.at[k], j);
        json_end(j);
        json_end(j);
        vec_free(&b.list);
    }
    json_end(j);
}

// ---- sources --------------------------------------------------------------

enum { SOURCE_MOST = 400000, SOURCES_MOST = 2000000 }; // bytes

struct sources {
    VEC(const char *) files;
};

static void add_source(struct sources *s, const char *file)
{
    if (!file)
        return;
    for (uint32_t i = 0; i < s->files.n; i++)
        if (strcmp(s->files.at[i], file) == 0)
            return;
    vec_push(&s->files, file);
}

static void add_sources_of(struct sources *s, const struct trace *t)
{
    for (uint32_t i = 0; t && i < t->steps.n; i++) {
        add_source(s, t->steps.at[i].file);
        for (uint32_t k = 0; k < t->steps.at[i].n_bugs; k++)
            add_source(s, t->steps.at[i].bugs[k].file);
    }
}

static void sources_json(const struct sources *s, struct json *j)
{
    size_t all = 0;
    json_object(j, "sources");
    for (uint32_t i = 0; i < s->files.n; i++) {
        struct text t = {0};
        bool ok = file_read(s->files.at[i], &t) && t.n <= SOURCE_MOST &&
                  all + t.n <= SOURCES_MOST && !memchr(text_get(&t), 0, t.n);
        if (ok) {
            all += t.n;
            json_text(j, s->files.at[i], text_get(&t));
        }
        text_free(&t);
    }
    json_end(j);
}

// ---- cases ----------------------------------------------------------------

static void one_case(const struct subject *s, const struct test_case *c,
                     const struct confirmed *f, const struct case_view *v,
                     const char *id, struct json *j)
{
    struct text report = {0};
    json_object(j, NULL);
    json_text(j, "id", id);
    json_text(j, "name", v->name);
    json_text(j, "delivery", c->delivery);
    json_bool(j, "known", v->known);
    if (f->found) {
        json_text(j, "kind", bug_kind_id(f->bug.kind));
        json_text(j, "text", f->bug.text);
        json_bool(j, "warning", f->bug.warning);
        json_text(j, "file", f->bug.file);
        json_number(j, "line", f->bug.line);
    }
    case_text(s, c, f, v, &report);
    json_text(j, "report", text_get(&report));
    text_free(&report);
    if (f->trace)
        trace_json(f->trace, "trace", j);
    race_json(&f->race, "race", j);
    if (f->passes)
        trace_json(f->passes, "passes", j);
    json_end(j);
}

static void head_json(const struct subject *s, struct json *j)
{
    json_text(j, "test", s->test->name);
    json_text(j, "file", s->test->file);
    json_number(j, "line", s->test->line);
    json_text(j, "params", s->params);
    json_text(j, "delivery", delivery_id(s->explore.delivery));
}

static const char *verdict_id(enum result_verdict v)
{
    switch (v) {
    case RESULT_PASSED:
        return "passed";
    case RESULT_FAILED:
        return "failed";
    case RESULT_REFUSED:
        return "refused";
    case RESULT_INCOMPLETE:
        return "incomplete";
    }
    return "";
}

static void cases_json(const struct result *r, struct sources *sources,
                       struct json *j)
{
    json_array(j, "cases");
    for (uint32_t i = 0; i < r->findings->list.n; i++) {
        const struct finding *f = &r->findings->list.at[i];
        struct case_view v = {
            .name = f->name, .nth = f->nth, .known = f->known};
        one_case(r->subject, &f->c, &f->confirmed, &v, f->id, j);
        add_sources_of(sources, f->confirmed.trace);
    }
    json_end(j);
    if (r->findings->list.n)
        add_source(sources, r->subject->test->file);
}

void page_test_json(const struct result *r, const struct page_test *t,
                    struct json *j)
{
    struct sources sources = {0};
    json_object(j, NULL);
    json_text(j, "program", r->program);
    json_text(j, "command", t->command);
    head_json(r->subject, j);
    json_text(j, "verdict", verdict_id(t->verdict));
    json_text(j, "words", t->words);
    json_number(j, "seed", (int64_t)r->subject->explore.seed);
    json_array(j, "results");
    t->json(j, t->self);
    json_end(j);
    if (t->course)
        course_json(t->course, "course", j);
    cases_json(r, &sources, j);
    sources_json(&sources, j);
    classes_json(r->subject->program, j);
    json_end(j);
    vec_free(&sources.files);
}

void page_case_json(const struct subject *s, const struct test_case *c,
                    const struct confirmed *f, const char *name, struct json *j)
{
    struct sources sources = {0};
    char id[9] = "";
    if (f->found)
        case_id(&f->bug, s->test->name, id);
    json_object(j, NULL);
    json_text(j, "program", c->programs.n ? c->programs.at[0] : "");
    json_text(j, "command", "show");
    head_json(s, j);
    json_text(j, "verdict", f->found ? "failed" : "passed");
    json_text(j, "words", NULL);
    json_array(j, "cases");
    struct case_view v = {.name = name, .passing = true};
    one_case(s, c, f, &v, id, j);
    json_end(j);
    add_source(&sources, s->test->file);
    add_sources_of(&sources, f->trace);
    sources_json(&sources, j);
    classes_json(s->program, j);
    json_end(j);
    vec_free(&sources.files);
}

// ---- the file -------------------------------------------------------------

// The page with all its code, and a mark for the data (page.S).
extern const char report_page_html[], report_page_end[];

static void data_json(const struct page *p, struct text *to)
{
    char when[64];
    struct tm tm;
    time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &tm));
    struct json j = {.to = to, .compact = true};
    json_object(&j, NULL);
    json_text(&j, "schema", "troupe-page 1");
    json_text(&j, "command_line", p->command_line);
    json_text(&j, "versions", p->versions);
    json_text(&j, "made", when);
    text_format(to, ",\"tests\":[%s]", p->tests);
    if (p->graph)
        text_format(to, ",\"graph\":%s", p->graph);
    if (p->run) {
        struct sources sources = {0};
        for (uint32_t i = 0; i < p->n_sources; i++)
            add_source(&sources, p->sources[i]);
        text_format(to, ",\"run\":%s", p->run);
        sources_json(&sources, &j);
        vec_free(&sources.files);
    }
    json_end(&j);
}

// Inside a script element "<" could begin the end of it.
static void add_safely(struct text *to, const char *s)
{
    for (; *s; s++)
        if (*s == '<')
            text_add(to, "\\u003c");
        else
            text_char(to, *s);
}

// As numbers: to C, the two bounds are objects that have nothing in common.
static size_t page_size(void)
{
    return (size_t)((uintptr_t)report_page_end - (uintptr_t)report_page_html);
}

void page_print(const struct page *p, struct text *to)
{
    static const char mark[] = "@DATA@";
    size_t n = page_size();
    const char *at = memmem(report_page_html, n, mark, sizeof mark - 1);
    assert(at); // tools/page leaves it
    size_t before = (size_t)(at - report_page_html);
    struct text data = {0};
    data_json(p, &data);
    text_bytes(to, report_page_html, before);
    add_safely(to, text_get(&data));
    before += sizeof mark - 1;
    text_bytes(to, report_page_html + before, n - before);
    text_free(&data);
}
