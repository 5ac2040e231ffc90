// A search's result as the lines that end it on the terminal.
#include "report/result.h"

#include "base/command.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "cases/trace.h"
#include "report/bug.h"
#include "explore/sample_units.h"
#include "report/progress.h"

#include "troupe.h"

#include <math.h>
#include <string.h>

// ---- the end of a search --------------------------------------------------

// The first bug that fails the test.
static const struct finding *first_failure(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (finding_fails(&f->list.at[i]))
            return &f->list.at[i];
    return NULL;
}

static void add_amount(const struct search_result *r, struct text *to)
{
    bool states = strategy_by_state(r->strategy);
    uint64_t n = states ? r->figures.states : r->figures.executions;
    char buffer[32];
    text_format(to, "%s %s%s", progress_count(buffer, n),
                states ? "state" : "schedule", n == 1 ? "" : "s");
    if (states && !r->figures.complete && r->figures.growth > 0)
        text_format(to, " (of the last receives %.0f %% led to new ones)",
                    100 * r->figures.growth);
}

// The part that was explored, 0..1; < 0 if nobody knows.
static double part_of(const struct search_result *r)
{
    double n = (double)r->figures.executions;
    return r->figures.estimate > n && !strategy_by_state(r->strategy)
               ? n / r->figures.estimate
               : -1;
}

// "18G to 40G; ": nine times of ten the number of schedules lies between.
static void add_spread(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    char a[32], b[32];
    if (x->estimate_high <= 0)
        return;
    progress_about(a, x->estimate_low);
    progress_about(b, x->estimate_high);
    if (strcmp(a, b) != 0)
        text_format(to, "%s to %s; ", a + strlen("~"), b + strlen("~"));
}

static void add_percent(double part, struct text *to)
{
    double percent = 100 * part;
    if (percent < 0.01)
        text_add(to, "less than 0.01 %");
    else
        text_format(to, percent < 10 ? "%.2g %%" : "%.0f %%", percent);
}

// "1,234 of ~25G schedules (0.05 %)"
static void add_amount_of(const struct search_result *r, struct text *to)
{
    double part = part_of(r);
    char a[32], b[32];
    if (part < 0) {
        add_amount(r, to);
        return;
    }
    text_format(to, "%s of %s schedules (",
                progress_count(a, r->figures.executions),
                progress_about(b, r->figures.estimate));
    add_spread(r, to);
    add_percent(part, to);
    text_char(to, ')');
}

static void add_limit(const struct search_result *r, struct text *to)
{
    char a[32];
    text_format(to, "stopped at the limit of %s schedules (--schedules)",
                progress_count(a, r->of.subject->explore.schedules));
    if (part_of(r) < 0)
        return;
    text_format(to, ", %s in all (", progress_about(a, r->figures.estimate));
    add_spread(r, to);
    add_percent(part_of(r), to);
    text_char(to, ')');
}

void result_ticks(const struct search_result *r, const char *before,
                  struct text *to)
{
    uint32_t ticks = ticks_bound(r->of.subject->explore.ticks);
    if (r->figures.rested)
        text_format(to, "%s%u tick%s", before, ticks, ticks == 1 ? "" : "s");
}

// How it ended, and how far it came.
static void add_end(const struct search_result *r, struct text *to)
{
    const struct finding *first = first_failure(r->of.findings);
    enum stop why = r->figures.stopped_by;
    char a[32];
    if (r->figures.complete) {
        text_add(to, "complete");
        result_ticks(r, " within ", to);
        text_add(to, ": ");
        add_amount(r, to);
    } else if (why == STOP_BUG) {
        text_add(to, stop_text(why));
        if (first && first->nth && !strategy_by_state(r->strategy))
            text_format(to, ", in schedule %s", progress_count(a, first->nth));
    } else if (why == STOP_SCHEDULES) {
        add_limit(r, to);
    } else if (why == STOP_SAMPLED) {
        add_amount(r, to);
        text_add(to, " tried");
    } else {
        text_format(to, "%s after ", stop_text(why));
        add_amount_of(r, to);
    }
}

static void add_failures(const struct findings *f, struct text *to)
{
    text_add(to, "FAILED: ");
    for (uint32_t i = 0; i < f->list.n; i++)
        if (finding_fails(&f->list.at[i]))
            text_format(to, "%s (bug %s), ",
                        bug_kind_id(f->list.at[i].c.bug.kind),
                        f->list.at[i].id);
}

static void add_verdict(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    char a[32];
    if (r->estimated && !x->complete) {
        text_format(to, "%s schedules estimated",
                    progress_about(a, x->estimate));
        struct text spread = {0};
        add_spread(r, &spread);
        if (spread.n)
            text_format(to, " (%.*s)", (int)(spread.n - strlen("; ")),
                        text_get(&spread));
        text_free(&spread);
    } else if (findings_failed(r->of.findings)) {
        add_failures(r->of.findings, to);
        add_end(r, to);
    } else if (x->stopped_by == STOP_REFUSED) {
        text_format(to, "not explored: %s", stop_text(STOP_REFUSED));
    } else if (x->stopped_by == STOP_ASKED) {
        text_add(to, "interrupted; no bug found so far, after ");
        add_amount_of(r, to);
    } else {
        text_add(to, x->complete                   ? "ok, "
                     : x->stopped_by == STOP_LIMIT ? "not complete, "
                                                   : "no bug found; ");
        add_end(r, to);
    }
}

// Reasons that weaken the verdict of every program are told in JSON only.  A
// bug that was found is certain: then nothing is told.
void result_text_weakened(const struct result *r, struct text *to)
{
    if (findings_failed(r->findings))
        return;
    for (uint32_t i = 0; i < r->weakened.n_own; i++)
        text_format(to, "%s%s", i ? ", " : "; weaker: ", r->weakened.at[i]);
}

// Of a search by several strategies that did not complete: what the others
// made.
static void add_shares(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    bool first = true;
    char a[32];
    if (x->complete || findings_failed(r->of.findings))
        return;
    for (int s = 0; s < STRATEGIES_N; s++) {
        if (!x->share[s] || s == (int)r->strategy ||
            strategy_by_state((enum strategy)s))
            continue;
        text_format(to, "%s %s %s", first ? " and" : ",",
                    strategy_id((enum strategy)s),
                    progress_count(a, x->share[s]));
        first = false;
    }
}

double result_chance(const struct search_result *r)
{
    double n = (double)r->figures.states;
    return ldexp(n * n, -129);
}

static void add_details(const struct search_result *r, struct text *to)
{
    const struct explore_result *x = &r->figures;
    const struct explore_options *o = &r->of.subject->explore;
    char a[32];
    text_format(to, ", %s", strategy_id(r->strategy));
    if (r->strategy == STRATEGY_REDUCED)
        text_add(to, " (final states and failures)");
    add_shares(r, to);
    text_format(to, ", delivery %s", delivery_id(o->delivery));
    if (r->estimated && !x->complete)
        return;
    if (strategy_samples(r->strategy))
        text_format(to, ", seed 0x%llx", (unsigned long long)o->seed);
    if (x->blocked)
        text_format(to, ", %s blocked", progress_count(a, x->blocked));
    if (x->ruled_out)
        text_format(to, ", %s finding%s ruled out by the clock",
                    progress_count(a, x->ruled_out),
                    x->ruled_out == 1 ? "" : "s");
    if (!x->complete)
        result_ticks(r, ", at most ", to);
    if (x->cut)
        text_format(to, ", %s cut at %u steps", progress_count(a, x->cut),
                    o->steps);
}

// ---- what else there is to say --------------------------------------------

static bool has_cycle(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++)
        if (f->list.at[i].c.bug.kind == BUG_CYCLE)
            return true;
    return false;
}

// Did an actor fail in the middle of a handler?
static bool has_failed_actor(const struct findings *f)
{
    for (uint32_t i = 0; i < f->list.n; i++) {
        const struct trace *t = f->list.at[i].confirmed.trace;
        for (uint32_t a = 0; t && a < t->actors.n; a++)
            if (t->actors.at[a].flags & STATE_CRASHED)
                return true;
    }
    return false;
}

static void add_hints(const struct search_result *r, struct text *to)
{
    const char *test = r->of.subject->test->name;
    const struct explore_result *x = &r->figures;
    if (x->stopped_by == STOP_STEPS && !strategy_by_state(r->strategy) &&
        r->of.subject->explore.strategy != STRATEGY_AUTO &&
        !has_cycle(r->of.findings))
        text_format(to,
                    "troupe: %s: hint: --strategy=stateful can tell whether it "
                    "goes on for ever\n",
                    test);
    if (x->stopped_by == STOP_ASKED && r->resumable)
        text_format(to, "troupe: %s: hint: continue with explore --resume\n",
                    test);
    if (r->of.subject->explore.keep_going && has_failed_actor(r->of.findings))
        text_format(to,
                    "troupe: %s: note: an actor whose handler failed receives "
                    "nothing more in that schedule\n",
                    test);
}

static void add_warnings(const struct result *r, struct text *to)
{
    const struct findings *f = r->findings;
    for (uint32_t i = 0; i < f->list.n; i++)
        if (f->list.at[i].c.bug.warning)
            text_format(to, "troupe: %s: warning: %s (%s; %s show %s)\n",
                        r->subject->test->name, f->list.at[i].c.bug.text,
                        bug_kind_id(f->list.at[i].c.bug.kind), command_typed(),
                        f->list.at[i].name ? f->list.at[i].name
                                           : f->list.at[i].id);
}

static void add_known(const struct result *r, struct text *to)
{
    for (uint32_t i = 0; i < r->findings->list.n; i++) {
        const struct finding *f = &r->findings->list.at[i];
        if (f->known && !f->c.bug.warning)
            text_format(to, "troupe: %s: known bug %s: %s (%s)\n",
                        r->subject->test->name, f->id, f->c.bug.text,
                        bug_kind_id(f->c.bug.kind));
    }
}

void result_text(const struct search_result *r, struct text *to)
{
    text_format(to, "troupe: %s: ", r->of.subject->test->name);
    add_verdict(r, to);
    add_details(r, to);
    result_text_weakened(&r->of, to);
    text_char(to, '\n');
    add_hints(r, to);
    add_known(&r->of, to);
    add_warnings(&r->of, to);
}

enum result_verdict result_verdict(const struct search_result *r)
{
    return findings_failed(r->of.findings)         ? RESULT_FAILED
           : r->figures.stopped_by == STOP_REFUSED ? RESULT_REFUSED
           : r->figures.complete                   ? RESULT_PASSED
                                                   : RESULT_INCOMPLETE;
}

void result_part(const struct search_result *r, struct text *to)
{
    char a[32];
    if (r->estimated || part_of(r) < 0)
        return;
    add_percent(part_of(r), to);
    text_format(to, " of about %s",
                progress_about(a, r->figures.estimate) + strlen("~"));
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
        .told_of = v->told_of,
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
    struct case_view v = {.name = view->told_of ? f->path : f->name,
                          .nth = f->nth,
                          .told_of = view->told_of,
                          .colour = view->colour,
                          .width = view->width};
    case_text(s, &f->c, &f->confirmed, &v, to);
}
