// The worker's side of the pool, and the words both sides use.
#ifndef CREW_WORKER_H
#define CREW_WORKER_H

#include "crew/supervisor.h"
#include "crew/shared_set.h"

#include <stdatomic.h>

enum frame_kind {
    // to the worker
    FRAME_UNIT, // one more unit
    FRAME_GO,   // explore_options: begin with the units sent
    // to the supervisor
    FRAME_BUG,      // u64 key, text
    FRAME_PROGRESS, // explore_result
    FRAME_REST,     // one unit that is left
    FRAME_DONE,     // struct worker_done
};

struct worker_done {
    struct explore_result result;
    struct play_counts counts;
    uint64_t peak_bytes;
    bool tainted;
};

enum { KNOWN_BUGS = 1000 };

// Memory that supervisor and workers share.  The supervisor writes, workers
// read; only the set of final states is everybody's.
struct worker_board {
    struct shared_set *finals;
    atomic_int yield[64]; // by worker: asks for an early return
    atomic_uint n_known;  // bugs told by some worker; grows
    uint64_t known[KNOWN_BUGS];
    bool divisible; // what is left of a search can be handed back
};

// Serve as worker `me` until the stream ends, then exit.
_Noreturn void worker_serve(const struct crew_job *job, int in, int out,
                            struct worker_board *board, uint32_t me);

#endif
