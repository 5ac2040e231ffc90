// What a worker process does with a subject: the job for crew_explore().
#ifndef CLI_WORKER_JOB_H
#define CLI_WORKER_JOB_H

#include "base/hashset.h"
#include "base/child.h"
#include "crew/crew.h"
#include "explore/spread.h"

struct subject;

struct worker_job {
    struct subject *subject;
    bool estimate;       // only estimate the number of schedules
    const char *finals;  // file that final states are appended to, or NULL
    struct hashset seen; // of them, by this process
};

// Borrows j.
struct crew_job worker_job(struct worker_job *j);

// How many schedules `optimal` has to explore, by Knuth's estimator: a child
// finds out in a fraction of a second, and nobody waits for it.  All zero is
// one that has not begun.
struct guess {
    bool begun;
    struct child child;
    struct wire_in in;
    struct spread number;
};

// Only the first call does something.
void guess_begin(struct guess *g, struct subject *s);
// The number, -1 if it is not known within `ms` milliseconds.
struct spread guess_look(struct guess *g, int ms);
void guess_end(struct guess *g);

#endif
