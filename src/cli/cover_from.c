// Schedules to begin with: read from cases in the parent, followed in the
// child, where the play is.
#include "cli/cover_child.h"

#include "cases/replay.h"
#include "program/home.h"
#include "report/store.h"
#include "program/program.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- reading --------------------------------------------------------------

static bool is_test_of(const struct program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_tests; i++)
        if (strcmp(p->tests[i]->name, name) == 0)
            return true;
    return false;
}

static bool read_one(struct covering *c, const char *path)
{
    struct session *s = c->trial->session;
    struct from_case f = {.path = path};
    if (!case_read(&s->arena, path, &f.c, &s->diag))
        return false;
    if (strcmp(f.c.test, c->trial->subject.test->name) == 0) {
        vec_push(&c->from, f);
        return true;
    }
    bool known = is_test_of(s->program, f.c.test);
    if (!known)
        diag_at(&s->diag, EXIT_USAGE, path, 0,
                "--from: a case of the test %s, which is not in the program",
                f.c.test);
    case_release(&f.c);
    return known;
}

static int is_case(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 5 && strcmp(d->d_name + n - 5, ".case") == 0;
}

static bool read_folder(struct covering *c, const char *path)
{
    struct session *s = c->trial->session;
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_case, alphasort);
    bool ok = n > 0 || diag_set(&s->diag, EXIT_USAGE,
                                "--from: %s: no cases in this folder", path);
    for (int i = 0; i < n; i++) {
        ok = ok && read_one(c, arena_format(&s->arena, "%s/%s", path,
                                            names[i]->d_name));
        free(names[i]);
    }
    free(names);
    return ok;
}

bool covering_read_from(struct covering *c)
{
    struct session *s = c->trial->session;
    struct options *o = c->trial->options;
    for (uint32_t i = 0; i < option_count(o, OPT_from); i++) {
        const char *path = option_item(o, OPT_from, i);
        struct stat st;
        bool file = strchr(path, '/') || strchr(path, '.');
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            if (!read_folder(c, path))
                return false;
            continue;
        }
        if (!file)
            path = store_find_case(home_path(&s->arena, ""), &s->arena, path,
                                   &s->diag);
        if (!path || !read_one(c, path))
            return false;
    }
    return true;
}

// ---- following ------------------------------------------------------------

static void tell(struct covering *c, const struct bug *b,
                 const struct schedule *s)
{
    if (b->warning || c->o.ignore >> b->kind & 1)
        return;
    c->found = true;
    covering_tell_bug(c, b, s);
}

// The schedule up to a step, as a search tells it with a bug.
static void tell_found(struct covering *c, const struct replay *r)
{
    for (uint32_t i = 0; i < r->bugs.n; i++) {
        struct schedule part = {0};
        schedule_copy(&part, &r->schedule);
        if (r->bugs.at[i].step + 1 < part.steps.n)
            part.steps.n = r->bugs.at[i].step + 1;
        tell(c, &r->bugs.at[i].bug, &part);
        schedule_free(&part);
    }
}

static void add_schedule(schedule_list *l, const struct schedule *s)
{
    struct schedule copy = {0};
    schedule_copy(&copy, s);
    vec_push(l, copy);
}

static void follow_case(struct covering *c, const struct from_case *f,
                        schedule_list *out)
{
    struct play *p = c->trial->subject.play;
    struct arena a = {0};
    struct replay r = {0}, whole = {0};
    if (!replay_words(p, c->o.delivery, f->c.steps.at, f->c.steps.n, &r)) {
        struct text why = {0};
        text_format(&why, "%s:%d: --from: step %u of the case: %s", f->path,
                    f->c.steps.at[r.at].line, r.at + 1, text_get(&r.why));
        covering_tell_odd(c, text_get(&why));
        text_free(&why);
    }
    replay_schedule(p, c->o.delivery, &r.schedule, true, &whole);
    tell_found(c, &whole);
    if (whole.schedule.steps.n)
        add_schedule(out, &whole.schedule);
    replay_free(&whole);
    replay_free(&r);
    arena_free(&a);
}

// ---- exploring ------------------------------------------------------------

struct explored {
    struct covering *c;
    schedule_list *out;
};

static void on_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct explored *x = self;
    tell(x->c, b, s);
}

static void on_execution(void *self, const struct ending *e)
{
    struct explored *x = self;
    add_schedule(x->out, e->schedule);
}

static void explore_some(struct covering *c, schedule_list *out)
{
    struct explored x = {c, out};
    struct explore_sink sink = {
        .self = &x, .bug = on_bug, .execution = on_execution};
    struct explore_options o = c->trial->subject.explore;
    struct explore_result r;
    o.schedules = c->explored;
    o.no_final_states = true;
    o.no_warm_up = true;
    o.strategy = STRATEGY_AUTO;
    explore(c->trial->subject.play, &o, &sink, &r);
}

void covering_begin(struct covering *c, schedule_list *out)
{
    for (uint32_t i = 0; i < c->from.n; i++)
        follow_case(c, &c->from.at[i], out);
    if (c->explored)
        explore_some(c, out);
}
