// One input, run natively: the instrumented program under a live manager on one
// thread, with a chooser.
//
// One runner at a time in a process: the program's own calls have no context.
#ifndef REACH_RUN_H
#define REACH_RUN_H

#include "play/delivery.h"
#include "reach/pool.h"

struct diag;
struct program;
struct runner;
struct tale;
struct test_case;
struct tr_system;

// The bound on ticks of runs, and of the cases made of them.
enum { RUN_TICKS = 8 };

// What the operands of a comparison were where it came nearest to the side that
// was not seen.
struct touch {
    uint64_t run; // number of the run that showed it
    double distance[NEAR_N];
    bool is_float;
    uint32_t bits;
    uint64_t a, b;
    double x, y;
};

struct run_options {
    const struct program *program; // instrumented with IR_TRACE, loaded
    const struct tr_system *system;
    const struct reach_model *model;
    struct pool *pool;
    enum delivery delivery;
    const char *params; // given by the user, "n=3"; NULL: none
    uint32_t fixed;     // a bit for each parameter that the user gave
    uint32_t messages;  // posts at most, 0: no bound
    uint32_t actors;    // likewise
    bool alloc_fails;   // allocations that an input names fail
};

// NULL with d set.  Signals and memory are the runner's until its process ends.
struct runner *runner_new(const struct run_options *o, struct diag *d);
const struct run_options *runner_options(const struct runner *r);

// Run it, note what it shows in the pool, keep it if it shows something new.
// True if it did.
bool runner_try(struct runner *r, const struct input *in);
// Run it and tell what it does; nothing is noted in the pool.
void runner_tell(struct runner *r, const struct input *in, struct tale *t);
// The actor that a name of the pool was in the last run; 0: none.
uint32_t runner_actor(const struct runner *r, uint32_t name);
// Did the last run come nearer to an open side than all before?
bool runner_nearer(const struct runner *r);
enum run_end runner_end(const struct runner *r);
// How many receives the last run had.
uint64_t runner_receives(const struct runner *r);
// How many blocks the program asked for in the last run, if they may fail.
uint32_t runner_allocations(const struct runner *r);
// About how long the last run took, the same in every repetition.
uint64_t runner_cost(const struct runner *r);
// Did the last run pass this place?
bool runner_hit(const struct runner *r, uint32_t hit);
// What the last run showed of a comparison whose other side is open; NULL:
// nothing.
const struct touch *runner_touch(const struct runner *r, uint32_t site);

// Run it once more and write it as a case: parameters, posts, and the receives
// as steps.  That all posts stand first changes nothing: a message posted later
// is one received later.  In `mailbox`, where the place of a post matters, the
// runner posts all of them first itself.  False if the run does not pass `hit`.
bool runner_case(struct runner *r, const struct input *in, uint32_t hit,
                 struct arena *a, struct test_case *c);
// After that: the places it passed, by hit.
const unsigned char *runner_map(const struct runner *r);

#endif
