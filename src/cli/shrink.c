// troupe shrink: a shorter schedule with the same bug.
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/open_case.h"
#include "cases/replay.h"

#include <string.h>

struct shrink {
    const struct test_case *c;
    double seconds;
};

static int shrink_job(struct hunt *h, void *arg, struct text *out)
{
    const struct shrink *s = arg;
    struct arena a = {0};
    struct replay r = {0};
    struct schedule shorter = {0};
    struct test_case c = *s->c;
    if (!replay_words(h->play, h->explore.delivery, case_words(&a, s->c),
                      s->c->steps.n, &r)) {
        text_format(out, "step %u does not fit any more: %s", r.at + 1,
                    text_get(&r.why));
        return EXIT_USAGE;
    }
    if (!schedule_shrink(h->play, h->explore.delivery, &r.schedule, &c.bug,
                         s->seconds, &shorter))
        return EXIT_NO_ANSWER;
    memset(&c.steps, 0, sizeof c.steps);
    memset(&c.sends, 0, sizeof c.sends);
    hunt_describe(h, &a, &c, &shorter);
    case_print(&c, out);
    return EXIT_GOOD;
}

int cmd_shrink(struct session *s)
{
    struct kept k;
    if (!kept_open(&k, s))
        return s->diag.status; // the caller prints it
    struct shrink q = {&k.c,
                       (double)option_duration(s->options, OPT_time) * 1e-9};
    struct text t = {0};
    struct test_case shorter;
    k.hunt.isolate = true;
    int status = hunt_apart(&k.hunt, shrink_job, &q, &t);
    if (status == EXIT_GOOD) {
        if (!case_parse(&s->arena, k.path, text_get(&t), &shorter, &s->diag) ||
            !case_write(&shorter, k.path, &s->diag))
            return s->diag.status; // the caller prints it
        printf("troupe: %s: %u steps, %u before\n", k.path, shorter.steps.n,
               k.c.steps.n);
        case_release(&shorter);
    } else if (status == EXIT_NO_ANSWER) {
        printf("troupe: %s: %u steps, nothing shorter found\n", k.path,
               k.c.steps.n);
        status = EXIT_GOOD;
    } else {
        diag_at(&s->diag, status, k.path, 0, "%s", text_get(&t));
        status = s->diag.status;
    }
    text_free(&t);
    kept_close(&k);
    return status;
}
