// A test to be searched or replayed: what it is opened with, and its play once
// it is open.
//
// A program may smash the process its handlers run in, so a subject is opened
// in a worker, or in a child by subject_apart(), not in the process that owns
// what was found.
#ifndef CASES_SUBJECT_H
#define CASES_SUBJECT_H

#include "play/case.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

struct native;
struct program;
struct tr_test;

struct subject {
    const struct program *program;
    const struct tr_test *test;
    const char *params; // "n=3 m=4"
    struct explore_options explore;
    bool isolate;      // run handlers in a process apart
    bool all_ends;     // all final states are wanted: see play_early_ends
    bool scattered;    // addresses in another order, see native.h
    bool explain;      // bugs tell the values at the failure
    uint32_t limit_ms; // CPU time of one handler run, 0: as the stage has it
    uint64_t memory;   // bytes the play may hold, 0: as play.h has it
    // How the program is built, with which parameters, what is posted after the
    // setup of a system: what every case of this subject begins with.
    struct test_case origin;
    // While it is open:
    struct native *native;
    struct play *play;
};

// Open the play in this process; false with *d set.
bool subject_open(struct subject *s, struct diag *d);
void subject_close(struct subject *s);

// What is being explored, as a key: equal for searches that can be resumed
// from each other.  In a.
const char *subject_key(const struct subject *s, struct arena *a);

// The words of a schedule, and what the body sends in it with values, added to
// the case.  The subject is open.
void subject_describe(struct subject *s, struct arena *a, struct test_case *c,
                      const struct schedule *schedule);
// A bug that a search found, as a case: its schedule is made shorter if it can
// be, and *made is the one that the case tells.
void subject_case(struct subject *s, struct arena *a, const struct bug *bug,
                  const struct schedule *found, struct test_case *c,
                  struct schedule *made);
// The same in text.
void subject_tell(struct subject *s, const struct bug *bug,
                  const struct schedule *schedule, struct text *out);

// How an execution ended: all actors, as program/final.h has it, and its
// schedule in words.
void subject_final(struct subject *s, const struct ending *e,
                   struct text *out);

// Run a job on the open play in a child process; what the job puts into *reply
// comes back.  False with *d set if the subject cannot be opened or the child
// dies.
typedef void subject_job(struct subject *s, void *arg, struct text *reply);
bool subject_apart(struct subject *s, subject_job *job, void *arg,
                   struct text *reply, struct diag *d);

#endif
