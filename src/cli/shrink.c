// troupe shrink: a shorter schedule with the same bug.
#include "base/json.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/kept_call.h"
#include "cli/open_case.h"
#include "cases/replay.h"

#include <string.h>

struct shrink {
    const struct test_case *c;
    double seconds;
};

// The reply: BETTER and the case, LEAST, PASSES, or MISFIT and why.
enum { BETTER = 'b', LEAST = 'l', PASSES = 'p', MISFIT = 'm' };

static void shrink_job(struct subject *s, void *arg, struct text *reply)
{
    const struct shrink *q = arg;
    struct arena a = {0};
    struct replay r = {0};
    struct schedule better = {0};
    struct test_case c = *q->c;
    enum delivery d = s->explore.delivery;
    if (!replay_words(s->play, d, q->c->steps.at, q->c->steps.n, &r)) {
        text_format(reply, "%cstep %u does not fit any more: %s", MISFIT,
                    r.at + 1, text_get(&r.why));
        return;
    }
    const struct bug *bug = confirm_bug(q->c, &r);
    if (!bug) {
        text_char(reply, PASSES);
        return;
    }
    c.bug = *bug; // one that was recorded, or written by hand, tells less of it
    if (!schedule_shrink(s->play, d, &r.schedule, bug, q->seconds, &better)) {
        text_char(reply, LEAST);
        return;
    }
    memset(&c.steps, 0, sizeof c.steps);
    memset(&c.sends, 0, sizeof c.sends);
    memset(&c.labels, 0, sizeof c.labels);
    subject_describe(s, &a, &c, &better);
    text_char(reply, BETTER);
    case_print(&c, reply);
}

// How it ended, and how many steps the case had and has.
static int say(struct session *s, const struct open_case *k, const char *how,
               uint32_t steps)
{
    struct text t = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return EXIT_GOOD;
    json_text(&j, "case", k->path);
    json_text(&j, "outcome", how);
    json_number(&j, "steps_before", k->c.steps.n);
    json_number(&j, "steps", steps);
    return session_json_end(s, &j) ? EXIT_GOOD : s->diag.status;
}

// Write the better case over the old one.
static int keep(struct session *s, const struct open_case *k, const char *text)
{
    struct test_case c;
    if (!case_parse(&s->arena, k->path, text, &c, &s->diag) ||
        !case_write(&c, k->path, &s->diag))
        return s->diag.status; // the caller prints it
    if (c.steps.n < k->c.steps.n)
        fprintf(session_say(s), "troupe: %s: %u steps, %u before\n", k->path,
                c.steps.n, k->c.steps.n);
    else
        fprintf(session_say(s),
                "troupe: %s: %u steps, fewer messages out of order than "
                "before\n",
                k->path, c.steps.n);
    uint32_t steps = c.steps.n;
    case_release(&c);
    return say(s, k, "better", steps);
}

static int take(struct session *s, const struct open_case *k, const char *reply)
{
    if (*reply == BETTER)
        return keep(s, k, reply + 1);
    if (*reply == MISFIT) {
        diag_at(&s->diag, EXIT_USAGE, k->path, 0, "%s", reply + 1);
        return s->diag.status; // the caller prints it
    }
    if (*reply == PASSES)
        fprintf(session_say(s),
                "troupe: %s: the test passes, there is nothing to shorten\n",
                k->path);
    else
        fprintf(session_say(s), "troupe: %s: %u steps, nothing shorter found\n",
                k->path, k->c.steps.n);
    return say(s, k, *reply == PASSES ? "passes" : "least", k->c.steps.n);
}

int cmd_shrink(struct session *s)
{
    if (kept_call_given(s))
        return kept_call_shrink(s);
    struct open_case k;
    if (!open_case_load(&k, s))
        return s->diag.status; // the caller prints it
    struct shrink q = {&k.c,
                       (double)option_duration(s->options, OPT_time) * 1e-9};
    struct text reply = {0};
    k.trial.subject.isolate = true;
    int status =
        subject_apart(&k.trial.subject, shrink_job, &q, &reply, &s->diag)
            ? take(s, &k, text_get(&reply))
            : s->diag.status; // the caller prints it
    text_free(&reply);
    open_case_close(&k);
    return status;
}
