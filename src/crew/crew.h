// A search in worker processes under a supervisor.
//
// The supervisor owns the findings and never runs the program.  A worker is a
// process that explores units of work; when asked to yield it returns its
// figures and what is left as units.  Now and then a worker writes both down
// without ending.  Figures count only together with what was left then, so the
// units of a worker that dies or hangs are done again by another, and the
// totals are the same with any number of workers and losses.
//
// A lost worker says nothing about the program: it may have been killed from
// outside.  Its units are done again by a worker whose handlers run in a
// process of their own.  If a handler kills that process, its worker lives and
// tells it as a bug.
#ifndef CREW_CREW_H
#define CREW_CREW_H

#include "explore/explore.h"
#include "explore/optimal/work.h"

#include <stdbool.h>
#include <stdint.h>

struct text;

enum { CREW_MOST = 64 }; // workers

// What runs in a worker.
struct crew_job {
    void *self;
    // Once per worker process, before anything else.  isolated: handlers run in
    // a process apart.
    bool (*open)(void *self, bool isolated);
    // Explore these units, or everything if there are none.  When the sink
    // says stop, append what is left to *rest.  False: that cannot be written
    // as units, so all is left.
    bool (*run)(void *self, const struct explore_options *o,
                const struct work *units, uint32_t n,
                const struct explore_sink *sink, struct explore_result *r,
                struct work_list *rest);
    // The process is not to be trusted any more: replace it.  May be NULL.
    bool (*tainted)(void *self);
    // Put a bug in words for the supervisor.
    void (*tell)(void *self, const struct bug *bug, const struct schedule *s,
                 struct text *out);
    // An execution is complete.  May be NULL.
    void (*ended)(void *self, const struct ending *e);
    // Counts of the play.
    const struct play_counts *(*counts)(void *self);
};

struct crew_figures {
    struct explore_result result; // summed over all returned work
    uint64_t handler_runs, memo_hits;
    uint64_t runs_once; // handler runs that were not repeated
    uint64_t peak_bytes;              // of the largest worker
    uint32_t workers, replaced, lost; // processes: most at once, tainted, died
};

// What a search leaves behind to be gone on with.
struct crew_rest {
    const struct work *units;
    uint32_t n_units;
    const uint64_t *finals; // hashes of the final states met
    uint64_t n_finals;
};

// What the supervisor tells its caller.
struct crew_sink {
    void *self;
    // A bug as `tell` put it; the key is that of bug_key().  It showed in the
    // schedule with this number, from 1, in the order of the work returned.
    void (*bug)(void *self, uint64_t key, const char *text, uint64_t nth);
    void (*progress)(void *self, const struct crew_figures *so_far);
    // Now and then: all that is left, to be kept for a later resume.
    void (*checkpoint)(void *self, const struct crew_figures *so_far,
                       const struct crew_rest *rest);
    bool (*stop)(void *self);
};

struct crew_options {
    uint32_t workers;          // at most
    bool divisible;            // the strategy yields units
    bool aside;                // one worker of several searches PART_STATES
    double hung_seconds;       // no sign of life for so long: replaced; 0: 60
    double checkpoint_seconds; // 0: 10
    const struct crew_figures *before; // figures to go on from, or NULL
    struct crew_rest rest;             // to go on with; no units: everything
};

// Explore, in workers that are forks of this process.  Final states are counted
// over all workers.
void crew_explore(const struct crew_job *job, const struct explore_options *o,
                  const struct crew_options *co, const struct crew_sink *sink,
                  struct crew_figures *out);

#endif
