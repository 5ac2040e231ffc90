// troupe cover: schedules chosen to raise schedule coverage.
//
// A child runs the loop of cover.h over a native play and tells what it finds;
// this process keeps bugs as cases and coverage in the run directory, where
// runs of the same program, test and parameters are merged.
#include "cli/hunt.h"

#include "base/die.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cover/keep.h"
#include "cover/look.h"
#include "explore/frame.h"
#include "explore/replay.h"
#include "report/junit.h"
#include "report/progress.h"
#include "report/store.h"
#include "stage/native.h"
#include "stage/program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum cover_frame { COVER_BUG, COVER_STEP, COVER_ODD, COVER_MAP, COVER_END };

static volatile sig_atomic_t interrupted;

static void on_signal(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

struct covering {
    struct hunt *hunt;
    struct cover_options o;
    struct coverage known; // from earlier runs, and at the end from this one
    struct cover_result result;
    struct curve curve;
    struct progress *progress;
    int out; // in the child: where frames go
    VEC(const char *) odd; // schedules that could not be followed
    struct test_case initial; // a schedule of the user's, or empty
};

// ---- in the child ------------------------------------------------------------

static void tell_bug(void *self, const struct bug *b, const struct schedule *s)
{
    struct covering *c = self;
    struct text t = {0};
    struct pool_job job = hunt_job(c->hunt);
    job.tell(job.self, b, s, &t);
    frame_put(c->out, COVER_BUG, text_get(&t), t.n);
    text_free(&t);
}

static void tell_step(void *self, const struct cover_result *r)
{
    struct covering *c = self;
    if (!frame_put(c->out, COVER_STEP, r, sizeof *r))
        _exit(EXIT_FAULT);
}

static void tell_odd(void *self, const char *why)
{
    struct covering *c = self;
    frame_put(c->out, COVER_ODD, why, strlen(why));
}

// The user's schedule as far as it can be followed, and on to the end.
static bool follow_case(struct covering *c, struct replay *whole)
{
    struct play *p = c->hunt->play;
    struct arena a = {0};
    struct replay r = {0};
    if (!replay_words(p, c->o.delivery, case_words(&a, &c->initial),
                      c->initial.steps.n, &r)) {
        struct text why = {0};
        text_format(&why, "--from: step %u of the case: %s", r.at + 1,
                    text_get(&r.why));
        tell_odd(c, text_get(&why));
        text_free(&why);
    }
    bool some = r.schedule.steps.n;
    if (some)
        replay_schedule(p, c->o.delivery, &r.schedule, true, whole);
    replay_free(&r);
    arena_free(&a);
    return some;
}

static void child(struct covering *c)
{
    struct hunt *h = c->hunt;
    struct replay whole = {0};
    if (!hunt_open(h))
        _exit(diag_print(&h->session->diag, stderr));
    struct look look = look_native(h->native);
    struct cover_sink sink = {c, tell_bug, tell_step, tell_odd, NULL};
    const struct schedule *extra = &whole.schedule;
    bool given = c->initial.steps.n && follow_case(c, &whole);
    cover(h->play, &c->o, &look, &extra, given, &sink, &c->known, &c->result);
    struct text map = {0};
    coverage_print(&c->known, &map);
    frame_put(c->out, COVER_MAP, text_get(&map), map.n);
    frame_put(c->out, COVER_END, &c->result, sizeof c->result);
    _exit(EXIT_GOOD);
}

// ---- in the parent ---------------------------------------------------------

static void show(struct covering *c)
{
    const struct cover_result *r = &c->result;
    struct text note = {0};
    text_add(&note, " covered ");
    for (int cr = 0; cr < CRITERIA_N; cr++)
        text_format(&note, "  %s %llu/%llu", criterion_id((enum criterion)cr),
                    (unsigned long long)r->counts[cr].covered,
                    (unsigned long long)(r->counts[cr].goals -
                                         r->counts[cr].impossible));
    struct progress_now n = {.strategy = criterion_id(r->criterion),
                             .executions = r->executions,
                             .bugs = c->hunt->findings.n,
                             .estimate = -1,
                             .part = -1,
                             .seconds = r->seconds,
                             .of_seconds = c->o.seconds,
                             .workers = 1,
                             .note = text_get(&note)};
    progress_show(c->progress, &n);
    text_free(&note);
}

static bool take(struct covering *c, const struct frame *f)
{
    struct text t = {0};
    text_bytes(&t, f->bytes, f->size);
    switch ((enum cover_frame)f->kind) {
    case COVER_BUG:
        progress_clear(c->progress);
        hunt_take_case(c->hunt, text_get(&t), c->result.executions + 1);
        break;
    case COVER_STEP:
        memcpy(&c->result, f->bytes, sizeof c->result);
        curve_add(&c->curve, &c->result);
        show(c);
        break;
    case COVER_ODD:
        vec_push(&c->odd, (const char *)arena_text(&c->hunt->session->arena,
                                                   text_get(&t)));
        break;
    case COVER_MAP:
        coverage_read(&c->known, text_get(&t));
        break;
    case COVER_END:
        memcpy(&c->result, f->bytes, sizeof c->result);
        text_free(&t);
        return true;
    }
    text_free(&t);
    return false;
}

// False if the child died before its end; what it told is kept.
static bool run_child(struct covering *c)
{
    int fds[2];
    if (pipe(fds))
        die("no pipe to a covering process");
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        die("no process to cover in");
    if (pid == 0) {
        close(fds[0]);
        c->out = fds[1];
        child(c);
    }
    close(fds[1]);
    struct frames in = {0};
    struct frame f;
    bool ended = false;
    while (!ended && !interrupted && frames_fill(&in, fds[0]))
        while (!ended && frames_next(&in, &f))
            ended = take(c, &f);
    if (interrupted) {
        kill(pid, SIGKILL);
        c->result.stopped_by = STOP_ASKED;
    }
    frames_free(&in);
    close(fds[0]);
    command_wait(pid);
    return ended || interrupted;
}

// ---- options -------------------------------------------------------------------

static bool read_criteria(struct covering *c)
{
    struct session *s = c->hunt->session;
    const char *list = option_text(c->hunt->options, OPT_criterion);
    char word[16];
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        enum criterion cr = criterion_of(word);
        if (strcmp(word, "all") == 0)
            memset(c->o.criteria, 1, sizeof c->o.criteria);
        else if (cr != CRITERIA_N)
            c->o.criteria[cr] = true;
        else
            return diag_set(&s->diag, EXIT_USAGE,
                            "--criterion: '%s' is not pr, pmr, pcr or all",
                            word);
        p += n + (p[n] != '\0');
    }
    return true;
}

static bool read_goal(struct covering *c)
{
    const char *goal = option_text(c->hunt->options, OPT_goal);
    char *end;
    if (!goal)
        return true;
    c->o.goal = strtod(goal, &end) / 100;
    if (*end == '%')
        end++;
    if (*end || !(c->o.goal > 0) || c->o.goal > 1)
        return diag_set(&c->hunt->session->diag, EXIT_USAGE,
                        "--goal: '%s' is no percentage", goal);
    return true;
}

// A schedule of the user's, to begin with.
static bool read_from(struct covering *c)
{
    struct session *s = c->hunt->session;
    const char *from = option_text(c->hunt->options, OPT_from);
    if (!from)
        return true;
    if (!strchr(from, '/') && !strchr(from, '.')) {
        if (!c->hunt->store)
            return diag_set(&s->diag, EXIT_USAGE, "--from: nothing is kept");
        from = store_find_case(c->hunt->store, &s->arena, from, &s->diag);
    }
    if (!from || !case_read(&s->arena, from, &c->initial, &s->diag))
        return false;
    if (c->initial.test && strcmp(c->initial.test, c->hunt->test->name) != 0)
        return diag_set(&s->diag, EXIT_USAGE,
                        "--from: %s is a case of the test %s, not of %s", from,
                        c->initial.test, c->hunt->test->name);
    return true;
}

static bool read_options(struct covering *c)
{
    const struct explore_options *x = &c->hunt->explore;
    struct options *o = c->hunt->options;
    c->o = (struct cover_options){
        .delivery = x->delivery,
        .seed = x->seed,
        .steps = x->steps,
        .budget = option_number(o, OPT_budget),
        .initial = (uint32_t)option_number(o, OPT_initial),
        .seconds = x->seconds,
        .keep_going = x->keep_going,
        .ignore = x->ignore,
        .once = option_flag(o, OPT_once),
    };
    if (!c->o.budget)
        c->o.budget = x->schedules;
    return read_criteria(c) && read_goal(c) && read_from(c);
}

// ---- results -----------------------------------------------------------------

static bool reached(const struct covering *c)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        struct coverage_counts n =
            coverage_counts(&c->known, (enum criterion)cr, NULL);
        if (c->o.criteria[cr]) {
            covered += n.covered;
            possible += n.goals - n.impossible;
        }
    }
    return !(c->o.goal > 0) || !possible ||
           (double)covered >= c->o.goal * (double)possible;
}

static void json_result(struct json *j, const struct covering *c)
{
    const struct hunt *h = c->hunt;
    const struct cover_result *r = &c->result;
    json_object(j, NULL);
    json_text(j, "program", h->session->inputs.n ? h->session->inputs.at[0]
                                                 : h->session->program->path);
    json_text(j, "test", h->test->name);
    json_text(j, "params", h->params);
    json_text(j, "delivery", delivery_id(c->o.delivery));
    json_number(j, "seed", (int64_t)c->o.seed);
    json_number(j, "executions", (int64_t)r->executions);
    json_number(j, "initial_schedules", (int64_t)r->initial_schedules);
    json_number(j, "generated", (int64_t)r->generated);
    json_number(j, "infeasible", (int64_t)r->infeasible);
    json_number(j, "cut", (int64_t)r->cut);
    json_number(j, "missed", (int64_t)r->missed);
    json_number(j, "idle", (int64_t)r->idle);
    json_number(j, "sources", (int64_t)r->sources);
    json_text(j, "stopped_by", r->stopped_by ? stop_id(r->stopped_by) : NULL);
    json_real(j, "seconds", r->seconds);
    json_object(j, "criteria");
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        struct coverage_counts n =
            coverage_counts(&c->known, (enum criterion)cr, NULL);
        json_object(j, criterion_id((enum criterion)cr));
        json_number(j, "goals", (int64_t)n.goals);
        json_number(j, "covered", (int64_t)n.covered);
        json_number(j, "impossible", (int64_t)n.impossible);
        json_end(j);
    }
    json_end(j);
    json_array(j, "bugs");
    for (uint32_t i = 0; i < h->findings.n; i++)
        hunt_json_finding(j, &h->findings.at[i]);
    json_end(j);
    json_end(j);
}

static void say(const struct covering *c)
{
    const struct cover_result *r = &c->result;
    FILE *to = c->hunt->say;
    struct text t = {0};
    fprintf(to, "troupe: %s: %s, cover, delivery %s: %llu schedules (%llu "
                "recorded, %llu forced), %s\n",
            c->hunt->test->name, hunt_failed(c->hunt) ? "FAILED" : "ok",
            delivery_id(c->o.delivery), (unsigned long long)r->executions,
            (unsigned long long)r->initial_schedules,
            (unsigned long long)r->generated,
            r->stopped_by             ? stop_text(r->stopped_by)
            : c->o.goal > 0 && reached(c) ? "the goal is reached"
                                      : "schedules bring nothing new");
    coverage_numbers(&c->known, c->o.criteria, &t);
    if (option_flag(c->hunt->options, OPT_verbose) ||
        coverage_is_small(&c->known))
        coverage_matrices(&c->known, &t);
    struct text left = {0};
    if (r->stopped_by != STOP_BUG ||
        option_flag(c->hunt->options, OPT_verbose))
        coverage_left(&c->known, c->o.criteria,
                  r->stopped_by ? arena_format(&c->hunt->session->arena,
                                               "not tried: %s",
                                               stop_text(r->stopped_by))
                                : "not tried",
                  &left);
    if (left.n)
        text_format(&t, "left\n%s", text_get(&left));
    fputs(text_get(&t), to);
    for (uint32_t i = 0; i < c->odd.n && i < 5; i++)
        fprintf(to, "   a schedule could not be followed: %s\n", c->odd.at[i]);
    fflush(to);
    text_free(&left);
    text_free(&t);
}

static bool write_file(struct covering *c, enum option_id id,
                       void (*print)(const struct curve *, struct text *))
{
    const char *path = option_text(c->hunt->options, id);
    struct text t = {0};
    if (!path)
        return true;
    print(&c->curve, &t);
    bool ok = session_write(c->hunt->session, path, &t);
    text_free(&t);
    return ok;
}

static void svg(const struct curve *c, struct text *to)
{
    curve_svg(c, "coverage over executions", to);
}

// ---- the command -----------------------------------------------------------

struct sums {
    uint32_t passed, failed, short_of_goal, odd;
    struct text json;
    struct json out;
    struct junit *junit;
    bool broken;
};

static void cover_test(struct session *s, const tr_test *t, struct store *store,
                       struct sums *sums)
{
    struct hunt h;
    struct covering c = {.hunt = &h};
    if (!hunt_init(&h, s, t, store) || !read_options(&c)) {
        diag_print(&s->diag, stderr);
        diag_free(&s->diag);
        sums->broken = true;
        return;
    }
    const char *key = arena_format(&s->arena, "cover %s", hunt_key(&h));
    bool report = option_flag(h.options, OPT_report);
    if (store && (report || option_flag(h.options, OPT_merge))) {
        const char *lines = store_load_text(store, &s->arena, key);
        if (lines)
            coverage_read(&c.known, lines);
    }
    c.progress = progress_new(
        option_flag(s->options, OPT_quiet)
            ? PROGRESS_NONE
            : progress_kind_of(option_text(s->options, OPT_progress)),
        "cover", s->inputs.n ? s->inputs.at[0] : "", t->name, c.o.seed);
    if (!report) {
        if (store)
            h.run = store_begin(store, "cover", key);
        if (!run_child(&c)) {
            fprintf(stderr, "troupe: %s: the covering process died\n", t->name);
            sums->odd++;
        }
    }
    progress_free(c.progress);
    struct text lines = {0};
    coverage_print(&c.known, &lines);
    if (store && !report)
        store_save_text(store, key, text_get(&lines));
    text_free(&lines);
    say(&c);
    json_result(&sums->out, &c);
    if (!write_file(&c, OPT_csv, curve_csv) || !write_file(&c, OPT_svg, svg))
        sums->broken = true;
    if (store && !report) {
        struct text one = {0};
        struct json j = {.to = &one, .compact = true};
        json_result(&j, &c);
        store_end(store, h.run, text_get(&one));
        text_free(&one);
    }
    if (sums->junit)
        hunt_junit(&h, c.result.seconds, sums->junit);
    if (hunt_failed(&h))
        sums->failed++;
    else
        sums->passed++;
    sums->short_of_goal += !reached(&c);
    coverage_free(&c.known);
    vec_free(&c.curve.points);
    vec_free(&c.odd);
    case_release(&c.initial);
    hunt_release(&h);
}

int cmd_cover(struct session *s)
{
    struct tests tests = {0};
    if (!session_program(s) || !session_tests(s, &tests))
        return diag_print(&s->diag, stderr);
    struct diag why = {0};
    struct store *store = store_open(".troupe", &why);
    if (!store)
        fprintf(stderr, "troupe: warning: nothing is kept: %s\n", why.text);
    diag_free(&why);
    struct sums sums = {0};
    sums.out.to = &sums.json;
    if (option_text(s->options, OPT_junit))
        sums.junit = junit_new("troupe cover");
    struct sigaction a = {.sa_handler = on_signal};
    sigaction(SIGINT, &a, NULL);
    uint32_t n = 0;
    for (uint32_t i = 0; i < tests.n && !interrupted; i++) {
        if (tests.at[i]->schedule)
            continue;
        if (n++)
            text_add(&sums.json, ",\n");
        sums.out.some = false;
        cover_test(s, tests.at[i], store, &sums);
    }
    if (!hunt_write_json(s, &sums.json, n) ||
        (sums.junit && !junit_write(sums.junit, option_text(s->options,
                                                            OPT_junit),
                                    &s->diag)))
        return diag_print(&s->diag, stderr);
    fprintf(hunt_say(s), "%u passed, %u failed\n", sums.passed, sums.failed);
    store_close(store);
    text_free(&sums.json);
    vec_free(&tests);
    if (sums.broken)
        return EXIT_USAGE;
    return sums.odd        ? EXIT_FAULT
           : sums.failed   ? EXIT_BUG
           : interrupted   ? EXIT_INTERRUPTED
           : sums.short_of_goal ? EXIT_NO_ANSWER
                                : EXIT_GOOD;
}
