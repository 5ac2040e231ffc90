#include "cases/subject.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/letter.h"
#include "base/text.h"
#include "cases/describe.h"
#include "cases/replay.h"
#include "program/program.h"
#include "stage/native.h"

#include <sys/socket.h>
#include <unistd.h>

bool subject_open(struct subject *s, struct diag *d)
{
    struct native_options o = {
        .test = s->test->name,
        .params = s->params,
        .limit_ms = s->limit_ms,
        .shared = s->explore.shared,
        .isolated = s->isolate,
    };
    s->native = native_open(s->program, &o, d);
    if (!s->native)
        return false;
    s->play = play_new(native_ops(s->native), s->native, s->memory);
    return true;
}

void subject_close(struct subject *s)
{
    if (s->play)
        play_free(s->play);
    if (s->native)
        native_close(s->native);
    s->play = NULL;
    s->native = NULL;
}

const char *subject_key(const struct subject *s, struct arena *a)
{
    const struct explore_options *x = &s->explore;
    const struct program *p = s->program;
    return arena_format(a, "%016llx%016llx %s (%s) %s%s steps %u",
                        (unsigned long long)p->hash[0],
                        (unsigned long long)p->hash[1], s->test->name,
                        s->params ? s->params : "", delivery_id(x->delivery),
                        x->shared ? " shared" : "", x->steps);
}

// ---- cases ----------------------------------------------------------------

static void fill_case(const struct subject *s, struct test_case *c)
{
    const struct test_case *o = &s->origin;
    c->tool = o->tool;
    c->build = o->build;
    c->test = s->test->name;
    c->delivery = delivery_id(s->explore.delivery);
    c->shared = s->explore.shared;
    for (uint32_t i = 0; i < o->programs.n; i++)
        vec_push(&c->programs, o->programs.at[i]);
    for (uint32_t i = 0; i < o->flags.n; i++)
        vec_push(&c->flags, o->flags.at[i]);
    for (uint32_t i = 0; i < o->params.n; i++)
        vec_push(&c->params, o->params.at[i]);
}

void subject_describe(struct subject *s, struct arena *a, struct test_case *c,
                      const struct schedule *schedule)
{
    struct replay r = {0};
    struct words w = {s->native, s->play};
    struct describe d = words_describe(&w);
    replay_schedule(s->play, s->explore.delivery, schedule, false, &r);
    case_take(a, c, s->play, schedule, r.twins.at);
    struct trace *t = trace_make(a, s->play, schedule, &d);
    case_take_sends(c, t);
    trace_release(t);
    replay_free(&r);
}

enum { SHRINK_MS = 500 };

void subject_tell(struct subject *s, const struct bug *bug,
                  const struct schedule *schedule, struct text *out)
{
    struct arena a = {0};
    struct test_case c = {0};
    struct schedule shorter = {0};
    fill_case(s, &c);
    c.bug = *bug;
    bool shrunk =
        !bug->warning && schedule_shrink(s->play, s->explore.delivery, schedule,
                                         bug, SHRINK_MS * 1e-3, &shorter);
    subject_describe(s, &a, &c, shrunk ? &shorter : schedule);
    case_print(&c, out);
    case_release(&c);
    schedule_free(&shorter);
    arena_free(&a);
}

// ---- in a child -----------------------------------------------------------

// The reply begins with the exit status of what went wrong, 0 if nothing did.
static _Noreturn void serve(struct subject *s, subject_job *job, void *arg,
                            int fd)
{
    struct diag d = {0};
    struct text reply = {0};
    letter_begin(&reply);
    bool open = subject_open(s, &d);
    letter_word(&reply, (uint32_t)(open ? 0 : d.status));
    if (open) {
        job(s, arg, &reply);
    } else {
        letter_string(&reply, d.text);
        letter_string(&reply, d.hint);
    }
    letter_send(fd, &reply);
    fflush(stdout);
    _exit(0);
}

static bool take_reply(const struct text *letter, struct text *reply,
                       struct diag *d)
{
    struct reader r;
    if (letter_here(letter, &r) != 1)
        return diag_set(d, EXIT_FAULT, "the process that runs the test died");
    uint32_t status = reader_word(&r);
    if (!status) {
        text_bytes(reply, r.at, (size_t)(r.end - r.at));
        return true;
    }
    const char *what = reader_string(&r), *hint = reader_string(&r);
    d->status = (int)status;
    d->text = need_text(what ? what : "error");
    d->hint = hint ? need_text(hint) : NULL;
    return false;
}

bool subject_apart(struct subject *s, subject_job *job, void *arg,
                   struct text *reply, struct diag *d)
{
    int fds[2];
    struct text letter = {0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
        die("no socket to a replaying process");
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        die("no process to replay in");
    if (pid == 0) {
        close(fds[0]);
        serve(s, job, arg, fds[1]);
    }
    close(fds[1]);
    struct reader r;
    while (letter_here(&letter, &r) == 0 && letter_receive(fds[0], &letter))
        continue;
    close(fds[0]);
    command_wait(pid);
    bool ok = take_reply(&letter, reply, d);
    text_free(&letter);
    return ok;
}
