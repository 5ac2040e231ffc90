// What `troupe test` does and has found: filled by test.c, judged and shown by
// test_result.c.
#ifndef CLI_TESTING_H
#define CLI_TESTING_H

#include "cli/cover_child.h"
#include "cli/results.h"
#include "cli/search_run.h"
#include "report/coverage_result.h"
#include "report/result.h"
#include "troupe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report;

// One test.
struct row {
    const tr_test *test;
    const struct report *native;
    bool explored, covered;
    struct trial trial;
    struct search_run run;
    struct covering covering;
    struct search_result result;
    struct coverage_result coverage;
    double covering_seconds;
    enum result_verdict verdict;
    bool never_expected; // a bug is expected that no schedule shows
    const char *known; // id of the known bug that fails it natively, NULL: none
    const char *sure;  // how sure the verdict is
};

// reach or unit on a whole program.
struct engine {
    const char *name;
    int status;
    double seconds;
};

struct testing {
    struct session *s;
    struct results results;
    struct tests tests;
    struct report *reports;
    struct row *rows;
    FILE *out;
    double begin, limit; // seconds
    const char *uncontrollable;
    bool linted, fault;
    uint32_t warnings, wrong; // of lint; of these, failures
    double lint_seconds, native_seconds;
    struct engine engines[2];
    uint32_t n_engines;
};

// Was the test explored, and has it shown the bug that it is to show, and no
// other?
bool test_as_expected(const struct row *r);
// A test, with the verdict of all engines and the words that say how sure it
// is.
void test_judge(struct testing *t, struct row *r);
// Add the result of a test to those of the command.
void test_add(struct testing *t, struct row *r);
// The table that ends the command.
void test_table(const struct testing *t);
// The object of --json, if it is asked for.  False with the session's diag set.
bool test_json(struct testing *t);

#endif
