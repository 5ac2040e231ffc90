// The search of one test in worker processes, by the strategy of its options:
// progress is shown, findings are taken as they come, and what is left of a
// search is kept so that it can be resumed.
#ifndef CLI_SEARCH_RUN_H
#define CLI_SEARCH_RUN_H

#include "base/text.h"
#include "cli/resume.h"
#include "cli/trial.h"
#include "cli/worker_job.h"
#include "crew/crew.h"
#include "report/result.h"

struct progress;

struct search_run {
    struct trial *trial;
    bool estimate; // only estimate the number of schedules
    struct progress *progress;
    enum strategy strategy;      // of the search under way
    struct crew_figures figures;
    double limit;
    struct guess guess; // of the executions in all
    bool divided, keep_rest;
    struct unfinished earlier; // what is resumed
    struct text found;         // the cases found, also by what is resumed
    size_t found_kept;         // bytes of it that are kept
    bool failed; // could not begin: the session's diag says why
};

// Begin a run in the store, unless the trial has one.
void search_run_begin(struct trial *t);
// Search; the trial is the caller's.  Release afterwards.
void search_run(struct search_run *r, struct trial *t);
// No search: the trial has a bug already.
void search_run_none(struct search_run *r, struct trial *t);
void search_run_release(struct search_run *r);
// What came of it; borrows r.
struct search_result search_run_result(const struct search_run *r);

#endif
