// A search in worker processes under a supervisor.
//
// The supervisor owns the findings and never runs the program.  A worker is a
// forked process that explores units of work; when asked to yield it returns
// its figures and what is left as units.  Figures count only once returned, so
// the units of a worker that dies or hangs are done again by another, and the
// totals are the same with any number of workers.
#ifndef EXPLORE_POOL_H
#define EXPLORE_POOL_H

#include "base/vec.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

struct text;

// A unit of work, written down.
struct pool_unit {
    void *bytes; // malloc'ed
    uint32_t size;
};

struct pool_units {
    VEC(struct pool_unit) list;
};

void pool_units_add(struct pool_units *u, const void *bytes, uint32_t size);
void pool_units_free(struct pool_units *u);

// What runs in a worker.
struct pool_job {
    void *self;
    // Once per worker process, before anything else.
    bool (*open)(void *self);
    // Explore these units, or everything if there are none.  When the sink
    // says stop, append what is left to *rest; a strategy that cannot leaves
    // it empty.
    void (*run)(void *self, const struct explore_options *o,
                const struct pool_unit *units, uint32_t n,
                const struct explore_sink *sink, struct explore_result *r,
                struct pool_units *rest);
    // The process is not to be trusted any more: replace it.  May be NULL.
    bool (*tainted)(void *self);
    // Put a bug in words for the supervisor.
    void (*tell)(void *self, const struct bug *bug, const struct schedule *s,
                 struct text *out);
    // Counts of the play.
    const struct play_counts *(*counts)(void *self);
};

struct pool_figures {
    struct explore_result result; // summed over all returned work
    uint64_t handler_runs, memo_hits;
    uint64_t peak_bytes;              // of the largest worker
    uint32_t workers, replaced, lost; // processes: most at once, tainted, died
};

// What a search leaves behind to be gone on with.
struct pool_rest {
    const struct pool_unit *units;
    uint32_t n_units;
    const uint64_t *finals; // hashes of the final states met
    uint64_t n_finals;
};

// What the supervisor tells its caller.
struct pool_sink {
    void *self;
    // A bug as `tell` put it; the key is that of bug_key().
    void (*bug)(void *self, uint64_t key, const char *text);
    void (*progress)(void *self, const struct pool_figures *so_far);
    // Now and then: all that is left, to be kept for a later resume.
    void (*checkpoint)(void *self, const struct pool_figures *so_far,
                       const struct pool_rest *rest);
    bool (*stop)(void *self);
};

struct pool_options {
    uint32_t workers;          // at most
    bool divisible;            // the strategy yields units
    double hung_seconds;       // no sign of life for so long: replaced; 0: 60
    double checkpoint_seconds; // 0: 10
    const struct pool_figures *before; // figures to go on from, or NULL
    struct pool_rest rest;             // to go on with; no units: everything
};

// Explore.  Final states are counted over all workers.
void pool_explore(const struct pool_job *job, const struct explore_options *o,
                  const struct pool_options *po, const struct pool_sink *sink,
                  struct pool_figures *out);

#endif
