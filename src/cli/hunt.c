#include "cli/hunt.h"

#include "base/die.h"
#include "base/hash.h"
#include "base/text.h"
#include "cases/trace.h"
#include "cases/describe.h"
#include "crew/frame.h"
#include "explore/optimal/optimal.h"
#include "cases/replay.h"
#include "explore/optimal/work.h"
#include "base/json.h"
#include "report/bug.h"
#include "report/store.h"
#include "stage/native.h"
#include "program/program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

FILE *hunt_say(const struct session *s)
{
    const char *json = option_text(s->options, OPT_json);
    return json && strcmp(json, "-") == 0 ? stderr : stdout;
}

// ---- options ------------------------------------------------------------

static bool read_ignore(struct hunt *h)
{
    for (uint32_t i = 0; i < option_count(h->options, OPT_ignore); i++) {
        const char *id = option_item(h->options, OPT_ignore, i);
        enum bug_kind k = bug_kind_of(id);
        if (k == BUG_NONE) {
            diag_set(&h->session->diag, EXIT_USAGE,
                     "--ignore: no kind of bug '%s'", id);
            struct text kinds = {0};
            for (int n = 1; n < BUG_KINDS_N; n++)
                text_format(&kinds, "%s%s", n > 1 ? ", " : "",
                            bug_kind_id((enum bug_kind)n));
            diag_hint(&h->session->diag, "%s", text_get(&kinds));
            text_free(&kinds);
            return false;
        }
        h->explore.ignore |= 1ull << k;
    }
    return true;
}

static uint64_t new_seed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return ((uint64_t)t.tv_nsec ^ (uint64_t)t.tv_sec << 20 ^
            (uint64_t)getpid() << 40) &
           0xffffffff;
}

bool hunt_init(struct hunt *h, struct session *s, const struct tr_test *t,
               struct store *store)
{
    memset(h, 0, sizeof *h);
    h->session = s;
    h->test = t;
    h->store = store;
    h->say = hunt_say(s);
    h->options = session_options_for(s, t->name);
    if (!h->options)
        return false;
    struct options *o = h->options;
    struct explore_options *x = &h->explore;
    h->params = session_params(s, o);
    bool own = t->explore && !option_given(o, OPT_delivery);
    x->delivery = delivery_of(own ? t->explore : option_text(o, OPT_delivery));
    if (x->delivery == DELIVERIES_N)
        return diag_at(&s->diag, EXIT_USAGE, t->file, t->line,
                       "no delivery model '%s'", t->explore);
    if (options_has(o, OPT_strategy))
        x->strategy = strategy_of(option_text(o, OPT_strategy));
    x->seed =
        option_given(o, OPT_seed) ? option_number(o, OPT_seed) : new_seed();
    x->steps = (uint32_t)option_number(o, OPT_steps);
    if (t->max_steps && !option_given(o, OPT_steps))
        x->steps = t->max_steps;
    if (options_has(o, OPT_depth) && option_given(o, OPT_depth))
        x->steps = (uint32_t)option_number(o, OPT_depth);
    x->schedules = option_number(o, OPT_schedules);
    if (t->max_schedules && !option_given(o, OPT_schedules))
        x->schedules = t->max_schedules;
    x->seconds = (double)option_duration(o, OPT_time) * 1e-9;
    if (options_has(o, OPT_delay_bound) && option_given(o, OPT_delay_bound)) {
        x->bounded_delays = true;
        x->delays = (uint32_t)option_number(o, OPT_delay_bound);
        if (x->strategy == STRATEGY_AUTO)
            x->strategy = STRATEGY_EXHAUSTIVE;
    }
    x->keep_going = option_flag(o, OPT_keep_going);
    x->shared = option_flag(o, OPT_shared);
    h->isolate = option_flag(o, OPT_isolate);
    if (options_has(o, OPT_handler_time)) // believed at ten times the limit
        h->limit_ms =
            (uint32_t)(option_duration(o, OPT_handler_time) / 10000000);
    if (!h->limit_ms)
        h->limit_ms = 1;
    x->warnings = true;
    return read_ignore(h);
}

void hunt_release(struct hunt *h)
{
    vec_free(&h->findings);
    options_free(h->options);
}

const char *hunt_key(struct hunt *h)
{
    const struct explore_options *x = &h->explore;
    const struct program *p = h->session->program;
    return arena_format(
        &h->session->arena, "%016llx%016llx %s (%s) %s%s steps %u",
        (unsigned long long)p->hash[0], (unsigned long long)p->hash[1],
        h->test->name, h->params ? h->params : "", delivery_id(x->delivery),
        x->shared ? " shared" : "", x->steps);
}

// ---- the play ------------------------------------------------------------

bool hunt_open(struct hunt *h)
{
    struct native_options o = {
        .test = h->test->name,
        .params = h->params,
        .limit_ms = h->limit_ms,
        .shared = h->explore.shared,
        .isolated = h->isolate,
    };
    h->native = native_open(h->session->program, &o, &h->session->diag);
    if (!h->native)
        return false;
    uint64_t limit = 0;
    if (options_has(h->options, OPT_memory))
        limit = option_number(h->options, OPT_memory) << 20;
    h->play = play_new(native_ops(h->native), h->native, limit);
    return true;
}

void hunt_close(struct hunt *h)
{
    if (h->play)
        play_free(h->play);
    if (h->native)
        native_close(h->native);
    h->play = NULL;
    h->native = NULL;
}

static bool job_open(void *self)
{
    struct hunt *h = self;
    if (hunt_open(h))
        return true;
    diag_print(&h->session->diag, stderr);
    return false;
}

enum { DESCENTS = 10000, BATCH = 100 };

// Only estimate: Knuth's estimator on the optimal tree, in batches until the
// time is up.
static void estimate(struct hunt *h, const struct explore_options *o,
                     const struct explore_sink *sink, struct explore_result *r)
{
    struct search s;
    double sum = 0;
    uint32_t n = 0;
    search_init(&s, h->play, o, sink, r);
    while (n < DESCENTS && !s.over) {
        sum += optimal_estimate(&s, BATCH, o->seed + n) * BATCH;
        n += BATCH;
        search_look(&s);
    }
    search_release(&s);
    r->estimate = sum / n;
    r->complete = false;
    r->stopped_by = STOP_SAMPLED;
}

enum { GUESS_MS = 300 };

static int guess_job(struct hunt *h, void *arg, struct text *out)
{
    struct explore_options o = h->explore;
    struct explore_sink sink = {0};
    struct explore_result r;
    (void)arg;
    o.seconds = GUESS_MS * 1e-3;
    o.keep_going = true;
    estimate(h, &o, &sink, &r);
    text_format(out, "%.6g", r.estimate);
    return EXIT_GOOD;
}

double hunt_guess(struct hunt *h)
{
    struct text t = {0};
    double n = -1;
    if (hunt_apart(h, guess_job, NULL, &t) == EXIT_GOOD)
        n = strtod(text_get(&t), NULL);
    text_free(&t);
    return n;
}

static void job_run(void *self, const struct explore_options *o,
                    const struct work *units, uint32_t n,
                    const struct explore_sink *sink, struct explore_result *r,
                    struct work_list *rest)
{
    struct hunt *h = self;
    if (o->strategy == STRATEGY_OPTIMAL && h->estimate)
        estimate(h, o, sink, r);
    else if (o->strategy == STRATEGY_OPTIMAL)
        explore_work(h->play, o, units, n, sink, r, rest);
    else
        explore(h->play, o, sink, r);
}

static bool job_tainted(void *self)
{
    struct hunt *h = self;
    return native_tainted(h->native);
}

static const struct play_counts *job_counts(void *self)
{
    struct hunt *h = self;
    return play_counts(h->play);
}

// ---- cases -----------------------------------------------------------------

static void fill_case(struct hunt *h, struct test_case *c)
{
    session_case(h->session, c);
    c->test = h->test->name;
    c->delivery = delivery_id(h->explore.delivery);
    c->shared = h->explore.shared;
    for (uint32_t i = 0; i < option_count(h->options, OPT_param); i++)
        vec_push(&c->params, option_item(h->options, OPT_param, i));
}

void hunt_describe(struct hunt *h, struct arena *a, struct test_case *c,
                   const struct schedule *s)
{
    struct replay r = {0};
    struct words w = {h->native, h->play};
    struct describe d = words_describe(&w);
    replay_schedule(h->play, h->explore.delivery, s, false, &r);
    case_take(a, c, h->play, s, r.twins.at);
    struct trace *t = trace_make(a, h->play, s, &d);
    case_take_sends(c, t);
    trace_release(t);
    replay_free(&r);
}

enum { SHRINK_MS = 500 };

static void job_tell(void *self, const struct bug *bug,
                     const struct schedule *s, struct text *out)
{
    struct hunt *h = self;
    struct arena a = {0};
    struct test_case c = {0};
    struct schedule shorter = {0};
    fill_case(h, &c);
    c.bug = *bug;
    bool shrunk =
        !bug->warning && schedule_shrink(h->play, h->explore.delivery, s, bug,
                                         SHRINK_MS * 1e-3, &shorter);
    hunt_describe(h, &a, &c, shrunk ? &shorter : s);
    case_print(&c, out);
    case_release(&c);
    schedule_free(&shorter);
    arena_free(&a);
}

struct crew_job hunt_job(struct hunt *h)
{
    return (struct crew_job){.self = h,
                             .open = job_open,
                             .run = job_run,
                             .tainted = job_tainted,
                             .tell = job_tell,
                             .counts = job_counts};
}

// ---- replay -------------------------------------------------------------

// The message of a step as a report says it: "a (from sender#1)".
static const char *step_words(struct hunt *h, struct arena *a,
                              const struct step *s)
{
    if (s->msg == PLAY_TIMER)
        return "its timer";
    return arena_format(a, "%s (from %s)", play_msg_name(h->play, s->msg),
                        play_actor_name(h->play, s->sender));
}

static struct bug_race race_of(struct hunt *h, const struct replay *r,
                               const struct trace *t, struct arena *a)
{
    struct race race = {0};
    struct bug_race out = {0};
    if (!schedule_race(h->play, h->explore.delivery, &r->schedule, &race))
        return out;
    out.known = out.other_passes = true;
    out.first = race.first;
    out.second = race.second;
    out.more = race.more;
    if (race.second == PLAY_NONE && race.source < t->steps.n &&
        race.nth < t->steps.at[race.source].sends.n)
        out.waiting = t->steps.at[race.source].sends.at[race.nth].number;
    if (race.unsent != PLAY_NONE)
        out.unsent = step_words(h, a, &race.passes.steps.at[race.unsent]);
    schedule_free(&race.passes);
    return out;
}

static void report_bug(struct hunt *h, const struct test_case *c,
                       const struct hunt_replay *q, struct arena *a,
                       const struct replay *r, const struct bug *bug,
                       struct text *out)
{
    struct words w = {h->native, h->play};
    struct describe d = words_describe(&w);
    struct trace *t = trace_make(a, h->play, &r->schedule, &d);
    char id[9];
    case_id(bug, h->test->name, id);
    struct bug_report report = {
        .trace = t,
        .bug = bug,
        .id = id,
        .test = h->test->name,
        .file = h->test->file,
        .line = h->test->line,
        .delivery = c->delivery,
        .test_params = h->params ? h->params : "",
        .name = q->name,
        .schedules = q->schedules,
        .race = race_of(h, r, t, a),
        .colour = q->colour,
        .shortened = true,
    };
    bug_report_print(&report, out);
    trace_release(t);
}

static const struct bug *outcome(const struct test_case *c,
                                 const struct replay *r)
{
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (case_meets(c, &r->bugs.at[i].bug))
            return &r->bugs.at[i].bug;
    if (c->bug.kind == BUG_CYCLE && r->repeats) // no single step shows it
        return &c->bug;
    for (uint32_t i = 0; i < r->bugs.n; i++)
        if (!r->bugs.at[i].bug.warning)
            return &r->bugs.at[i].bug;
    return NULL;
}

enum hunt_outcome hunt_replay(struct hunt *h, const struct test_case *c,
                              const struct hunt_replay *q, struct text *out)
{
    struct arena a = {0};
    struct replay r = {0};
    bool fits = replay_words(h->play, h->explore.delivery, case_words(&a, c),
                             c->steps.n, &r);
    const struct bug *bug = outcome(c, &r);
    bool same =
        c->bug.kind == BUG_NONE ? fits && !bug : bug && case_meets(c, bug);
    if (!fits && !same) {
        const struct case_step *s = &c->steps.at[r.at];
        struct text step = {0};
        case_step_print(s, &step);
        text_format(out, "The case no longer fits at step %u: %s\n%s\n",
                    r.at + 1, text_get(&step), text_get(&r.why));
        text_free(&step);
    } else if (bug) {
        report_bug(h, c, q, &a, &r, bug, out);
    }
    replay_free(&r);
    arena_free(&a);
    return same    ? OUTCOME_SAME
           : !fits ? OUTCOME_MISFIT
           : bug   ? OUTCOME_OTHER
                   : OUTCOME_PASSES;
}

int hunt_apart(struct hunt *h, int (*job)(struct hunt *, void *, struct text *),
               void *arg, struct text *out)
{
    int fds[2];
    if (pipe(fds))
        die("no pipe to a replaying process");
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        die("no process to replay in");
    if (pid == 0) {
        close(fds[0]);
        struct text t = {0};
        int status = EXIT_FAULT;
        if (hunt_open(h))
            status = job(h, arg, &t);
        else
            status = diag_print(&h->session->diag, stderr);
        frame_put(fds[1], 0, text_get(&t), t.n);
        _exit(status);
    }
    close(fds[1]);
    struct frames in = {0};
    struct frame f;
    while (frames_fill(&in, fds[0]))
        continue;
    if (frames_next(&in, &f))
        text_bytes(out, f.bytes, f.size);
    frames_free(&in);
    close(fds[0]);
    return command_wait(pid);
}

static int replay_job(struct hunt *h, void *arg, struct text *out)
{
    const struct hunt_replay *q = arg;
    return (int)hunt_replay(h, q->hunted, q, out);
}

enum hunt_outcome hunt_replay_apart(struct hunt *h, const struct test_case *c,
                                    const struct hunt_replay *q,
                                    struct text *out)
{
    struct hunt_replay with = *q;
    bool isolate = h->isolate;
    with.hunted = c;
    h->isolate = true; // one schedule: its price is nothing
    int status = hunt_apart(h, replay_job, &with, out);
    h->isolate = isolate;
    return status <= OUTCOME_MISFIT ? (enum hunt_outcome)status : OUTCOME_OTHER;
}

// Without colours.
static const char *plain(struct arena *a, const char *report)
{
    char *to = arena_text(a, report), *end = to;
    for (const char *s = report; *s; s++)
        if (*s == '\033')
            s += strcspn(s, "m");
        else
            *end++ = *s;
    *end = '\0';
    return to;
}

void hunt_take_case(struct hunt *h, const char *text, uint64_t schedules)
{
    struct session *s = h->session;
    struct test_case c;
    struct hunt_finding f = {0};
    if (!case_parse(&s->arena, "case", text, &c, &s->diag))
        die("a worker wrote a case that cannot be read: %s", s->diag.text);
    f.bug = c.bug;
    f.bug.warning = bug_kind_warns(c.bug.kind);
    case_id(&c.bug, c.test, f.id);
    bool known = h->explore.ignore >> c.bug.kind & 1;
    for (uint32_t i = 0; i < h->findings.n; i++) // by the warm-up, or resumed
        known |= strcmp(h->findings.at[i].id, f.id) == 0;
    if (known) {
        case_release(&c);
        return;
    }
    if (h->store) {
        f.path = store_case_path(h->store, &s->arena, f.id, h->test->name);
        struct diag d = {0};
        if (!case_write(&c, f.path, &d)) {
            diag_print(&d, stderr);
            f.path = NULL;
        }
        diag_free(&d);
        store_finding(h->store, h->run, f.id, bug_kind_id(c.bug.kind),
                      h->test->name, f.path);
    }
    struct text report = {0};
    struct hunt_replay q = {.name = f.path ? f.id : NULL,
                            .schedules = schedules,
                            .colour = session_colour(s, h->say)};
    f.confirmed = hunt_replay_apart(h, &c, &q, &report) == OUTCOME_SAME;
    f.report = plain(&s->arena, text_get(&report));
    if (!f.bug.warning && !option_flag(s->options, OPT_quiet)) {
        fprintf(h->say, "%s\n", text_get(&report));
        if (!f.confirmed)
            fprintf(h->say, "troupe: the replay of this case went another "
                            "way: please report this as a bug of troupe\n");
        fflush(h->say);
    }
    text_free(&report);
    case_release(&c);
    vec_push(&h->findings, f);
}

// ---- results ------------------------------------------------------------

bool hunt_failed(const struct hunt *h)
{
    for (uint32_t i = 0; i < h->findings.n; i++)
        if (!h->findings.at[i].bug.warning)
            return true;
    return false;
}

void hunt_json_finding(struct json *j, const struct hunt_finding *f)
{
    json_object(j, NULL);
    json_text(j, "id", f->id);
    json_text(j, "kind", bug_kind_id(f->bug.kind));
    json_bool(j, "warning", f->bug.warning);
    json_text(j, "text", f->bug.text);
    json_text(j, "file", f->bug.file);
    json_number(j, "line", f->bug.line);
    json_text(j, "class", f->bug.cls);
    json_text(j, "message", f->bug.msg);
    json_text(j, "case", f->path);
    json_bool(j, "confirmed", f->confirmed);
    json_end(j);
}
