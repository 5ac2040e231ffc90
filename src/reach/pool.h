// What all engines know and add to: inputs that showed something, places and
// sides that were seen, and for each side that was not the inputs that came
// nearest.  It lies in memory that processes share, so a worker that dies loses
// nothing.
#ifndef REACH_POOL_H
#define REACH_POOL_H

#include "reach/input.h"

enum {
    POOL_NAMES = 32,
    POOL_NAME = 64,
    POOL_NUMBERS = 256,
    POOL_TEXTS = 64,
    POOL_TEXT = 48,
    POOL_WHY = 160,
};

// How a run ended.
enum run_end {
    RUN_DRAINED, // nothing was left to receive
    RUN_BOUND,   // at its bound on receives
    RUN_TRAPPED, // a check failed, an assertion, abort, exit, a signal
    RUN_LATE,    // too much work, or too much memory
};

// An input that is kept.
struct kept_input {
    enum run_end end;
    uint32_t receives;
    uint64_t cost; // of its run, as runner_cost() has it
    struct input input;
};

enum { SIDE_FALSE = 1, SIDE_TRUE = 2 };
enum { NEAR_BY_VALUE, NEAR_BY_BITS, NEAR_N };

// The input that came nearest to a side that was not seen.
struct near {
    bool known;
    bool bad;          // its run ended in a trap or at a bound
    uint32_t attempts; // to reach the side from here
    uint32_t longs;    // long runs among all attempts so far
    uint64_t cost;
    double distance;
    struct input input;
};

struct pool_name {
    char name[POOL_NAME];
    uint32_t cls; // in ir.classes
};

// Questions for one side, by answer.
struct pool_asked {
    uint32_t yes, no, open;
};

// What concolic search did.
struct pool_concolic {
    uint64_t followed; // runs
    uint64_t partly;   // of these, not followed to their end
    uint64_t diverged; // of these, because the IR differed: a bug of ours
    uint64_t asked, sat, unsat, unknown; // questions
    uint64_t missed; // answers whose run did not take the side after all
    char partly_why[POOL_WHY], diverged_why[POOL_WHY], missed_at[POOL_WHY];
};

struct pool {
    uint32_t n_hits, n_compares, n_room;
    // Figures.
    uint64_t runs, receives, long_receives;
    double began;
    uint64_t news; // run that showed something new last
    uint32_t lost; // workers that died
    uint32_t n_inputs;
    uint32_t n_names, n_numbers, n_floats, n_texts;
    struct pool_name names[POOL_NAMES]; // receptionists
    uint64_t numbers[POOL_NUMBERS];     // seen in comparisons
    double floats[POOL_NUMBERS];
    char texts[POOL_TEXTS][POOL_TEXT];
    struct pool_concolic concolic;
    bool set_up;          // some run has completed the setup
    double helpers; // processor time of the worker's own processes, so far
    struct input current; // what runs now
    bool stop;
    // Arrays that lie behind this struct.
    unsigned char *hit;       // by hit: was it seen?
    struct pool_asked *asked; // by hit: what the solver said
    uint32_t *first;          // by hit: the first input, in `inputs`
    uint64_t *when;           // by hit: milliseconds after `began`
    unsigned char *side;      // by comparison
    struct near *near;        // by comparison, NEAR_N each
    struct kept_input *inputs;
};

// NULL without memory.
struct pool *pool_new(uint32_t n_hits, uint32_t n_compares);
void pool_free(struct pool *p);

// Keep an input; false if there is no room.
bool pool_keep(struct pool *p, const struct input *in, enum run_end end,
               uint32_t receives, uint64_t cost);
// The name's number, added with its class if it is new; POOL_NAMES if there is
// no room.
uint32_t pool_name(struct pool *p, const char *name, uint32_t cls);
void pool_number(struct pool *p, uint64_t v, uint64_t chance);
void pool_float(struct pool *p, double v, uint64_t chance);
void pool_text(struct pool *p, const char *s, size_t n, uint64_t chance);
// Is exactly one side of this comparison seen?
bool pool_open(const struct pool *p, uint32_t site);

#endif
