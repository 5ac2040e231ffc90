// What a worker process does with a subject: the job for crew_explore().
#ifndef CLI_WORKER_JOB_H
#define CLI_WORKER_JOB_H

#include "base/hashset.h"
#include "crew/crew.h"

struct subject;

struct worker_job {
    struct subject *subject;
    bool estimate;       // only estimate the number of schedules
    const char *finals;  // file that final states are appended to, or NULL
    struct hashset seen; // of them, by this process
};

// Borrows j.
struct crew_job worker_job(struct worker_job *j);

// How many schedules `optimal` has to explore, by Knuth's estimator, within a
// fraction of a second in a child; -1 if that is not to be had.
double worker_guess(struct subject *s);

#endif
