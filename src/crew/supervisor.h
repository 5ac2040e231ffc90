// A search in worker processes under a supervisor.
//
// The supervisor owns the findings and never runs the program.  A worker is a
// forked process that explores units of work; when asked to yield it returns
// its figures and what is left as units.  Figures count only once returned, so
// the units of a worker that dies or hangs are done again by another, and the
// totals are the same with any number of workers.
#ifndef CREW_SUPERVISOR_H
#define CREW_SUPERVISOR_H

#include "base/vec.h"
#include "explore/explore.h"
#include "explore/optimal/work.h"

#include <stdbool.h>
#include <stdint.h>

struct text;

// What runs in a worker.
struct crew_job {
    void *self;
    // Once per worker process, before anything else.
    bool (*open)(void *self);
    // Explore these units, or everything if there are none.  When the sink
    // says stop, append what is left to *rest; a strategy that cannot leaves
    // it empty.
    void (*run)(void *self, const struct explore_options *o,
                const struct work *units, uint32_t n,
                const struct explore_sink *sink, struct explore_result *r,
                struct work_list *rest);
    // The process is not to be trusted any more: replace it.  May be NULL.
    bool (*tainted)(void *self);
    // Put a bug in words for the supervisor.
    void (*tell)(void *self, const struct bug *bug, const struct schedule *s,
                 struct text *out);
    // Counts of the play.
    const struct play_counts *(*counts)(void *self);
};

struct crew_figures {
    struct explore_result result; // summed over all returned work
    uint64_t handler_runs, memo_hits;
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
    // A bug as `tell` put it; the key is that of bug_key().
    void (*bug)(void *self, uint64_t key, const char *text);
    void (*progress)(void *self, const struct crew_figures *so_far);
    // Now and then: all that is left, to be kept for a later resume.
    void (*checkpoint)(void *self, const struct crew_figures *so_far,
                       const struct crew_rest *rest);
    bool (*stop)(void *self);
};

struct crew_options {
    uint32_t workers;          // at most
    bool divisible;            // the strategy yields units
    double hung_seconds;       // no sign of life for so long: replaced; 0: 60
    double checkpoint_seconds; // 0: 10
    const struct crew_figures *before; // figures to go on from, or NULL
    struct crew_rest rest;             // to go on with; no units: everything
};

// Explore.  Final states are counted over all workers.
void crew_explore(const struct crew_job *job, const struct explore_options *o,
                  const struct crew_options *po, const struct crew_sink *sink,
                  struct crew_figures *out);

#endif
