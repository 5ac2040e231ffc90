// gdb runs this tool once more and stops in troupe_next_step() before the step
// that matters.  Only then it sets the breakpoint in the program, because the
// handler may have run before, for other steps.
//
// Where to stop is found out beforehand, by following the case in a child.  If
// the bug has a place in the source, gdb stops there.  If nobody handles a
// message, gdb stops where the message is sent.
#include "cli/gdb.h"

#include "base/text.h"
#include "cases/describe.h"
#include "cases/replay.h"
#include "cli/open_case.h"
#include "cli/shell/command.h"
#include "program/program.h"
#include "stage/native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) void troupe_next_step(const char *step)
{
    fflush(stdout);
    fprintf(stderr, "troupe: next is %s\n", step);
    __asm__ volatile("");
}

// ---- where to stop --------------------------------------------------------

struct stopping {
    const struct test_case *c;
    bool given;  // the user names the step
    uint32_t at; // the step
};

static void handler_place(struct subject *s, uint32_t state, uint32_t msg,
                          struct text *to)
{
    bool resumes;
    uintptr_t pc = native_next_pc(s->native, state, msg, &resumes);
    struct where w = program_where(s->program, pc);
    if (resumes && pc)
        text_format(to, "*%#lx", (unsigned long)pc);
    else if (pc && w.file && w.function)
        text_format(to, "%s:%s", w.file, w.function);
}

// The state of the step's actor before it.
static uint32_t state_before(struct subject *s, const struct test_case *c,
                             const struct replay *whole, uint32_t at)
{
    struct replay r = {0};
    uint32_t actor = whole->schedule.steps.at[at].actor;
    uint32_t receives = 0, seen = 0, n = 0;
    for (uint32_t i = 0; i < at; i++)
        receives += whole->schedule.steps.at[i].msg != PLAY_NONE;
    for (; n < c->steps.n; n++) {
        bool body = words_is_body(&c->steps.at[n]);
        if (!body && seen++ == receives)
            break;
    }
    replay_words(s->play, s->explore.delivery, c->steps.at, n, &r);
    uint32_t state = actor < r.states.n ? r.states.at[actor] : PLAY_NONE;
    replay_free(&r);
    return state;
}

// Where the code of step `at` begins; "" if that is not known.
static void step_place(struct subject *s, const struct test_case *c,
                       const struct replay *r, uint32_t at, struct text *to)
{
    if (at >= r->schedule.steps.n)
        return;
    const struct step *st = &r->schedule.steps.at[at];
    uint32_t state;
    if (st->msg == PLAY_NONE) {
        if (!at)
            text_format(to, "%s:%d", s->test->file, s->test->line);
    } else if ((state = state_before(s, c, r, at)) != PLAY_NONE) {
        handler_place(s, state, st->msg, to);
    }
}

static const struct trace_send *send_of(const struct trace *t,
                                        const struct trace_step *st)
{
    const struct trace_step *from = &t->steps.at[st->sent_at];
    for (uint32_t i = 0; i < from->sends.n; i++)
        if (from->sends.at[i].number == st->number && from->sends.at[i].line)
            return &from->sends.at[i];
    return NULL;
}

// The step that sent what the last one received, and the line of the send.
static bool send_place(struct subject *s, const struct test_case *c,
                       const struct replay *r, struct stopping *stop,
                       struct text *to)
{
    struct arena a = {0};
    struct text code = {0};
    struct describe d = {0};
    struct trace *t = trace_make(&a, s->play, &r->schedule, &d);
    const struct trace_step *last = &vec_last(&t->steps);
    const struct trace_send *send =
        last->sent_at != PLAY_NONE ? send_of(t, last) : NULL;
    if (send) {
        stop->at = last->sent_at;
        step_place(s, c, r, stop->at, &code);
        const char *colon = strrchr(text_get(&code), ':');
        int n = colon ? (int)(colon - text_get(&code)) : 0;
        text_format(to, "%.*s:%u", n ? n : (int)strlen(s->test->file),
                    n ? text_get(&code) : s->test->file, send->line);
    }
    text_free(&code);
    trace_release(t);
    arena_free(&a);
    return send;
}

// The reply: the step, and where to stop in it, on two lines.
static void stop_job(struct subject *s, void *arg, struct text *reply)
{
    struct stopping stop = *(const struct stopping *)arg;
    const struct test_case *c = stop.c;
    struct replay r = {0};
    struct text place = {0};
    replay_words(s->play, s->explore.delivery, c->steps.at, c->steps.n, &r);
    uint32_t n = r.schedule.steps.n;
    bool unwanted = c->bug.kind == BUG_UNHANDLED || c->bug.kind == BUG_STOPPED;
    if (!stop.given)
        stop.at = r.bugs.n ? vec_last(&r.bugs).step : n ? n - 1 : 0;
    bool found = !stop.given && !c->bug.file && unwanted && n &&
                 send_place(s, c, &r, &stop, &place);
    if (!found && !stop.given && c->bug.file)
        text_format(&place, "%s:%d", c->bug.file, c->bug.line);
    else if (!found)
        step_place(s, c, &r, stop.at, &place);
    text_format(reply, "%u\n%s", stop.at, text_get(&place));
    text_free(&place);
    replay_free(&r);
}

// ---- gdb ------------------------------------------------------------------

static void add_all(struct args *a, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(a, words[i]);
}

static int run(struct open_case *k, const char *self, const char *at,
               const char *place)
{
    struct session *s = k->trial.session;
    struct args argv = {0};
    const char *const first[] = {
        "gdb", "-q",
        "-ex", "set confirm off",
        "-ex", "set breakpoint pending on",
        "-ex", "handle SIGPROF SIGALRM nostop noprint pass",
        "-ex", "tbreak troupe_next_step",
        "-ex", "run"};
    add_all(&argv, first, sizeof first / sizeof *first);
    if (*place) {
        const char *const then[] = {"-ex",
                                    arena_format(&s->arena, "tbreak %s", place),
                                    "-ex", "continue"};
        add_all(&argv, then, sizeof then / sizeof *then);
    }
    const char *const last[] = {
        "--args", self,        "replay",
        k->path,  "--no-fork", arena_format(&s->arena, "--break=%s", at)};
    add_all(&argv, last, sizeof last / sizeof *last);
    vec_push(&argv, NULL);
    fflush(stdout);
    execvp("gdb", (char *const *)(uintptr_t)argv.at);
    vec_free(&argv);
    diag_set(&s->diag, EXIT_USAGE, "gdb cannot be run: %s", strerror(errno));
    return s->diag.status; // the caller prints it
}

int gdb_exec(struct open_case *k)
{
    struct session *s = k->trial.session;
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0 || !command_path(&s->arena, "gdb")) {
        diag_set(&s->diag, EXIT_USAGE, "gdb is not installed");
        return s->diag.status; // the caller prints it
    }
    self[n] = '\0';
    struct stopping stop = {.c = &k->c,
                            .given = option_given(s->options, OPT_break)};
    struct text reply = {0};
    if (stop.given)
        stop.at = (uint32_t)option_number(s->options, OPT_break);
    if (!subject_apart(&k->trial.subject, stop_job, &stop, &reply, &s->diag)) {
        text_free(&reply);
        return s->diag.status; // the caller prints it
    }
    char *at = arena_text(&s->arena, text_get(&reply));
    char *place = at + strcspn(at, "\n");
    if (*place)
        *place++ = '\0';
    text_free(&reply);
    return run(k, self, at, place);
}
