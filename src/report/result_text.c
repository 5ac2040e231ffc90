#include "report/result.h"

#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "report/bug.h"
#include "report/progress.h"

#include "troupe.h"

// ---- the end of a search --------------------------------------------------

// The first bug that is more than a warning.
static const struct finding *first_failure(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (!f->list.at[i].c.bug.warning)
            return &f->list.at[i];
    return NULL;
}

static bool by_chance(enum strategy s)
{
    return s == STRATEGY_RANDOM || s == STRATEGY_PCT || s == STRATEGY_POS ||
           s == STRATEGY_URW;
}

static void add_count(struct text *to, const char *before, uint64_t n,
                      const char *after)
{
    char buffer[32];
    text_format(to, "%s%s schedule%s%s", before, progress_count(buffer, n),
                n == 1 ? "" : "s", after);
}

static void add_why(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    char a[32];
    if (x->complete) {
        add_count(to, "complete: ", x->executions, "");
    } else if (x->stopped_by == STOP_BUG) {
        const struct finding *f = first_failure(r->of.findings);
        text_add(to, stop_text(x->stopped_by));
        if (f && f->nth)
            text_format(to, ", in schedule %s", progress_count(a, f->nth));
    } else if (x->stopped_by == STOP_REFUSED) {
        text_add(to, stop_text(x->stopped_by));
    } else if (x->stopped_by == STOP_SAMPLED) {
        add_count(to, "", x->executions, " tried");
    } else {
        text_add(to, stop_text(x->stopped_by));
        add_count(to, " after ", x->executions, "");
    }
}

static void add_ending(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    const struct explore_options *o = &r->of.subject->explore;
    char a[32];
    bool estimated = r->estimated && !x->complete;
    if (estimated)
        text_format(to, "%s schedules estimated",
                    progress_about(a, x->estimate));
    else
        add_why(r, to);
    text_format(to, ", %s, delivery %s", strategy_id(r->strategy),
                delivery_id(o->delivery));
    if (estimated)
        return;
    if (by_chance(r->strategy))
        text_format(to, ", seed 0x%llx", (unsigned long long)o->seed);
    if (!x->complete && x->estimate > (double)x->executions)
        text_format(to, ", %s in all", progress_about(a, x->estimate));
    if (x->blocked)
        text_format(to, ", %s blocked", progress_count(a, x->blocked));
    if (x->cut)
        text_format(to, ", %s cut at %u steps", progress_count(a, x->cut),
                    o->steps);
}

static void add_verdict(const struct search_result *r, struct text *to)
{
    const struct findings *f = r->of.findings;
    enum stop why = r->figures.stopped_by;
    if (!findings_failed(f)) {
        text_add(to, why == STOP_REFUSED                     ? "not explored, "
                     : why == STOP_LIMIT                     ? "not complete, "
                     : why == STOP_ASKED || why == STOP_LOST ? "no bug so far, "
                                                             : "ok, ");
        return;
    }
    text_add(to, "FAILED: ");
    for (uint32_t i = 0; i < f->list.n; i++)
        if (!f->list.at[i].c.bug.warning)
            text_format(to, "%s (bug %s), ",
                        bug_kind_id(f->list.at[i].c.bug.kind),
                        f->list.at[i].id);
}

static bool has_cycle(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (f->list.at[i].c.bug.kind == BUG_CYCLE)
            return true;
    return false;
}

static void add_warnings(const struct result *r, struct text *to)
{
    const struct findings *f = r->findings;
    for (uint32_t i = 0; i < f->list.n; i++)
        if (f->list.at[i].c.bug.warning)
            text_format(to, "troupe: %s: warning: %s (%s; troupe show %s)\n",
                        r->subject->test->name, f->list.at[i].c.bug.text,
                        bug_kind_id(f->list.at[i].c.bug.kind),
                        f->list.at[i].id);
}

void result_text(const struct search_result *r, struct text *to)
{
    const char *test = r->of.subject->test->name;
    text_format(to, "troupe: %s: ", test);
    add_verdict(r, to);
    add_ending(r, to);
    text_char(to, '\n');
    if (r->figures.stopped_by == STOP_STEPS &&
        r->strategy != STRATEGY_STATEFUL && !has_cycle(r->of.findings))
        text_format(to,
                    "troupe: %s: hint: --strategy=stateful can tell whether it "
                    "goes on for ever\n",
                    test);
    add_warnings(&r->of, to);
}

// ---- one case -------------------------------------------------------------

static void add_misfit(const struct test_case *c, const struct confirmed *f,
                       struct text *to)
{
    text_format(to, "The case no longer fits at step %u: ", f->at + 1);
    words_print(&c->steps.at[f->at], to);
    text_format(to, "\n%s\n", f->why);
    if (f->outcome != CONFIRM_MISFIT)
        text_add(to, "It was followed as far as it fits.\n");
    text_char(to, '\n');
}

void case_text(const struct subject *s, const struct test_case *c,
               const struct confirmed *f, const struct case_view *v,
               struct text *to)
{
    char id[9] = "";
    if (f->why)
        add_misfit(c, f, to);
    if (f->found)
        case_id(&f->bug, s->test->name, id);
    struct bug_report report = {
        .trace = f->trace,
        .bug = f->found ? &f->bug : NULL,
        .id = id,
        .test = s->test->name,
        .file = s->test->file,
        .line = s->test->line,
        .delivery = c->delivery,
        .test_params = s->params ? s->params : "",
        .name = v->name,
        .nth = v->nth,
        .race = f->race,
        .colour = v->colour,
        .width = v->width,
        .shortened = f->found,
    };
    if (f->found)
        bug_report_print(&report, to);
    else if (v->passing && f->trace)
        pass_report_print(&report, to);
}

void finding_text(const struct subject *s, const struct finding *f,
                  const struct case_view *view, struct text *to)
{
    struct case_view v = {.name = f->name,
                          .nth = f->nth,
                          .colour = view->colour,
                          .width = view->width};
    case_text(s, &f->c, &f->confirmed, &v, to);
}
