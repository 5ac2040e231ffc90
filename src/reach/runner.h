// A run under way: what the files of the runner share.
#ifndef REACH_RUNNER_H
#define REACH_RUNNER_H

#include "base/rng.h"
#include "play/case.h"
#include "reach/run.h"
#include "reach/tale.h"
#include "runtime/seam.h"
#include "runtime/solo/solo.h"
#include "stage/guest.h"
#include "stage/hits.h"

#include <setjmp.h>

struct picked {
    uint32_t step, pick;
    bool allocates; // not an answer to choose(), but 1 if an allocation fails
};

struct runner {
    struct run_options o;
    struct heap_arena *heap;
    struct hits_watcher watcher;
    struct guest_host host;
    unsigned char *map; // places passed, by hit
    struct touch *touch;
    VEC(uint32_t) touched;
    VEC(void *) stacks;
    uint32_t stacks_used;
    unsigned char *globals; // as they are before a run; NULL: too many
    size_t globals_size;
    const tr_msg **types; // by model message
    sigjmp_buf leave;
    // The run under way:
    const struct input *in;
    tr_runtime *runtime;
    tr_ctx *ctx;
    tr_ref refs[POOL_NAMES];
    struct rng rng;  // of the input: the same in every run of it
    struct rng dice; // of the pool
    uint32_t ordered, picked, allocations;
    bool posting; // a message is posted now
    bool in_order;
    bool running;
    bool set_up;
    int64_t work, budget; // comparisons left, and at the beginning
    uint64_t number;
    uint64_t receives;
    uint32_t posted;
    uint32_t ticks;
    uint64_t tick_run;
    bool news, nearer;
    enum run_end end;
    // Following wishes (wish.c), NULL: there are none.
    const struct run_wish *wishes;
    uint32_t n_wishes, wish, granted;
    struct input *follows;
    // Telling it (tale.c), NULL: it is not told.
    struct tale *tale;
    struct solo_tale teller;
    // Making a case of it:
    bool recording;
    struct solo_option noted; // the last step
    uint32_t noted_twin;
    bool noted_now; // the receive that comes next
    uint32_t steps;
    VEC(struct picked) picks;
    struct arena *case_arena;
    struct test_case *c;
};

// The runner of this process.  A global, because signal handlers and the
// program's calls have no context.
extern struct runner *the_runner;

// ---- run_host.c: what the runtime and the program ask for -------------------

_Noreturn void runner_leave(struct runner *r, enum run_end end);
// Memory of the run, from its arena; a run that asks for too much is left.
void *runner_get(void *user, size_t size, size_t align);
// Is a receive of this run told without those that might have come instead?  A
// run that is recorded must know which of several messages that look alike it
// receives; in `pair` only one of them is the next.
bool runner_told_alone(const struct runner *r);
// Open the runtime for the run under way.
bool runner_open_runtime(struct runner *r, const char *params);
// Note all that was exposed: who it is, and what it is called.
void runner_meet(struct runner *r);
// Once for all runs: what guests ask for, and which signals end a run.
void runner_serve(struct runner *r);
void runner_catch_signals(void);

// ---- run.c ------------------------------------------------------------------

// The run itself: places passed, how it ended; nothing is noted in the pool.
void runner_play(struct runner *r, const struct input *in);
void runner_params(const struct runner *r, char *out, size_t size);

// ---- wish.c: the order that somebody wishes for -----------------------------

uint32_t runner_wished(struct runner *r, const struct solo_option *o,
                       uint32_t n);

// ---- run_watch.c: comparisons -----------------------------------------------

void runner_watch(struct runner *r);

// ---- run_case.c: what a case says of a run ----------------------------------

void runner_note_step(struct runner *r, const struct solo_option *o,
                      uint32_t i);
// `before` are the equal posts of the same gene that were noted.
void runner_note_post(struct runner *r, const struct gene *g,
                      const unsigned char *payload, uint32_t before);

#endif
