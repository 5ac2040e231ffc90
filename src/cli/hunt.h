// One test being explored: what commands that search schedules share.
//
// A hunt knows the program, the test and the options; opens a native play in a
// worker process; turns what is found into cases; confirms each case by
// replaying it natively in a process of its own, which also writes the report.
#ifndef CLI_HUNT_H
#define CLI_HUNT_H

#include "cases/case.h"
#include "cases/trace.h"
#include "cases/describe.h"
#include "cli/session.h"
#include "explore/explore.h"
#include "crew/supervisor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json;
struct native;
struct play;
struct store;
struct tr_test;

struct hunt_finding {
    struct bug bug;
    char id[9];
    const char *path;   // of the case
    const char *report; // as text
    bool confirmed;     // replayed natively, with the same outcome
};

struct hunt {
    struct session *session;
    const struct tr_test *test;
    struct options *options; // for this test
    const char *params;
    struct explore_options explore;
    struct store *store;
    uint32_t run; // in the store
    FILE *say;    // for people
    bool isolate;  // run handlers in a process apart
    bool estimate; // only estimate the number of schedules
    uint32_t limit_ms; // of one handler run, 0: as the stage has it
    VEC(struct hunt_finding) findings;
    // In a worker or a replaying child:
    struct native *native;
    struct play *play;
};

// Fill in test and options; the strategy is as given (auto is auto).
bool hunt_init(struct hunt *h, struct session *s, const struct tr_test *t,
               struct store *store);
void hunt_release(struct hunt *h);

// Open the play in this process; false with the session's diag set.
bool hunt_open(struct hunt *h);
void hunt_close(struct hunt *h);

// Where words for people go: stdout, unless a result in JSON goes there.
FILE *hunt_say(const struct session *s);

// The job for crew_explore; self is the hunt.
struct crew_job hunt_job(struct hunt *h);
// How many schedules `optimal` has to explore, by Knuth's estimator, within a
// fraction of a second in a child; -1 if that is not to be had.
double hunt_guess(struct hunt *h);
// A case in text: keep it, confirm it, print its report on stdout.
void hunt_take_case(struct hunt *h, const char *text, uint64_t schedules);

struct hunt_replay {
    const struct test_case *hunted; // set by hunt_replay_apart
    const char *name;   // by which commands find the case; NULL: not kept
    uint64_t schedules; // explored until it was found, 0 if unknown
    bool colour;
};
// What came of a case.
enum hunt_outcome {
    OUTCOME_SAME,   // as the case expects
    OUTCOME_PASSES, // it expects a bug, and there is none
    OUTCOME_OTHER,  // a bug, but not the one it expects
    OUTCOME_MISFIT, // it cannot be followed
};
// Follow a case in this process (the play is open) or in a child of its own,
// and append the report.
enum hunt_outcome hunt_replay(struct hunt *h, const struct test_case *c,
                              const struct hunt_replay *q, struct text *out);
enum hunt_outcome hunt_replay_apart(struct hunt *h, const struct test_case *c,
                                    const struct hunt_replay *q,
                                    struct text *out);

// The words of a schedule, and what the body sends in it with values, added to
// the case.
void hunt_describe(struct hunt *h, struct arena *a, struct test_case *c,
                   const struct schedule *s);
// Run a job in a child with the play open; what it adds to *out comes back.
// Returns its exit status, 128 + signal if it died.
int hunt_apart(struct hunt *h, int (*job)(struct hunt *, void *, struct text *),
               void *arg, struct text *out);

// What is being explored, as a key: equal for searches that can be resumed
// from each other.
const char *hunt_key(struct hunt *h);

// Was a bug found that is more than a warning?
bool hunt_failed(const struct hunt *h);
void hunt_json_finding(struct json *j, const struct hunt_finding *f);

#endif
