// troupe explore: every order of messages, or as many as the budget allows.
//
// Per test: several strategies in turn (explore/portfolio.h), until one has
// seen everything or the budget is spent.  A strategy named by the user runs
// alone. Workers search, this process owns what they find.
#include "cli/search_run.h"

#include "cli/far.h"
#include "cli/results.h"
#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "report/terminal.h"

#include "troupe.h"

// What came of it, on the terminal if there is one; and the words again, in a.
static const char *say_result(const struct search_result *r, FILE *to,
                              struct arena *a)
{
    struct text t = {0};
    result_text(r, &t);
    if (to)
        terminal_print(to, text_get(&t));
    fflush(to);
    const char *words = arena_text(a, text_get(&t));
    text_free(&t);
    return words;
}

static void json_result(struct json *j, const void *self)
{
    result_json(self, j);
}

static const char *part_of(const struct search_result *r, struct arena *a)
{
    struct text t = {0};
    result_part(r, &t);
    const char *part = arena_text(a, text_get(&t));
    text_free(&t);
    return part;
}

// ---- the command -----------------------------------------------------------

struct outcome {
    struct results results;
    uint32_t incomplete;
    bool fault, stuck;
};

static void finish(struct outcome *o, const struct search_run *r)
{
    const struct trial *t = r->trial;
    const struct explore_result *x = &r->figures.result;
    struct search_result result = search_run_result(r);
    if (result.far && x->stopped_by == STOP_REFUSED &&
        t->subject.explore.strategy == STRATEGY_AUTO)
        fprintf(stderr,
                "troupe: %s: error: cannot be spread over machines (%s): leave "
                "out --listen\n",
                t->subject.test->name, refusal_text(x->refused));
    else if (x->stopped_by == STOP_REFUSED && x->refused)
        fprintf(stderr, "troupe: %s: error: %s: %s\n", t->subject.test->name,
                strategy_id(r->strategy), refusal_text(x->refused));
    enum result_verdict v = result_verdict(&result);
    bool silent =
        v == RESULT_PASSED && option_flag(t->session->options, OPT_quiet);
    struct page_test one = {
        .verdict = v,
        .complete = x->complete,
        .words =
            say_result(&result, silent ? NULL : t->say, &t->session->arena),
        .json = json_result,
        .self = &result,
    };
    results_add(&o->results, t, x->seconds, &one);
    if (v == RESULT_INCOMPLETE)
        o->results.part = part_of(&result, &t->session->arena);
    o->incomplete += !x->complete;
    o->stuck |= x->stopped_by == STOP_LOST || x->stopped_by == STOP_LIMIT ||
                x->stopped_by == STOP_ASIDE;
    o->fault |= !findings_confirmed(&t->findings) && !trial_excuse(t);
}

static void explore_test(struct session *s, const tr_test *t, bool more,
                         struct outcome *o)
{
    struct trial trial;
    struct search_run r;
    if (!trial_init(&trial, s, t, o->results.store)) {
        results_refuse(&o->results);
        trial_release(&trial);
        return;
    }
    trial.more = more;
    search_run(&r, &trial);
    if (r.failed)
        results_refuse(&o->results);
    else
        finish(o, &r);
    search_run_release(&r);
    trial_release(&trial);
}

static int status_of(const struct session *s, const struct outcome *o)
{
    if (o->fault)
        return EXIT_FAULT;
    if (o->results.failed)
        return EXIT_BUG;
    if (interrupted())
        return EXIT_INTERRUPTED;
    if (o->results.refused)
        return EXIT_USAGE;
    if (o->stuck || (o->incomplete && option_flag(s->options, OPT_complete)))
        return EXIT_NO_ANSWER;
    return EXIT_GOOD;
}

int cmd_explore(struct session *s)
{
    struct outcome o = {0};
    struct results *r = &o.results;
    if (!far_check(s) || !results_open(r, s, false))
        return s->diag.status; // the caller prints it
    for (uint32_t i = 0; i < r->tests.n && !interrupted(); i++)
        explore_test(s, r->tests.at[i], i + 1 < r->tests.n, &o);
    bool ok = results_write(r);
    results_count(r);
    results_close(r);
    return ok ? status_of(s, &o) : s->diag.status;
}
