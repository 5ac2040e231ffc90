#include "report/coverage_result.h"

#include "base/json.h"
#include "base/text.h"
#include "cases/findings.h"
#include "cases/subject.h"
#include "cover/survey.h"
#include "report/progress.h"

#include "troupe.h"

enum {
    MOST_COLUMNS = 16,    // of a matrix
    VERBOSE_COLUMNS = 50, // with --verbose
    MOST_LEFT = 8,        // goals left to name, for each reason
    VERBOSE_LEFT = 5000,
    MOST_ODD = 5,
};

// Part of the possible goals that is covered, 1 if there are none.
static double part_covered(const struct coverage_result *r)
{
    uint64_t covered = 0, possible = 0;
    for (int cr = 0; cr < CRITERIA_N; cr++) {
        const struct coverage_counts *n = &r->coverage->totals[cr];
        if (r->options->criteria[cr]) {
            covered += n->covered;
            possible += n->goals - n->impossible;
        }
    }
    return possible ? (double)covered / (double)possible : 1;
}

bool coverage_result_reached(const struct coverage_result *r)
{
    return part_covered(r) >= r->options->goal;
}

// No schedule came to an end, so nothing was seen.
static bool none_ended(const struct coverage_result *r)
{
    const struct cover_result *x = r->figures;
    return x->cut && x->cut == x->executions && !r->coverage->places.at.n;
}

enum result_verdict coverage_result_verdict(const struct coverage_result *r)
{
    enum stop why = r->figures->stopped_by;
    if (findings_failed(r->of.findings))
        return RESULT_FAILED;
    return why == STOP_LIMIT || why == STOP_ASKED || none_ended(r)
               ? RESULT_INCOMPLETE
               : RESULT_PASSED;
}

// ---- text -----------------------------------------------------------------

// Why the search ended.
static void print_ending(const struct coverage_result *r, struct text *to)
{
    const struct cover_result *x = r->figures;
    char n[32];
    if (x->stopped_by == STOP_SCHEDULES)
        text_format(to, "stopped at the limit of %s schedules (%s)",
                    progress_count(n, r->options->budget), r->bound);
    else if (x->stopped_by)
        text_add(to, stop_text(x->stopped_by));
    else if (x->complete)
        text_add(to, "no other order is possible");
    else if (r->options->goal > 0 && coverage_result_reached(r))
        text_add(to, "the goal is reached");
    else if (part_covered(r) >= 1)
        text_add(to, "every goal that is known is covered");
    else
        text_format(to, "no new goals in the last %s schedules",
                    progress_count(n, COVER_PATIENCE));
}

static const char *first_word(const struct coverage_result *r)
{
    bool limit = r->figures->stopped_by == STOP_LIMIT;
    return findings_failed(r->of.findings) ? "FAILED"
           : limit || none_ended(r)        ? "not complete"
                                           : "ok";
}

static void print_counts(const struct coverage_result *r, struct text *to)
{
    const struct cover_result *x = r->figures;
    char n[32], sampled[32], generated[32];
    text_format(to,
                "%s, cover, delivery %s, seed %llu: %s schedule%s (%s sampled, "
                "%s generated), ",
                first_word(r), delivery_id(r->options->delivery),
                (unsigned long long)r->options->seed,
                progress_count(n, x->executions), x->executions == 1 ? "" : "s",
                progress_count(sampled, x->initial_schedules),
                progress_count(generated, x->generated));
    if (r->report)
        text_add(to, "none generated");
    else
        print_ending(r, to);
    result_text_weakened(&r->of, to);
    text_char(to, '\n');
}

// Tell how many generated schedules did not do what they were made for.
static void print_misses(const struct coverage_result *r, struct text *to)
{
    const struct cover_result *x = r->figures;
    if (x->infeasible || x->missed || x->cut)
        text_format(to,
                    "   %llu could not be followed, %llu missed the order they "
                    "were made for, %llu cut at the\n   step bound\n",
                    (unsigned long long)x->infeasible,
                    (unsigned long long)x->missed, (unsigned long long)x->cut);
    if (x->missed_changes)
        text_format(to,
                    "   %llu of those that missed were made for pmr: their "
                    "receives change the behaviour in\n   the other order "
                    "only\n",
                    (unsigned long long)x->missed_changes);
    for (uint32_t i = 0; i < r->n_odd && i < MOST_ODD; i++)
        text_format(to, "   could not be followed: %s\n", r->odd[i]);
}

static void print_schedules(const struct coverage_result *r, struct text *to)
{
    text_format(to, "troupe: %s: ", r->of.subject->test->name);
    if (r->report && !r->figures->executions) {
        text_format(to, "kept coverage, delivery %s\n",
                    delivery_id(r->options->delivery));
        return;
    }
    print_counts(r, to);
    print_misses(r, to);
}

static void print_goal(const struct coverage_result *r, struct text *to)
{
    if (r->options->goal > 0)
        text_format(to, "   %.1f %% of what is possible, the goal is %g %%\n",
                    100 * part_covered(r), 100 * r->options->goal);
}

static void print_left(const struct coverage_result *r, const struct survey *v,
                       bool verbose, struct text *to)
{
    struct text ending = {0};
    bool stopped = r->figures->stopped_by;
    if (r->figures->stopped_by == STOP_BUG && !verbose)
        return;
    print_ending(r, &ending);
    survey_left(v, r->options->criteria, stopped ? text_get(&ending) : NULL,
                verbose ? VERBOSE_LEFT : MOST_LEFT, to);
    text_free(&ending);
}

static void print_coverage(const struct coverage_result *r, bool verbose,
                           struct text *to)
{
    const bool *criteria = r->options->criteria;
    struct survey v;
    survey_make(&v, r->coverage);
    if (none_ended(r))
        text_add(to, "   none ended, so none was recorded: a test that ends, "
                     "or a larger --steps, helps\n");
    else
        survey_numbers(&v, criteria, to);
    print_goal(r, to);
    for (int cr = 0, shown = 0; cr < CRITERIA_N; cr++)
        if (criteria[cr] && (verbose || (!shown++ && survey_is_small(&v))))
            survey_matrices(&v, (enum criterion)cr,
                            verbose ? VERBOSE_COLUMNS : MOST_COLUMNS, to);
    print_left(r, &v, verbose, to);
    survey_free(&v);
}

void coverage_result_text(const struct coverage_result *r, bool quiet,
                          bool verbose, struct text *to)
{
    print_schedules(r, to);
    if (!quiet)
        print_coverage(r, verbose, to);
    else if (!coverage_result_reached(r))
        print_goal(r, to);
}

// ---- JSON -----------------------------------------------------------------

static void figures_json(const struct cover_result *x, struct json *j)
{
    json_number(j, "executions", (int64_t)x->executions);
    json_number(j, "initial_schedules", (int64_t)x->initial_schedules);
    json_number(j, "generated", (int64_t)x->generated);
    json_number(j, "infeasible", (int64_t)x->infeasible);
    json_number(j, "cut", (int64_t)x->cut);
    json_number(j, "missed", (int64_t)x->missed);
    json_number(j, "missed_changes", (int64_t)x->missed_changes);
    json_number(j, "idle", (int64_t)x->idle);
    json_number(j, "sources", (int64_t)x->sources);
    json_bool(j, "complete", x->complete);
    json_text(j, "stopped_by", x->stopped_by ? stop_id(x->stopped_by) : NULL);
    json_real(j, "seconds", x->seconds);
}

void coverage_result_json(const struct coverage_result *r, struct json *j)
{
    struct survey v;
    survey_make(&v, r->coverage);
    json_object(j, NULL);
    result_json_head(&r->of, j);
    json_number(j, "seed", (int64_t)r->of.subject->explore.seed);
    figures_json(r->figures, j);
    survey_json(&v, r->options->criteria, j);
    result_json_weakened(&r->of, j);
    result_json_bugs(&r->of, j);
    json_end(j);
    survey_free(&v);
}
