// A run under the solo manager as a case: the receives it made, in words, and
// its result.  Under `single` and `random` a channel is first in, first out, so
// of several equal messages the first one was received.  In a replay the
// schedule says which one.
//
// The process that made a run writes it when the run ends.  So a test that
// fails leaves its schedule, too.
#include "testlib/run.h"

#include "base/diag.h"
#include "play/case.h"
#include "testlib/solo_names.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char *name_of(const struct run *r, struct arena *a, uint32_t actor)
{
    char name[512];
    return arena_text(a, tr__solo_name(r->runtime, actor, name, sizeof name));
}

// The answers to choose() from *p on that belong together.
static void take_picks(const struct run *r, struct arena *a, uint32_t *p,
                       struct words_step *s)
{
    const struct pick *first = &r->picks.at[*p];
    uint16_t *picks = arena_get(a, (r->picks.n - *p) * sizeof *picks);
    s->picks = picks;
    for (; *p < r->picks.n && r->picks.at[*p].step == first->step &&
           r->picks.at[*p].body == first->body;
         (*p)++)
        picks[s->n_picks++] = (uint16_t)r->picks.at[*p].pick;
}

// The answers to choose() in the segment of the body after `receives` receives.
static void take_body(const struct run *r, struct arena *a, uint32_t receives,
                      uint32_t *p, struct test_case *c)
{
    struct words_step s = {.actor = "test", .msg = "body"};
    if (*p == r->picks.n || r->picks.at[*p].step > receives ||
        !r->picks.at[*p].body)
        return;
    take_picks(r, a, p, &s);
    vec_push(&c->steps, s);
}

// The body goes on before timers, after so many receives; its answers.
static void take_early(const struct run *r, struct arena *a, uint32_t receives,
                       uint32_t *p, struct test_case *c)
{
    struct words_step s = {.actor = "test", .msg = WORDS_EARLY};
    if (*p < r->picks.n && r->picks.at[*p].step == receives &&
        r->picks.at[*p].body)
        take_picks(r, a, p, &s);
    vec_push(&c->steps, s);
}

static const char *timer_words(struct arena *a, const struct solo_option *o)
{
    if (o->soonest || !o->brings)
        return "timer";
    return o->nth > 1 ? arena_format(a, "timer %s:%u", o->brings->name, o->nth)
                      : arena_format(a, "timer %s", o->brings->name);
}

void record_steps(const struct run *r, struct arena *a, struct test_case *c)
{
    uint32_t p = 0;
    for (uint32_t i = 0; i < r->trace.n; i++) {
        const struct solo_option *o = &r->trace.at[i].what;
        take_body(r, a, i, &p, c);
        if (r->trace.at[i].early) {
            take_early(r, a, i + 1, &p, c);
            continue;
        }
        struct words_step s = {.actor = name_of(r, a, o->to),
                               .msg = tr__solo_words(o)};
        if (o->what == SOLO_TIMER)
            s.msg = timer_words(a, o);
        else
            s.sender = name_of(r, a, o->from);
        if (o->what != SOLO_TIMER && r->trace.at[i].twin > 1)
            s.msg = arena_format(a, "%s:%u", s.msg, r->trace.at[i].twin);
        if (p < r->picks.n && r->picks.at[p].step == i + 1 &&
            !r->picks.at[p].body)
            take_picks(r, a, &p, &s);
        vec_push(&c->steps, s);
    }
    take_body(r, a, r->trace.n, &p, c);
}

// ---- files ----------------------------------------------------------------

static bool is_file(const char *path)
{
    size_t n = strlen(path);
    return n > 5 && strcmp(path + n - 5, ".case") == 0;
}

const char *record_refuses(const struct test_options *o, uint32_t n_tests)
{
    struct stat s;
    if (o->manager == MANAGER_THREADS)
        return "threads have no one order of receives; take the manager single "
               "or random";
    if (is_file(o->record))
        return n_tests == 1 && o->repeat == 1
                   ? NULL
                   : "one file for several runs; name a folder";
    if (mkdir(o->record, 0777) && errno != EEXIST)
        return strerror(errno);
    return stat(o->record, &s) == 0 && !S_ISDIR(s.st_mode)
               ? "neither a folder nor a name that ends in .case"
               : NULL;
}

// A replay is recorded as a run of the test that it replays, with the
// parameters of the replay.
static struct test_case case_of(const struct run *r, struct arena *a,
                                const struct bug *b)
{
    const struct test_case *built = r->options->built;
    const char *of = r->test->of;
    bool random = r->manager == MANAGER_RANDOM;
    enum delivery d = delivery_of_solo(random ? SOLO_PAIR : r->delivery);
    bool other = of && sections_test(&r->sections, of);
    struct test_case c = {.tool = TR_VERSION,
                          .test = other ? of : r->test->name,
                          .delivery = delivery_id(d),
                          .build = built ? built->build : NULL};
    for (uint32_t i = 0; built && i < built->programs.n; i++)
        vec_push(&c.programs, built->programs.at[i]);
    for (uint32_t i = 0; built && i < built->flags.n; i++)
        vec_push(&c.flags, built->flags.at[i]);
    if (other)
        case_params(a, &c, r->test->params);
    case_params(a, &c, r->options->params);
    if (b)
        c.bug = *b;
    return c;
}

void record_run(const struct run *r, const struct bug *b)
{
    struct arena a = {0};
    struct diag d = {0};
    if (!r->options->record || !r->runtime)
        return;
    struct test_case c = case_of(r, &a, b);
    const char *path = r->options->record;
    if (!is_file(path))
        path = arena_format(&a, "%s/%s-%llu.case", path, r->test->name,
                            (unsigned long long)r->report->seed);
    record_steps(r, &a, &c);
    if (!case_write(&c, path, &d))
        diag_print(&d, stderr);
    diag_free(&d);
    case_release(&c);
    arena_free(&a);
}
