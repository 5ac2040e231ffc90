// What came of one test, as a value: the test and its options, the figures of
// the search, the findings with trace and race.
//
// Text, JSON, JUnit, SARIF, TAP and annotations are renderers of it, each a
// file of its own.
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
    struct weakened weakened; // what makes the verdict say less
};

// What `explore` can tell.
struct search_result {
    struct result of;
    enum strategy strategy; // of the last search
    bool estimated;         // schedules were only estimated
    bool resumable;         // --resume can go on with it
    struct explore_result figures;
    uint64_t made_before; // schedules of the search that was resumed
    uint64_t handler_runs, memo_hits;
    uint64_t peak_bytes;
    uint32_t workers, workers_lost, workers_replaced;
    bool far;                                  // on other machines; of that:
    uint32_t far_workers, far_cores, far_gone; // most at once; went away
    uint64_t tasks;
    uint32_t tasks_died, units_left, units_set_aside;
    uint32_t units_out;  // most at once
    double finals_about; // final states, if more than were counted
};

// ---- text (result_text.c) -------------------------------------------------

// The lines that end the search of a test.
void result_text(const struct search_result *r, struct text *to);
// How a test counts in a summary line.
enum result_verdict {
    RESULT_PASSED,
    RESULT_FAILED,
    RESULT_REFUSED,    // nothing was searched
    RESULT_INCOMPLETE, // no bug found, but not everything was seen
};
enum result_verdict result_verdict(const struct search_result *r);
// The chance that two states had equal digests (explore/seen.h), so that one was
// not looked at; 0 if no states are kept.
double result_chance(const struct search_result *r);
// The part of an incomplete search that was done: "0.05 % of about 25G"; "" if
// it is not known.
void result_part(const struct search_result *r, struct text *to);
// The bound on ticks after the words before it, if it left out something.
void result_ticks(const struct search_result *r, const char *before,
                  struct text *to);

// A case that was followed again: the report of the bug, or the step that does
// not fit.
struct case_view {
    const char *name;    // by which commands find the case; NULL: not kept
    uint64_t nth;        // schedule of the search it was found in, 0: unknown
    bool passing;        // show an execution without a bug, too
    bool known;          // the bug is known
    const char *told_of; // its bug was told in full of this test, or NULL
    bool colour;
    uint32_t width; // of the terminal, 0: it is none
};
void case_text(const struct subject *s, const struct test_case *c,
               const struct confirmed *f, const struct case_view *v,
               struct text *to);
// view: colour, width and told_of only.
void finding_text(const struct subject *s, const struct finding *f,
                  const struct case_view *view, struct text *to);

// ---- JSON (result_json.c) -------------------------------------------------

void result_json(const struct search_result *r, struct json *j);
// For objects of other commands: the first members, and those of `bugs`.
void result_json_head(const struct result *r, struct json *j);
void result_json_bugs(const struct result *r, struct json *j);
void result_json_weakened(const struct result *r, struct json *j);
// "; weaker: ..." of what this program does.
void result_text_weakened(const struct result *r, struct text *to);

// ---- for other programs (result_junit.c, result_sarif.c, result_github.c,
// ---- result_tap.c)

void result_junit(const struct result *r, struct junit *to);
// The kinds of bug as rules, and the findings; their strings live in the arena.
void result_sarif_rules(struct sarif *to);
void result_sarif(const struct result *r, struct arena *a, struct sarif *to);
// The lines of TAP 13 about the number-th test.  An incomplete one is a TODO.
void result_tap(const struct result *r, enum result_verdict verdict,
                uint32_t number, struct text *to);
// Likewise of a test that was only run; why it failed, NULL if it did not.
void result_tap_native(const char *test, enum result_verdict verdict,
                       const char *why, uint32_t number, struct text *to);
// Annotations for GitHub's view of a change.
void result_github(const struct result *r, FILE *to);

#endif
