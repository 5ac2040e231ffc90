#include "cli/params.h"

#include "base/text.h"
#include "cli/trial.h"
#include "stage/native.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEDULES = 10, HANDLER_MS = 20, SECONDS = 2 };

// In a child: a program may do anything.
static void ask_job(struct subject *s, void *arg, struct text *reply)
{
    struct explore_options o = {.strategy = STRATEGY_RANDOM,
                                .delivery = s->explore.delivery,
                                .steps = s->explore.steps,
                                .shared = s->explore.shared,
                                .own_clocks = s->explore.own_clocks,
                                .ticks = s->explore.ticks,
                                .schedules = SCHEDULES,
                                .seconds = 1,
                                .keep_going = true};
    struct explore_sink sink = {0};
    struct explore_result r = {0};
    int64_t otherwise;
    const char *name;
    (void)arg;
    alarm(SECONDS); // a handler may wait for ever
    explore(s->play, &o, &sink, &r);
    for (uint32_t i = 0; (name = native_asked(s->native, i, &otherwise)); i++)
        text_format(reply, "%s=%lld\n", name, (long long)otherwise);
}

static void add(struct params *p, const char *name, int64_t otherwise)
{
    for (uint32_t i = 0; i < p->list.n; i++)
        if (strcmp(p->list.at[i].name, name) == 0)
            return;
    vec_push(&p->list, ((struct param){name, otherwise}));
}

static void add_lines(struct params *p, struct arena *a, const char *lines)
{
    char *rest = arena_text(a, lines);
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        char *value = strchr(line, '=');
        assert(value); // it is a line that the child wrote
        *value++ = '\0';
        add(p, line, strtoll(value, NULL, 10));
    }
}

void params_of(struct params *p, struct session *s, const struct tr_test *t)
{
    struct trial trial;
    struct text lines = {0};
    bool ready = trial_init(&trial, s, t, NULL);
    struct subject *of = &trial.subject;
    of->limit_ms = HANDLER_MS;
    of->isolate = false; // what is asked for is noted where handlers run
    if (!ready || !subject_apart(of, ask_job, NULL, &lines, &s->diag)) {
        p->unknown = true;
        diag_free(&s->diag); // whoever runs the test says why
    }
    add_lines(p, &s->arena, text_get(&lines));
    text_free(&lines);
    trial_release(&trial);
}

void params_free(struct params *p)
{
    vec_free(&p->list);
}

static bool known(const struct params *p, const char *given)
{
    size_t n = strcspn(given, "=");
    for (uint32_t i = 0; i < p->list.n; i++)
        if (strncmp(p->list.at[i].name, given, n) == 0 &&
            !p->list.at[i].name[n])
            return true;
    return false;
}

static bool refuse(struct session *s, const struct params *p, const char *given,
                   const char *where)
{
    struct text all = {0};
    for (uint32_t i = 0; i < p->list.n; i++)
        text_format(&all, "%s%s=%lld", i ? ", " : "", p->list.at[i].name,
                    (long long)p->list.at[i].otherwise);
    diag_set(&s->diag, EXIT_USAGE, "--param: no test asks for '%.*s' (%s)",
             (int)strcspn(given, "="), given, where);
    diag_hint(&s->diag,
              p->list.n ? "parameters and their defaults: %s"
                        : "there are no parameters%s",
              text_get(&all));
    text_free(&all);
    return false;
}

static bool check(struct session *s, const struct params *p,
                  const struct options *o)
{
    for (uint32_t i = 0; i < option_count(o, OPT_param); i++)
        if (!known(p, option_item(o, OPT_param, i)))
            return refuse(s, p, option_item(o, OPT_param, i),
                          option_where(o, OPT_param));
    return true;
}

static bool is_given(struct session *s, const struct tr_test *t)
{
    struct options *o = session_options_for(s, t->name);
    bool given = o && option_count(o, OPT_param);
    options_free(o);
    return given;
}

// A parameter is wrong only if no test asks for it.
bool params_check(struct session *s, const struct tests *tests)
{
    struct params p = {0};
    bool ok = true, given = false;
    for (uint32_t i = 0; i < tests->n; i++)
        given |= is_given(s, tests->at[i]);
    for (uint32_t i = 0; given && i < tests->n; i++)
        params_of(&p, s, tests->at[i]);
    for (uint32_t i = 0; ok && given && !p.unknown && i < tests->n; i++) {
        struct options *o = session_options_for(s, tests->at[i]->name);
        ok = o && check(s, &p, o);
        options_free(o);
    }
    params_free(&p);
    return ok;
}
