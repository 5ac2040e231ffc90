#include "cli/second_sample.h"

#include "base/child.h"
#include "base/text.h"
#include "cases/subject.h"
#include "cli/session.h"
#include "explore/explore.h"
#include "play/bug.h"
#include "program/build.h"
#include "program/program.h"
#include "troupe.h"

#include <string.h>

enum {
    SCHEDULES = 50,
    STEPS = 2000, // of each
    SECONDS = 10, // for all: a handler may loop now
};

struct sample {
    struct session *session;
    const struct subject *of;
    const char *object; // built otherwise; NULL: as the program is
    bool scattered;     // addresses in another order
    struct text said;
};

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct sample *m = self;
    (void)s;
    if (m->said.n || b->warning)
        return;
    text_add(&m->said, bug_kind_id(b->kind));
    if (b->file) {
        const char *name = strrchr(b->file, '/');
        text_format(&m->said, " at %s:%d", name ? name + 1 : b->file, b->line);
    }
}

// The other object has the same address, so the first one goes.
static void take_object(struct sample *m, struct subject *s, struct diag *d)
{
    const char *name = m->of->test->name;
    program_free(m->session->program);
    m->session->program = program_load(m->object, d);
    s->program = m->session->program;
    s->test = s->program ? program_test(s->program, name) : NULL;
    if (s->program && !s->test)
        s->test = session_system(m->session, name);
}

static void run_sample(struct sample *m)
{
    struct diag d = {0};
    struct subject s = *m->of;
    struct explore_sink sink = {.self = m, .bug = on_bug};
    struct explore_options o = s.explore;
    struct explore_result r;
    if (m->object)
        take_object(m, &s, &d);
    s.scattered = m->scattered;
    o.strategy = STRATEGY_RANDOM;
    o.schedules = SCHEDULES;
    o.seconds = 0;
    o.keep_going = o.bounded_delays = false;
    if (!o.steps || o.steps > STEPS)
        o.steps = STEPS;
    if (s.test && subject_open(&s, &d))
        explore(s.play, &o, &sink, &r);
}

static void serve(void *self, int fd)
{
    struct sample *m = self;
    struct text reply = {0};
    const char *name = m->of->test->name; // goes with the program
    char kept[256];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = '\0';
    struct tr_test test = {.name = kept};
    struct subject of = *m->of;
    if (m->object) {
        of.test = &test;
        m->of = &of;
    }
    run_sample(m);
    wire_begin(&reply, 0);
    wire_put_string(&reply, text_get(&m->said));
    wire_send(fd, &reply);
}

// Is there something to compile, and does the user leave the value to us?
static bool is_ours(const struct session *s)
{
    static const char flag[] = "-ftrivial-auto-var-init";
    bool source = false;
    for (uint32_t i = 0; i < s->flags.n; i++)
        if (strncmp(s->flags.at[i], flag, sizeof flag - 1) == 0)
            return false;
    for (uint32_t i = 0; i < s->inputs.n; i++)
        source |= build_is_source(s->inputs.at[i]);
    return source && s->program->handle;
}

// What the sample showed, and when.
static const char *ask(struct sample *m, const char *when)
{
    struct child_plan plan = {
        .body = serve, .self = m, .signals = CHILD_DIES, .quiet = true};
    struct wire_in in = {0};
    struct wire_message w;
    int status;
    const char *said = NULL;
    if (child_ask(&plan, SECONDS, &in, &w, &status) == CHILD_ANSWERED)
        said = wire_get_string(&w.body);
    said = said && *said
               ? arena_format(&m->session->arena, "%s if %s", said, when)
               : NULL;
    wire_free(&in);
    return said;
}

// Only then does a sample cost something for nothing.
static bool allocates(const struct program *p)
{
    static const char *const by[] = {"malloc", "calloc", "realloc",
                                     "strdup", "_Znwm",  "_Znam"};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (program_calls(p, by[i]))
            return true;
    return false;
}

const char *second_sample(struct session *s, const struct subject *of)
{
    struct sample filled = {.session = s, .of = of};
    struct sample scattered = {.session = s, .of = of, .scattered = true};
    const char *said = NULL;
    if (is_ours(s) && (filled.object = session_build_filled(s, &s->inputs)))
        said = ask(&filled, "locals that are not set are not zero");
    if (!said && s->program->handle && allocates(s->program))
        said = ask(&scattered, "memory lies at other addresses");
    return said;
}
