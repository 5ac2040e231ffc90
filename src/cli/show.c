// troupe show: a case as a report, as C source, or for other programs.
#include "base/text.h"
#include "cases/c_source.h"
#include "cli/shell/command.h"
#include "cli/open_case.h"
#include "cases/replay.h"
#include "report/diagram.h"

typedef void picture(const struct trace *t, struct text *to);

struct look {
    const struct test_case *c;
    picture *draw;
};

static int draw_job(struct hunt *h, void *arg, struct text *out)
{
    const struct look *l = arg;
    struct arena a = {0};
    struct replay r = {0};
    struct words w = {h->native, h->play};
    struct describe d = words_describe(&w);
    replay_words(h->play, h->explore.delivery, case_words(&a, l->c),
                 l->c->steps.n, &r);
    l->draw(trace_make(&a, h->play, &r.schedule, &d), out);
    return EXIT_GOOD;
}

static picture *picture_of(const struct options *o)
{
    if (option_flag(o, OPT_mermaid))
        return diagram_mermaid;
    if (option_flag(o, OPT_plantuml))
        return diagram_plantuml;
    if (option_flag(o, OPT_shiviz))
        return diagram_shiviz;
    return NULL;
}

static int write_out(struct session *s, struct text *t, int status)
{
    const char *path = option_text(s->options, OPT_out);
    if (!session_write(s, path ? path : "-", t))
        return s->diag.status; // the caller prints it
    return status;
}

static int show_program(struct session *s, struct kept *k, struct text *t)
{
    struct hunt_replay q = {.name = s->words.n ? s->words.at[0] : NULL,
                            .colour = session_colour(s, stdout) &&
                                      !option_text(s->options, OPT_out)};
    struct look l = {&k->c, picture_of(s->options)};
    if (!kept_open(k, s))
        return s->diag.status; // the caller prints it
    k->hunt.isolate = true;
    if (l.draw)
        return write_out(s, t, hunt_apart(&k->hunt, draw_job, &l, t));
    hunt_replay_apart(&k->hunt, &k->c, &q, t);
    return write_out(s, t, EXIT_GOOD);
}

int cmd_show(struct session *s)
{
    struct kept k;
    struct text t = {0};
    int status;
    if (option_flag(s->options, OPT_test)) {
        if (!kept_read(&k, s))
            return s->diag.status; // the caller prints it
        case_source(&k.c, &t);
        status = write_out(s, &t, EXIT_GOOD);
    } else {
        status = show_program(s, &k, &t);
    }
    text_free(&t);
    kept_close(&k);
    return status;
}
