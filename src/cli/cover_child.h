// One test being covered, in two processes: a child that runs the loop of
// cover.h over a native play and tells what happens, and this one, which shows
// it and keeps bugs as cases.
#ifndef CLI_COVER_CHILD_H
#define CLI_COVER_CHILD_H

#include "cli/trial.h"
#include "cover/cover.h"
#include "cover/curve.h"
#include "report/coverage_result.h"

struct progress;

// A schedule of the user's.
struct from_case {
    const char *path;
    struct test_case c;
};

struct covering {
    struct trial *trial;
    struct cover_options o;
    VEC(struct from_case) from;
    uint32_t explored;     // schedules to explore first
    bool report;           // generate nothing
    bool resumed;          // there was a child before
    struct coverage known; // from earlier runs, and at the end from this one
    struct cover_result result;
    struct cover_result kept; // the part of it that `known` comes from
    struct curve curve;
    struct progress *progress;
    VEC(const char *) odd; // schedules that could not be followed
    // In the child:
    int fd;        // the socket to the parent
    double mapped; // when the coverage was last sent
    bool found;    // a bug, before the loop began
};

// Fill in the options of cover from those of the trial (cover.c).
bool covering_read(struct covering *c);
// What came of it; borrows c (cover.c).
struct coverage_result covering_result(const struct covering *c);

// Read --from: cases by file or bug id, and all of a folder; those of other
// tests of the program are passed over.
bool covering_read_from(struct covering *c);
// The schedules to begin with, in the play of the child: those of the user's as
// far as they can be followed and on to the end, then explored ones.
typedef VEC(struct schedule) schedule_list;
void covering_begin(struct covering *c, schedule_list *out);

// What the child tells.
void covering_tell_bug(void *covering, const struct bug *b,
                       const struct schedule *s);
void covering_tell_odd(void *covering, const char *why);

// Cover.  False if children keep dying; what they told is kept.
bool covering_run(struct covering *c);
void covering_free(struct covering *c);

#endif
