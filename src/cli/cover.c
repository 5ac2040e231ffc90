// troupe cover: schedules chosen to raise schedule coverage.
//
// The options, and what is said of the result.  Coverage is kept in the run
// directory, where runs of the same program, test and parameters are merged.
#include "cli/cover_child.h"

#include "base/json.h"
#include "base/text.h"
#include "base/wire.h"
#include "cli/shell/command.h"
#include "base/interrupt.h"
#include "cli/results.h"
#include "cover/coverage_text.h"
#include "cover/survey.h"
#include "report/progress.h"
#include "report/store.h"
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

// ---- options --------------------------------------------------------------

static bool read_criteria(struct covering *c)
{
    struct session *s = c->trial->session;
    const char *list = option_text(c->trial->options, OPT_criterion);
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, ",");
        const char *word = arena_format(&s->arena, "%.*s", (int)n, p);
        enum criterion cr = criterion_of(word);
        if (strcmp(word, "all") == 0)
            memset(c->o.criteria, 1, sizeof c->o.criteria);
        else if (cr != CRITERIA_N)
            c->o.criteria[cr] = true;
        else
            return diag_set(&s->diag, EXIT_USAGE,
                            "--criterion: '%s' is not pr, pmr, pcr or all",
                            word);
        p += n + (p[n] != '\0');
    }
    return true;
}

static bool read_goal(struct covering *c)
{
    const char *goal = option_text(c->trial->options, OPT_goal);
    char *end;
    if (!goal)
        return true;
    c->o.goal = strtod(goal, &end) / 100;
    if (*end == '%')
        end++;
    if (*end || !(c->o.goal > 0) || c->o.goal > 1)
        return diag_set(&c->trial->session->diag, EXIT_USAGE,
                        "--goal: '%s' is not a percentage, e.g. 90 or 90%%",
                        goal);
    return true;
}

static bool read_options(struct covering *c)
{
    const struct explore_options *x = &c->trial->subject.explore;
    struct options *o = c->trial->options;
    c->o = (struct cover_options){
        .delivery = x->delivery,
        .seed = x->seed,
        .steps = x->steps,
        .budget = option_number(o, OPT_budget),
        .seconds = x->seconds,
        .keep_going = x->keep_going,
        .ignore = x->ignore,
        .once = option_flag(o, OPT_once),
    };
    if (!c->o.budget)
        c->o.budget = x->schedules;
    if (option_given(o, OPT_initial))
        c->o.initial = (uint32_t)option_number(o, OPT_initial);
    c->explored = (uint32_t)option_number(o, OPT_explored);
    c->report = option_flag(o, OPT_report);
    return read_criteria(c) && read_goal(c) && covering_read_from(c);
}

// ---- what was kept --------------------------------------------------------

static const char *key_of(struct covering *c)
{
    return arena_format(&c->trial->session->arena, "coverage %s",
                        trial_key(c->trial));
}

// The coverage that is kept, of any build of the tool; NULL if there is none.
static const char *recall(struct covering *c)
{
    struct trial *t = c->trial;
    struct wire_reader in;
    enum store_state state = STORE_NONE;
    if (t->store)
        state = store_recall(t->store, &t->session->arena, key_of(c), &in);
    const char *lines = state == STORE_NONE ? NULL : wire_get_string(&in);
    if (state != STORE_NONE && !lines)
        fprintf(stderr,
                "troupe: %s: the coverage that is kept is damaged; it is left "
                "out\n",
                t->subject.test->name);
    return lines;
}

// Coverage of earlier runs, if it is wanted.  A report without any needs at
// least schedules of the user's.
static bool load(struct covering *c)
{
    struct trial *t = c->trial;
    struct session *s = t->session;
    if (!c->report && !option_flag(t->options, OPT_merge))
        return true;
    const char *lines = recall(c);
    if (!lines && c->report && !c->from.n && !c->explored) {
        diag_set(&s->diag, EXIT_USAGE,
                 "--report: no coverage of %s%s%s is kept, delivery %s",
                 t->subject.test->name, *t->subject.params ? " with " : "",
                 t->subject.params, delivery_id(c->o.delivery));
        diag_hint(&s->diag, "what is kept is of one program, test, delivery "
                            "model and its parameters: run troupe cover first");
        return false;
    }
    if (lines && coverage_read(&c->known, lines))
        return diag_set(&s->diag, EXIT_USAGE,
                        "%s: the coverage kept of %s cannot be read",
                        store_dir(t->store), t->subject.test->name);
    return true;
}

static void keep(struct covering *c)
{
    struct text lines = {0}, kept = {0};
    if (!c->trial->store ||
        (c->report && !option_flag(c->trial->options, OPT_merge)))
        return;
    coverage_print(&c->known, &lines);
    store_keep_begin(c->trial->store, key_of(c), &kept);
    wire_put_string(&kept, text_get(&lines));
    store_keep(c->trial->store, key_of(c), &kept);
    text_free(&lines);
    text_free(&kept);
}

// ---- results --------------------------------------------------------------

// Part of the possible goals that is covered, 1 if there are none.
static double part_covered(const struct coverage *k, const bool *criteria)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++)
        if (criteria[cr]) {
            covered += k->totals[cr].covered;
            possible += k->totals[cr].goals - k->totals[cr].impossible;
        }
    return possible ? (double)covered / (double)possible : 1;
}

static bool reached(const struct covering *c)
{
    return part_covered(&c->known, c->o.criteria) >= c->o.goal;
}

struct told {
    const struct covering *c;
    const struct survey *v;
};

static void json_result(struct json *j, const void *self)
{
    const struct told *told = self;
    const struct covering *c = told->c;
    const struct survey *v = told->v;
    const struct trial *t = c->trial;
    const struct cover_result *r = &c->result;
    struct result of = trial_result(t, r->seconds);
    json_object(j, NULL);
    result_json_head(&of, j);
    json_number(j, "seed", (int64_t)t->subject.explore.seed);
    json_number(j, "executions", (int64_t)r->executions);
    json_number(j, "initial_schedules", (int64_t)r->initial_schedules);
    json_number(j, "generated", (int64_t)r->generated);
    json_number(j, "infeasible", (int64_t)r->infeasible);
    json_number(j, "cut", (int64_t)r->cut);
    json_number(j, "missed", (int64_t)r->missed);
    json_number(j, "missed_changes", (int64_t)r->missed_changes);
    json_number(j, "idle", (int64_t)r->idle);
    json_number(j, "sources", (int64_t)r->sources);
    json_bool(j, "complete", r->complete);
    json_text(j, "stopped_by", r->stopped_by ? stop_id(r->stopped_by) : NULL);
    json_real(j, "seconds", r->seconds);
    survey_json(v, c->o.criteria, j);
    result_json_bugs(&of, j);
    json_end(j);
}

static const char *ending(const struct covering *c)
{
    const struct cover_result *r = &c->result;
    struct arena *a = &c->trial->session->arena;
    char n[32];
    if (r->stopped_by == STOP_SCHEDULES)
        return arena_format(a, "stopped at the limit of %s schedules (%s)",
                            progress_count(n, c->o.budget),
                            option_given(c->trial->options, OPT_budget)
                                ? "--budget"
                                : "--schedules");
    if (r->stopped_by)
        return stop_text(r->stopped_by);
    if (r->complete)
        return "no other order is possible";
    if (c->o.goal > 0 && reached(c))
        return "the goal is reached";
    return arena_format(a, "no new goals in the last %s schedules",
                        progress_count(n, COVER_PATIENCE));
}

static void say_schedules(const struct covering *c, struct text *t)
{
    const struct cover_result *r = &c->result;
    const struct trial *of = c->trial;
    char n[32], recorded[32], forced[32];
    text_format(t, "troupe: %s: ", of->subject.test->name);
    if (c->report && !r->executions) {
        text_format(t, "kept coverage, delivery %s\n",
                    delivery_id(c->o.delivery));
        return;
    }
    text_add(t, findings_failed(&of->findings) ? "FAILED"
                : r->stopped_by == STOP_LIMIT  ? "not complete"
                                               : "ok");
    text_format(t,
                ", cover, delivery %s, seed %llu: %s schedule%s (%s sampled, "
                "%s generated), %s\n",
                delivery_id(c->o.delivery),
                (unsigned long long)of->subject.explore.seed,
                progress_count(n, r->executions), r->executions == 1 ? "" : "s",
                progress_count(recorded, r->initial_schedules),
                progress_count(forced, r->generated),
                c->report ? "none generated" : ending(c));
    if (r->infeasible || r->missed || r->cut)
        text_format(t,
                    "   %llu could not be followed, %llu missed the order they "
                    "were made for, %llu cut at the\n   step bound\n",
                    (unsigned long long)r->infeasible,
                    (unsigned long long)r->missed, (unsigned long long)r->cut);
    if (r->missed_changes)
        text_format(t,
                    "   %llu of those that missed were made for pmr: their "
                    "receives change the behaviour in\n   the other order "
                    "only\n",
                    (unsigned long long)r->missed_changes);
    for (uint32_t i = 0; i < c->odd.n && i < 5; i++)
        text_format(t, "   could not be followed: %s\n", c->odd.at[i]);
}

enum { MOST_COLUMNS = 16, MOST_LEFT = 8, VERBOSE = 50 };

static void say_goal(const struct covering *c, struct text *t)
{
    if (c->o.goal > 0)
        text_format(t, "   %.1f %% of what is possible, the goal is %g %%\n",
                    100 * part_covered(&c->known, c->o.criteria),
                    100 * c->o.goal);
}

static void say_coverage(const struct covering *c, const struct survey *v,
                         struct text *t)
{
    const struct cover_result *r = &c->result;
    bool verbose = option_flag(c->trial->options, OPT_verbose);
    if (r->cut && r->cut == r->executions && !c->known.places.at.n)
        text_add(t, "   none ended, so none was recorded: a test that ends, or "
                    "a larger --steps, helps\n");
    else
        survey_numbers(v, c->o.criteria, t);
    say_goal(c, t);
    for (int cr = 0, shown = 0; cr < CRITERIA_N; cr++)
        if (c->o.criteria[cr] && (verbose || (!shown++ && survey_is_small(v))))
            survey_matrices(v, (enum criterion)cr,
                            verbose ? VERBOSE : MOST_COLUMNS, t);
    if (r->stopped_by != STOP_BUG || verbose)
        survey_left(v, c->o.criteria, r->stopped_by ? ending(c) : NULL,
                    verbose ? 100 * VERBOSE : MOST_LEFT, t);
}

static void say(const struct covering *c, const struct survey *v)
{
    FILE *to = c->trial->say;
    struct text t = {0};
    say_schedules(c, &t);
    if (!option_flag(c->trial->options, OPT_quiet))
        say_coverage(c, v, &t);
    else if (!reached(c))
        say_goal(c, &t);
    fputs(text_get(&t), to);
    fflush(to);
    text_free(&t);
}

static bool write_file(struct covering *c, enum option_id id)
{
    const char *path = option_text(c->trial->options, id);
    struct text t = {0};
    if (!path)
        return true;
    if (id == OPT_csv)
        curve_csv(&c->curve, &t);
    else
        curve_svg(&c->curve,
                  arena_format(&c->trial->session->arena,
                               "%s: ordering goals covered, delivery %s",
                               c->trial->subject.test->name,
                               delivery_id(c->o.delivery)),
                  &t);
    bool ok = session_write(c->trial->session, path, &t);
    text_free(&t);
    return ok;
}

// ---- the command ----------------------------------------------------------

struct sums {
    struct results results;
    uint32_t short_of_goal, odd;
    bool criteria[CRITERIA_N];
    struct coverage all; // of all tests
};

static void show_progress(struct covering *c)
{
    struct session *s = c->trial->session;
    c->progress = progress_new(
        option_flag(s->options, OPT_quiet)
            ? PROGRESS_NONE
            : progress_kind_of(option_text(s->options, OPT_progress)),
        "cover", s->inputs.n ? s->inputs.at[0] : "",
        c->trial->subject.test->name, c->o.seed);
}

static enum result_verdict verdict(const struct covering *c)
{
    enum stop why = c->result.stopped_by;
    return findings_failed(&c->trial->findings)     ? RESULT_FAILED
           : why == STOP_LIMIT || why == STOP_ASKED ? RESULT_INCOMPLETE
                                                    : RESULT_PASSED;
}

static void finish(struct covering *c, struct sums *sums)
{
    struct survey v;
    struct told told = {c, &v};
    survey_make(&v, &c->known);
    say(c, &v);
    results_add(&sums->results, c->trial, c->result.seconds, verdict(c),
                json_result, &told);
    survey_free(&v);
    sums->short_of_goal += !reached(c) || c->result.stopped_by == STOP_LIMIT;
    memcpy(sums->criteria, c->o.criteria, sizeof sums->criteria);
    if (sums->results.tests.n > 1)
        coverage_merge(&sums->all, &c->known);
}

static void cover_test(struct session *s, const tr_test *t, struct sums *sums)
{
    struct store *store = sums->results.store;
    struct trial trial;
    struct covering c = {.trial = &trial};
    bool ok = trial_init(&trial, s, t, store) && read_options(&c) && load(&c);
    if (ok && (!c.report || c.from.n || c.explored)) {
        show_progress(&c);
        if (store && !c.report)
            trial.run = store_begin(store, "cover", key_of(&c));
        if (!covering_run(&c)) {
            fprintf(stderr, "troupe: %s: the covering process died\n", t->name);
            sums->odd++;
        }
        progress_free(c.progress);
    }
    if (ok) {
        keep(&c);
        finish(&c, sums);
        ok = write_file(&c, OPT_csv) && write_file(&c, OPT_svg);
    }
    if (!ok)
        results_refuse(&sums->results);
    covering_free(&c);
    trial_release(&trial);
}

// Files of one test's coverage need to know which.
static bool one_if_drawn(struct session *s, uint32_t tests)
{
    return tests < 2 ||
           !(option_text(s->options, OPT_csv) ||
             option_text(s->options, OPT_svg)) ||
           diag_set(&s->diag, EXIT_USAGE,
                    "--csv and --svg are of one test, and there are %u; name "
                    "one",
                    tests);
}

static void say_all(struct session *s, const struct sums *sums)
{
    struct survey v;
    struct text t = {0};
    if (sums->results.done > 1 && !option_flag(s->options, OPT_quiet)) {
        survey_make(&v, &sums->all);
        text_format(&t, "troupe: %u tests together\n", sums->results.done);
        survey_numbers(&v, sums->criteria, &t);
        survey_free(&v);
    }
    fputs(text_get(&t), trial_say(s));
    text_free(&t);
    results_count(&sums->results);
}

static int status_of(const struct sums *sums)
{
    return sums->results.refused  ? EXIT_USAGE
           : sums->odd            ? EXIT_FAULT
           : sums->results.failed ? EXIT_BUG
           : interrupted()        ? EXIT_INTERRUPTED
           : sums->short_of_goal  ? EXIT_NO_ANSWER
                                  : EXIT_GOOD;
}

int cmd_cover(struct session *s)
{
    struct sums sums = {0};
    struct results *r = &sums.results;
    bool needs_store = option_flag(s->options, OPT_merge) ||
                       option_flag(s->options, OPT_report);
    bool ok = results_open(r, s, needs_store) && one_if_drawn(s, r->tests.n);
    for (uint32_t i = 0; ok && i < r->tests.n && !interrupted(); i++)
        cover_test(s, r->tests.at[i], &sums);
    if (ok) {
        ok = results_write(r);
        say_all(s, &sums);
    }
    coverage_free(&sums.all);
    results_close(r);
    return ok ? status_of(&sums) : s->diag.status; // the caller prints it
}
