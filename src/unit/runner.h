// Running a function natively on an input, in a process apart.
//
// The child loads the shared object of the subject, lays the objects of the
// input out in memory, calls the function's thunk and says what came of it as C
// values.  What it passed shows in a map that it shares with us, also if it
// dies.
#ifndef UNIT_RUNNER_H
#define UNIT_RUNNER_H

#include "unit/input.h"
#include "unit/subject.h"

enum runner_end {
    RUNNER_RETURNED,
    RUNNER_SIGNALLED,
    RUNNER_EXITED,
    RUNNER_REFUSED, // the precondition does not hold
    RUNNER_LATE     // no end within the time
};

struct runner_outcome {
    enum runner_end end;
    int number;     // of the signal; the status of an exit
    uint32_t trap;  // hit of the first check that failed, IR_NOTHING: none
    uint64_t steps; // comparisons on the way
    VEC(struct call_value) after; // results, and what objects hold then
    VEC(uint32_t) freed;          // objects of the input that were freed
    uint8_t *hits;                // by hit, 1: passed; in the arena
};

// Begin and end: the map that runs share with us.
bool runner_open(const struct unit_subject *s, struct diag *d);
void runner_close(void);

// fill: what uninitialised memory holds.  False if the child could not begin.
// pre: IR_NOTHING, or a function that must hold before.
bool runner_run(const struct unit_subject *s, struct arena *a,
                const struct ir_fn *f, uint32_t pre, const struct input *in,
                uint8_t fill, struct runner_outcome *out);
void runner_release(struct runner_outcome *o);
// Two outcomes made one: what differs is taken out of `after`.  Returns how
// many values that are; -1 if they end differently.
int runner_agree(struct runner_outcome *a, const struct runner_outcome *b);

// ---- for those who run many inputs in one process ---------------------------

struct runner_process; // a loaded object, in a child of ours

struct runner_process *runner_load(const struct unit_subject *s, uint8_t fill);
// Where an input lies: an address per object.
struct runner_layout {
    char **at;
    void **params; // of the thunk
};
void runner_lay_out(struct runner_process *p, const struct input *in,
                    struct arena *a, struct runner_layout *l);
typedef void runner_thunk(void **in, void *out);
runner_thunk *runner_function(struct runner_process *p, const struct ir_fn *f);
// Where a function of the program is.
uint64_t runner_address(struct runner_process *p, uint32_t fn);
// What exit() does instead.
void runner_on_exit(struct runner_process *p, void (*exit)(int status));
// Does the precondition hold for what is laid out?
bool runner_allows(struct runner_process *p, runner_thunk *pre,
                   const struct input *in, const struct runner_layout *l);
// Put all variables of the program back to what they were at first.
void runner_reset(struct runner_process *p);
// Give back what the program allocated.
void runner_forget(struct runner_process *p);

#endif
