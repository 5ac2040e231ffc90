// A child may end before the search does: because the program crashed inside
// libc, so that its process cannot be trusted any more, or because the child
// was killed.  Then another child goes on from the coverage that was sent last,
// with other seeds and the rest of the budget.  After a child was lost,
// handlers run in a process of their own.  A handler that ends its process is
// then told as a bug and does not end the child.
#include "cli/cover_child.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/interrupt.h"
#include "cover/coverage_text.h"
#include "cover/record_native.h"
#include "report/progress.h"
#include "stage/native.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum cover_word {
    // to the child
    COVER_YIELD, // end now
    // from the child
    COVER_FAILED, // the test cannot be opened
    COVER_BUG,    // a case
    COVER_ODD,    // a line for the user
    COVER_STEP,   // the result so far
    COVER_MAP,    // the result so far, and the coverage
    COVER_AGAIN,  // the same, of a child that another one must go on from
    COVER_END     // the same, at the end
};

// ---- in the child ---------------------------------------------------------

static void say(const struct covering *c, struct text *t)
{
    if (!wire_send(c->fd, t))
        _exit(EXIT_FAULT);
    text_free(t);
}

static void say_text(const struct covering *c, enum cover_word w,
                     const char *words)
{
    struct text t = {0};
    wire_begin(&t, w);
    wire_put_string(&t, words);
    say(c, &t);
}

static void say_map(const struct covering *c, enum cover_word w,
                    const struct cover_result *r)
{
    struct text t = {0}, map = {0};
    coverage_print(&c->known, &map);
    wire_begin(&t, w);
    wire_put(&t, r, sizeof *r);
    wire_put_string(&t, text_get(&map));
    say(c, &t);
    text_free(&map);
}

void covering_tell_bug(void *covering, const struct bug *b,
                       const struct schedule *s)
{
    struct covering *c = covering;
    struct text t = {0};
    subject_tell(&c->trial->subject, b, s, &t);
    say_text(c, COVER_BUG, text_get(&t));
    text_free(&t);
}

void covering_tell_odd(void *covering, const char *why)
{
    say_text(covering, COVER_ODD, why);
}

enum { MAP_SECONDS = 2 };

static void tell_step(void *self, const struct cover_result *r)
{
    struct covering *c = self;
    struct text t = {0};
    wire_begin(&t, COVER_STEP);
    wire_put(&t, r, sizeof *r);
    say(c, &t);
    if (clock_now() - c->mapped < MAP_SECONDS)
        return;
    say_map(c, COVER_MAP, r);
    c->mapped = clock_now();
}

// The only message of the parent is COVER_YIELD.
static bool told_to_stop(const struct covering *c)
{
    struct pollfd p = {.fd = c->fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

static bool stop(void *self)
{
    const struct covering *c = self;
    return told_to_stop(c) || native_tainted(c->trial->subject.native);
}

// Begin with these schedules.  With --report, or after a bug that ends the
// search, they are all that is looked at.
static void cover_from(struct covering *c, const schedule_list *first)
{
    struct look look = look_native(c->trial->subject.native);
    struct cover_sink sink = {.self = c,
                              .bug = covering_tell_bug,
                              .execution = tell_step,
                              .infeasible = covering_tell_odd,
                              .stop = stop};
    VEC(const struct schedule *) extra = {0};
    bool only = c->report || (c->found && !c->o.keep_going);
    if (only && !first->n)
        return;
    for (uint32_t i = 0; i < first->n; i++)
        vec_push(&extra, (const struct schedule *)&first->at[i]);
    if (only)
        c->o.budget = first->n;
    cover(c->trial->subject.play, &c->o, &look, extra.at, extra.n, &sink,
          &c->known, &c->result);
    vec_free(&extra);
}

static void child(void *self, int fd)
{
    struct covering *c = self;
    schedule_list first = {0};
    c->fd = fd;
    c->mapped = clock_now();
    c->result = (struct cover_result){0};
    if (!subject_open(&c->trial->subject, &c->trial->session->diag)) {
        diag_print(&c->trial->session->diag, stderr);
        say_text(c, COVER_FAILED, "");
        return;
    }
    if (!c->resumed)
        covering_begin(c, &first);
    cover_from(c, &first);
    if (c->found && !c->o.keep_going)
        c->result.stopped_by = STOP_BUG;
    else if (c->report)
        c->result.stopped_by = STOP_DONE;
    bool again = c->result.stopped_by == STOP_ASKED && !told_to_stop(c);
    say_map(c, again ? COVER_AGAIN : COVER_END, &c->result);
}

// ---- in the parent --------------------------------------------------------

static void show(struct covering *c)
{
    const struct cover_result *r = &c->result;
    struct text note = {0};
    text_add(&note, " covered ");
    for (int cr = 0; cr < CRITERIA_N; cr++)
        if (c->o.criteria[cr])
            text_format(&note, "  %s %llu/%llu",
                        criterion_id((enum criterion)cr),
                        (unsigned long long)r->counts[cr].covered,
                        (unsigned long long)(r->counts[cr].goals -
                                             r->counts[cr].impossible));
    struct progress_now n = {.strategy = criterion_id(r->criterion),
                             .executions = r->executions,
                             .bugs = c->trial->findings.list.n,
                             .estimate = -1,
                             .part = -1,
                             .seconds = r->seconds,
                             .of_seconds = c->trial->subject.explore.seconds,
                             .workers = 1,
                             .note = text_get(&note)};
    progress_show(c->progress, &n);
    text_free(&note);
}

// The sum of what earlier children and this one did.
static struct cover_result sum(const struct cover_result *a,
                               const struct cover_result *b)
{
    struct cover_result r = *b;
    r.executions += a->executions;
    r.initial_schedules += a->initial_schedules;
    r.generated += a->generated;
    r.infeasible += a->infeasible;
    r.cut += a->cut;
    r.missed += a->missed;
    r.idle += a->idle;
    r.sources += a->sources;
    r.bugs += a->bugs;
    r.seconds += a->seconds;
    return r;
}

// How it stands with a child.
enum state { GOES_ON, ENDED, GO_AGAIN, FAILED, LOST };

struct run {
    struct child child;
    struct wire_in in;
    struct cover_result before;
    double asked; // when the child was told to stop, 0: it was not
};

static bool take_result(struct covering *c, const struct run *r,
                        struct wire_reader *in)
{
    struct cover_result now;
    wire_get(in, &now, sizeof now);
    if (!in->bad)
        c->result = sum(&r->before, &now);
    return !in->bad;
}

static bool take_map(struct covering *c, const struct run *r,
                     struct wire_reader *in)
{
    if (!take_result(c, r, in))
        return false;
    const char *map = wire_get_string(in);
    if (!map || !wire_done(in))
        return false;
    coverage_read(&c->known, map);
    c->kept = c->result;
    return true;
}

// Take a message; LOST if it cannot be read.
static enum state take(struct covering *c, const struct run *r,
                       struct wire_message *m)
{
    enum cover_word word = m->kind;
    const char *text = NULL;
    switch (word) {
    case COVER_BUG:
        text = wire_get_string(&m->body);
        progress_clear(c->progress);
        if (text)
            trial_take(c->trial, text, c->result.executions + 1);
        return text ? GOES_ON : LOST;
    case COVER_ODD:
        text = wire_get_string(&m->body);
        if (text)
            vec_push(&c->odd,
                     (const char *)arena_text(&c->trial->session->arena, text));
        return text ? GOES_ON : LOST;
    case COVER_STEP:
        if (!take_result(c, r, &m->body))
            return LOST;
        curve_add(&c->curve, &c->result);
        show(c);
        return GOES_ON;
    case COVER_MAP:
        return take_map(c, r, &m->body) ? GOES_ON : LOST;
    case COVER_AGAIN:
        return take_map(c, r, &m->body) ? GO_AGAIN : LOST;
    case COVER_END:
        return take_map(c, r, &m->body) ? ENDED : LOST;
    case COVER_FAILED:
        return FAILED;
    case COVER_YIELD:
        break;
    }
    return LOST;
}

enum { POLL_MS = 100, GRACE_SECONDS = 3, HUNG_SECONDS = 60 };

// Wait until there is something to read.  After an interruption tell the child
// to stop; it has some time to send its coverage.
static bool wait_for(struct run *r)
{
    struct pollfd p = {.fd = r->child.fd, .events = POLLIN};
    double began = clock_now();
    for (;;) {
        int ready = poll(&p, 1, POLL_MS);
        if (interrupted() && r->asked == 0) {
            struct text t = {0};
            wire_begin(&t, COVER_YIELD);
            wire_send(r->child.fd, &t);
            text_free(&t);
            r->asked = clock_now();
        }
        if (ready > 0)
            return true;
        if ((r->asked > 0 && clock_now() - r->asked > GRACE_SECONDS) ||
            clock_now() - began > HUNG_SECONDS)
            return false;
    }
}

static enum state follow(struct covering *c, struct run *r)
{
    struct wire_message m;
    enum state e = GOES_ON;
    while (e == GOES_ON) {
        enum wire_state s = wire_next(&r->in, &m);
        if (s == WIRE_HERE)
            e = take(c, r, &m);
        else if (s == WIRE_BAD || !wait_for(r) ||
                 !wire_receive(r->child.fd, &r->in))
            e = LOST;
    }
    return e;
}

static enum state run_child(struct covering *c)
{
    struct run r = {.before = c->kept};
    struct child_plan plan = {
        .body = child, .self = c, .signals = CHILD_IGNORES};
    c->result = c->kept;
    if (!child_start(&r.child, &plan))
        die("no process to cover in: %s", strerror(errno));
    enum state e = follow(c, &r);
    if (e == LOST && !interrupted())
        c->result = c->kept;
    child_kill(&r.child);
    wire_free(&r.in);
    return e;
}

// The budget that is left for another child; false if nothing is.
static bool go_on(struct covering *c)
{
    const struct cover_result *r = &c->result;
    uint64_t budget = c->o.budget;
    c->o.seconds = c->trial->subject.explore.seconds - r->seconds;
    c->o.seed = c->trial->subject.explore.seed + r->executions;
    c->resumed = r->executions > 0;
    if (budget && r->executions >= budget)
        c->result.stopped_by = STOP_SCHEDULES;
    else if (c->trial->subject.explore.seconds > 0 && c->o.seconds <= 0)
        c->result.stopped_by = STOP_TIME;
    else
        return true;
    return false;
}

enum { MOST_LOSSES = 5 }; // in a row

bool covering_run(struct covering *c)
{
    uint64_t budget = c->o.budget, done = 0;
    uint32_t losses = 0;
    enum state e;
    do {
        c->o.budget = budget ? budget - c->kept.executions : 0;
        e = run_child(c);
        c->o.budget = budget;
        losses = e != LOST || c->kept.executions > done ? 0 : losses + 1;
        done = c->kept.executions;
        c->trial->subject.isolate |= e == LOST;
    } while ((e == GO_AGAIN || (e == LOST && losses < MOST_LOSSES)) &&
             !interrupted() && go_on(c));
    if (interrupted())
        c->result.stopped_by = STOP_ASKED;
    return e != FAILED && (e != LOST || interrupted());
}

void covering_free(struct covering *c)
{
    for (uint32_t i = 0; i < c->from.n; i++)
        case_release(&c->from.at[i].c);
    vec_free(&c->from);
    coverage_free(&c->known);
    vec_free(&c->curve.points);
    vec_free(&c->odd);
}
