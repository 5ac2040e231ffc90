// What came of one test, as a value: the test and its options, the figures of
// the search, the findings with trace and race.
//
// Text, JSON, JUnit, SARIF and annotations are renderers of it, each a file of
// its own.
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include "cases/weakened.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct arena;
struct confirmed;
struct finding;
struct findings;
struct json;
struct junit;
struct sarif;
struct subject;
struct test_case;
struct text;

// What every command that searches a test can tell.
struct result {
    const char *program; // as the user named it
    const struct subject *subject;
    const struct findings *findings;
    double seconds;
};

// What `explore` can tell.
struct search_result {
    struct result of;
    enum strategy strategy; // of the last search
    bool estimated;         // schedules were only estimated
    bool resumable;         // --resume can go on with it
    struct explore_result figures;
    uint64_t handler_runs, memo_hits;
    uint64_t peak_bytes;
    uint32_t workers, workers_lost, workers_replaced;
    struct weakened weakened;
};

// ---- text (result_text.c) -------------------------------------------------

// The lines that end the search of a test.
void result_text(const struct search_result *r, struct text *to);
// How a line of counts tells of it.
enum result_verdict {
    RESULT_PASSED,
    RESULT_FAILED,
    RESULT_REFUSED,    // nothing was searched
    RESULT_INCOMPLETE, // no bug found, but not everything was seen
};
enum result_verdict result_verdict(const struct search_result *r);
// Of an incomplete one: "0.05 % of about 25G"; "" if nobody knows.
void result_part(const struct search_result *r, struct text *to);

// A case that was followed again: the report of the bug, or the step that does
// not fit.
struct case_view {
    const char *name; // by which commands find the case; NULL: not kept
    uint64_t nth;     // schedule of the search it was found in, 0: unknown
    bool passing;     // show an execution without a bug, too
    bool colour;
    uint32_t width; // of the terminal, 0: it is none
};
void case_text(const struct subject *s, const struct test_case *c,
               const struct confirmed *f, const struct case_view *v,
               struct text *to);
// view: colour and width only.
void finding_text(const struct subject *s, const struct finding *f,
                  const struct case_view *view, struct text *to);

// ---- JSON (result_json.c) -------------------------------------------------

void result_json(const struct search_result *r, struct json *j);
// For objects of other commands: the first members, and those of `bugs`.
void result_json_head(const struct result *r, struct json *j);
void result_json_bugs(const struct result *r, struct json *j);

// ---- for other programs (result_junit.c, result_sarif.c, result_github.c) -

void result_junit(const struct result *r, struct junit *to);
// The kinds of bug as rules, and the findings; their strings live in the arena.
void result_sarif_rules(struct sarif *to);
void result_sarif(const struct result *r, struct arena *a, struct sarif *to);
// Annotations for GitHub's view of a change.
void result_github(const struct result *r, FILE *to);

#endif
