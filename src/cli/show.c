// troupe show: a case as a report, as C source, or for other programs.
#include "base/json.h"
#include "base/text.h"
#include "cases/c_source.h"
#include "cli/shell/command.h"
#include "cli/kept_call.h"
#include "cli/open_case.h"
#include "cli/page_write.h"
#include "cases/replay.h"
#include "report/diagram.h"
#include "report/page.h"
#include "report/terminal.h"

#include <string.h>

typedef void picture(const struct trace *t, struct text *to);

static picture *picture_of(const struct options *o)
{
    if (option_flag(o, OPT_mermaid))
        return diagram_mermaid;
    if (option_flag(o, OPT_plantuml))
        return diagram_plantuml;
    if (option_flag(o, OPT_shiviz))
        return diagram_shiviz;
    if (option_flag(o, OPT_perfetto))
        return diagram_perfetto;
    return NULL;
}

static int write_out(struct session *s, struct text *t, int status)
{
    const char *path = option_text(s->options, OPT_out);
    const char *json = option_text(s->options, OPT_json);
    if (!path && json && strcmp(json, "-") == 0)
        return status; // stdout is taken
    if (!session_write(s, path ? path : "-", t))
        return s->diag.status; // the caller prints it
    return status;
}

// The case as on a page: its bug, its report, its steps, its race.
static bool show_json(struct session *s, const struct open_case *k,
                      const struct confirmed *f)
{
    struct text t = {0};
    struct json j;
    if (!session_json_begin(s, &j, &t))
        return true;
    json_text(&j, "path", k->path);
    json_array(&j, "tests");
    page_case_json(&k->trial.subject, &k->c, f, k->name, &j);
    json_end(&j);
    return session_json_end(s, &j);
}

static int show_program(struct session *s, struct open_case *k, struct text *t)
{
    struct case_view v = {.name = s->words.n ? s->words.at[0] : NULL,
                          .passing = true,
                          .colour = session_colour(s, stdout)};
    if (option_text(s->options, OPT_out))
        v.colour = false;
    else
        v.width = terminal_width(stdout);
    picture *draw = picture_of(s->options);
    struct confirmed f;
    if (!open_case_load(k, s))
        return s->diag.status; // the caller prints it
    confirm_apart(&k->trial.subject, &k->c, CONFIRM_LOOSELY, &f, &s->diag);
    if (f.outcome == CONFIRM_LOST)
        return s->diag.status; // the caller prints it
    if (option_given(s->options, OPT_html)) {
        bool ok = page_write_case(s, k, &f);
        confirmed_release(&f);
        return ok ? EXIT_GOOD : s->diag.status;
    }
    if (draw)
        draw(f.trace, t);
    else
        case_text(&k->trial.subject, &k->c, &f, &v, t);
    bool told = show_json(s, k, &f);
    confirmed_release(&f);
    return told ? write_out(s, t, EXIT_GOOD) : s->diag.status;
}

int cmd_show(struct session *s)
{
    static const enum option_id others[] = {OPT_test, OPT_html};
    if (!session_json_without(s, others, sizeof others / sizeof *others))
        return s->diag.status; // the caller prints it
    if (kept_call_given(s))
        return kept_call_show(s);
    struct open_case k;
    struct text t = {0};
    int status;
    if (option_flag(s->options, OPT_test)) {
        if (!open_case_read(&k, s))
            return s->diag.status; // the caller prints it
        case_source(&k.c, option_text(s->options, OPT_header), &t);
        status = write_out(s, &t, EXIT_GOOD);
    } else {
        status = show_program(s, &k, &t);
    }
    text_free(&t);
    open_case_close(&k);
    return status;
}
