// A child may end before the search does, because the program crashed inside
// libc and its process is not to be trusted any more: then another one goes on
// from the coverage that it sent, with other seeds and what is left of the
// budget.
#include "cli/cover_child.h"

#include "base/die.h"
#include "cli/shell/interrupt.h"
#include "cover/coverage_text.h"
#include "cover/record_native.h"
#include "crew/frame.h"
#include "report/progress.h"
#include "stage/native.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum cover_frame {
    COVER_BUG,   // a case
    COVER_STEP,  // the result so far
    COVER_ODD,   // a line for the user
    COVER_MAP,   // coverage
    COVER_AGAIN, // the result of a child that another one must go on from
    COVER_END    // the result
};

// ---- in the child ---------------------------------------------------------

void covering_tell_bug(void *covering, const struct bug *b,
                       const struct schedule *s)
{
    struct covering *c = covering;
    struct text t = {0};
    subject_tell(&c->trial->subject, b, s, &t);
    frame_put(c->out, COVER_BUG, text_get(&t), t.n);
    text_free(&t);
}

void covering_tell_odd(void *covering, const char *why)
{
    struct covering *c = covering;
    frame_put(c->out, COVER_ODD, why, strlen(why));
}

static void tell_step(void *self, const struct cover_result *r)
{
    struct covering *c = self;
    if (!frame_put(c->out, COVER_STEP, r, sizeof *r))
        _exit(EXIT_FAULT);
}

static bool stop(void *self)
{
    struct covering *c = self;
    return interrupted() || native_tainted(c->trial->subject.native);
}

// The schedules to begin with, and no more if that is all that is wanted.
static void cover_from(struct covering *c, const schedule_list *first)
{
    struct look look = look_native(c->trial->subject.native);
    struct cover_sink sink = {c, covering_tell_bug, tell_step,
                              covering_tell_odd, stop};
    VEC(const struct schedule *) extra = {0};
    bool only = c->report || (c->found && !c->o.keep_going);
    if (only && !first->n)
        return;
    for (uint32_t i = 0; i < first->n; i++)
        vec_push(&extra, (const struct schedule *)&first->at[i]);
    if (only)
        c->o.budget = first->n;
    cover(c->trial->subject.play, &c->o, &look, extra.at, extra.n, &sink, &c->known,
          &c->result);
    vec_free(&extra);
}

static _Noreturn void child(struct covering *c)
{
    struct text map = {0};
    schedule_list first = {0};
    if (!subject_open(&c->trial->subject, &c->trial->session->diag))
        _exit(diag_print(&c->trial->session->diag, stderr));
    if (!c->resumed)
        covering_begin(c, &first);
    cover_from(c, &first);
    if (c->found && !c->o.keep_going)
        c->result.stopped_by = STOP_BUG;
    else if (c->report)
        c->result.stopped_by = STOP_DONE;
    coverage_print(&c->known, &map);
    frame_put(c->out, COVER_MAP, text_get(&map), map.n);
    bool again = native_tainted(c->trial->subject.native) && !interrupted() &&
                 c->result.stopped_by == STOP_ASKED;
    frame_put(c->out, again ? COVER_AGAIN : COVER_END, &c->result,
              sizeof c->result);
    _exit(EXIT_GOOD);
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

// What children before did, and this one.
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

static void take_result(struct covering *c, const struct cover_result *before,
                        const struct frame *f)
{
    struct cover_result r;
    memcpy(&r, f->bytes, sizeof r);
    c->result = sum(before, &r);
}

// True: the child has no more to say.
static bool take(struct covering *c, const struct cover_result *before,
                 const struct frame *f, bool *again)
{
    struct text t = {0};
    text_bytes(&t, f->bytes, f->size);
    switch ((enum cover_frame)f->kind) {
    case COVER_BUG:
        progress_clear(c->progress);
        trial_take(c->trial, text_get(&t), c->result.executions + 1);
        break;
    case COVER_STEP:
        take_result(c, before, f);
        curve_add(&c->curve, &c->result);
        show(c);
        break;
    case COVER_ODD:
        vec_push(&c->odd, (const char *)arena_text(&c->trial->session->arena,
                                                   text_get(&t)));
        break;
    case COVER_MAP:
        coverage_read(&c->known, text_get(&t));
        break;
    case COVER_AGAIN:
    case COVER_END:
        take_result(c, before, f);
        *again = f->kind == COVER_AGAIN;
        text_free(&t);
        return true;
    }
    text_free(&t);
    return false;
}

enum { POLL_MS = 100, GRACE_MS = 3000 };

// Wait until there is something to read.  After an interruption the child is
// told, and has some time to send what it has.
static bool wait_for(int fd, pid_t pid, int *grace)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, POLL_MS) <= 0) {
        if (interrupted() && *grace == GRACE_MS)
            kill(pid, SIGINT);
        if (interrupted() && (*grace -= POLL_MS) <= 0)
            return false;
    }
    if (interrupted() && *grace == GRACE_MS) {
        kill(pid, SIGINT);
        *grace -= POLL_MS;
    }
    return true;
}

// False if the child died before its end.
static bool run_child(struct covering *c, bool *again)
{
    struct cover_result before = c->result;
    int fds[2], grace = GRACE_MS;
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
        c->result = (struct cover_result){0};
        child(c);
    }
    close(fds[1]);
    struct frames in = {0};
    struct frame f;
    bool ended = false;
    while (!ended && wait_for(fds[0], pid, &grace) && frames_fill(&in, fds[0]))
        while (!ended && frames_next(&in, &f))
            ended = take(c, &before, &f, again);
    if (!ended)
        kill(pid, SIGKILL);
    frames_free(&in);
    close(fds[0]);
    command_wait(pid);
    return ended || interrupted();
}

// What is left for another child; false if nothing is.
static bool go_on(struct covering *c)
{
    const struct cover_result *r = &c->result;
    uint64_t budget = c->o.budget;
    c->o.seconds = c->trial->subject.explore.seconds - r->seconds;
    c->o.seed = c->trial->subject.explore.seed + r->executions;
    c->resumed = true;
    if (budget && r->executions >= budget)
        c->result.stopped_by = STOP_SCHEDULES;
    else if (c->trial->subject.explore.seconds > 0 && c->o.seconds <= 0)
        c->result.stopped_by = STOP_TIME;
    else
        return true;
    return false;
}

bool covering_run(struct covering *c)
{
    uint64_t budget = c->o.budget;
    bool again, ended;
    do {
        again = false;
        c->o.budget = budget ? budget - c->result.executions : 0;
        ended = run_child(c, &again);
        c->o.budget = budget;
    } while (again && go_on(c));
    if (interrupted())
        c->result.stopped_by = STOP_ASKED;
    return ended;
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
