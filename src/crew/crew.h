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
#include <stddef.h>
#include <stdint.h>

struct text;

enum { CREW_MOST = 64 }; // workers on this machine

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
    // Did a handler leave this process in disorder?  Then it is replaced.
    // May be NULL.
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
    uint64_t runs_once;               // handler runs that were not repeated
    uint64_t peak_bytes;              // of the largest worker
    uint32_t workers, replaced, lost; // processes: most at once, tainted, died
    uint64_t orders;                  // that were given and done
    uint32_t died;       // processes of far workers, while they did an order
    uint32_t set_aside;  // units that killed processes again and again
    double finals_about; // final states, if there are more than were counted
    struct {
        uint32_t now, cores, gone; // workers, their cores, workers that left
        uint32_t most, most_cores;
        uint32_t out, left; // units given to workers, and held by nobody
        uint32_t most_out;
    } far;
};

// What is left of a search that has not ended, for a later run to go on with.
struct crew_rest {
    const struct work *units;
    uint32_t n_units;
    const uint64_t *finals; // hashes of the final states met
    uint64_t n_finals;
};

// How a crew_rest has changed.
struct crew_change {
    const uint64_t *gone; // units, by a hash of their bytes
    uint32_t n_gone;
    struct crew_rest came;
};

// What the supervisor tells its caller.
struct crew_sink {
    void *self;
    // A bug as `tell` put it; the key is that of bug_key().  It showed in the
    // schedule with this number, from 1, in the order of the work returned.
    void (*bug)(void *self, uint64_t key, const char *text, uint64_t nth);
    void (*progress)(void *self, const struct crew_figures *so_far);
    // Now and then: all that is left, to be kept for a later resume.  Returns
    // the size of what is kept.
    size_t (*checkpoint)(void *self, const struct crew_figures *so_far,
                         const struct crew_rest *rest);
    // What has changed since this or a checkpoint was told last, to be kept
    // before it returns.  NULL: checkpoints only.
    size_t (*changed)(void *self, const struct crew_figures *so_far,
                      const struct crew_change *change);
    bool (*stop)(void *self);
};

struct crew_options {
    uint32_t workers;          // at most
    bool divisible;            // the strategy yields units
    bool aside;                // one worker of several searches PART_STATES
    bool samples;              // units are samples: the search has no end
    double hung_seconds;       // without a word for this time: replaced; 0: 60
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
