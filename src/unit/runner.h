// Running a function natively on an input, in a process apart.
//
// The child loads the shared object of the subject, lays the objects of the
// input out in memory, calls the function's thunk and tells the result as C
// values.  The places that it passed are in a map that it shares with us: they
// are known even if the child dies.
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

enum { RUNNER_REPEATS = 16 };

struct runner_outcome {
    enum runner_end end;
    int number;     // of the signal; the status of an exit
    uint32_t trap;  // hit of the first check that failed, IR_NOTHING: none
    uint64_t steps; // comparisons on the way
    uint32_t allocations; // that the call made
    uint64_t fault; // of SIGSEGV: the address; 0: unknown
    // Of a run that is late: do its comparisons come again and again, with the
    // same values?  Then these are all of them (ir.h, "places").
    uint32_t repeats[RUNNER_REPEATS];
    uint32_t n_repeats;            // 0: they do not
    VEC(struct call_value) after;  // results, and what objects hold then
    VEC(struct call_value) before; // variables that it changed, before it
    VEC(uint32_t) freed;           // objects of the input that were freed
    uint8_t *hits;                 // by hit, 1: passed; in the arena
};

// Make and remove the map that runs share with us.
bool runner_open(const struct unit_subject *s, struct diag *d);
void runner_close(void);

// Where objects of the input lie: with room around them, or next to a page that
// may not be touched, so that an access outside ends the run.  With BEFORE and
// FENCED, memory that was freed may not be touched any more, either.  With HEAP
// only what the program allocates lies before such a page.
enum runner_guard {
    RUNNER_PLAIN,
    RUNNER_BEHIND,
    RUNNER_BEFORE,
    RUNNER_FENCED,
    RUNNER_HEAP
};

// fill: what uninitialised memory holds.  False if the child could not begin.
// pre: IR_NOTHING, or a function that must hold before.
bool runner_run(const struct unit_subject *s, struct arena *a,
                const struct ir_fn *f, uint32_t pre, const struct input *in,
                uint8_t fill, enum runner_guard guard,
                struct runner_outcome *out);
void runner_release(struct runner_outcome *o);
// Join two outcomes: values that differ are taken out of a->after.  Returns how
// many these are; -1 if the two runs end differently.
int runner_agree(struct runner_outcome *a, const struct runner_outcome *b);

// ---- many inputs in one process ---------------------------------------------

struct runner_process; // a loaded object, in a child of ours

struct runner_process *runner_load(const struct unit_subject *s, uint8_t fill,
                                   enum runner_guard guard);
// Where an input lies: an address per object.
struct runner_layout {
    char **at;
    void **files; // of objects that are files: the FILE, else NULL
    void **params; // of the thunk
};
void runner_lay_out(struct runner_process *p, const struct input *in,
                    struct arena *a, struct runner_layout *l);
// Open the files of an input anew; with `texts`, each holds its bytes up to the
// first zero.
void runner_open_files(const struct input *in, struct runner_layout *l,
                       bool texts);
typedef void runner_thunk(void **in, void *out);
runner_thunk *runner_function(struct runner_process *p, const struct ir_fn *f);
// Where a function of the program is.
uint64_t runner_address(struct runner_process *p, uint32_t fn);
// Let exit() of the program call this function instead.
void runner_on_exit(struct runner_process *p, void (*exit)(int status));
// Does the precondition hold for what is laid out?
bool runner_allows(struct runner_process *p, runner_thunk *pre,
                   const struct input *in, const struct runner_layout *l);
// Put all variables of the program back to what they were at first.
void runner_reset(struct runner_process *p);
// Give back what the program allocated.
void runner_forget(struct runner_process *p);

#endif
