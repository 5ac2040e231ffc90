// One test under a command that searches or replays: the subject as the options
// give it, the findings, and where they go.
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "cases/findings.h"
#include "cases/subject.h"
#include "cli/session.h"
#include "report/course.h"
#include "report/result.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct store;
struct text;

struct trial {
    struct session *session;
    struct options *options; // for this test
    struct subject subject;
    struct findings findings;
    struct store *store;
    uint32_t run;         // in the store
    FILE *say;            // for people
    struct course course; // figures of the search so far
    bool more;            // tests follow in the same command
    bool past_known;      // a bug that is known does not end the search
    bool may_expect;      // a bug that the test is to show is told in a line
};

// Fill in test and options; the strategy is as given (auto is auto).  False
// with the session's diag set.
bool trial_init(struct trial *t, struct session *s, const struct tr_test *test,
                struct store *store);
void trial_release(struct trial *t);


// As subject_key(), in the session's memory.
const char *trial_key(const struct trial *t);

// Why the replay of a case may go another way without being a fault of ours:
// what the program does.  NULL if there is no reason.
const char *trial_excuse(const struct trial *t);
// A case in text: keep it, confirm it, print its report.
// nth: the schedule of the search it showed in, 0 if unknown.
void trial_take(struct trial *t, const char *text, uint64_t nth);

// What came of the test so far; borrows the trial.
struct result trial_result(const struct trial *t, double seconds);

#endif
