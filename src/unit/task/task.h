// Cases of a task: a handler together with whom it asks and with what its actor
// handles while it waits.
//
// A case is a test in C whose body makes the actors, sends the call and the
// messages that wait, and checks the answer and the states afterwards; and the
// order of receives that it needs, in words.
#ifndef UNIT_TASK_TASK_H
#define UNIT_TASK_TASK_H

#include "flow/flow.h"
#include "symex/symex.h"
#include "unit/sides.h"

enum { TASK_ACTORS = 10 }; // that take part at most

struct task_options {
    const struct ir *ir;
    const struct flow *flow; // an open one
    uint32_t cls, msg, fn, behaviour;
    uint32_t pre;                   // IR_NOTHING: none
    uint32_t switches, queue, loop; // the bounds
    uint32_t ticks;          // how often timers of one kind fire in a test
    bool all;                // list all orders; else one for each set of sides
                             // that the handler takes, and loops are turned
                             // more often where that is needed
    unsigned prunings;       // FLOW_PRUNE_...
    const uint8_t *policies; // per class, NULL: all orders
    bool distinct, stopped, every_object, overflow;
    double seconds;
};

enum task_end { TASK_RETURNS, TASK_TRAPS };

// Strings live in the arena of the search.
struct task_case {
    enum task_end end;
    const char *name;
    const char *before;    // declarations that the test needs, "" if none
    const char *decisions; // "n > 0 (12): true; ..."
    const char *body;
    const char *steps; // "a#1 p<test; ...", as a schedule has them
    const char *given, *waiting, *call, *result; // for a reader
    const char *trap;  // kind of bug that it ends with, NULL: none
    bool waits;        // in the end another task waits for ever
    const char *null;  // the given pointer that was followed, NULL: none
    uint32_t fn, inst; // where it traps
    uint32_t labels, receives;
    uint64_t key;   // of its result
    uint8_t *sides; // by side: taken on the path
};

// A task that never goes on.
struct task_stuck {
    uint32_t fn, inst;
    const char *fields; // of self that its condition reads, "" if unknown
    const char *given, *waiting, *call;
    uint32_t receives;
};

// How a side is taken: on some path, on one that can be a test.  The task may
// wait for ever on the others, or another one may trap.
enum { TASK_SIDE_SEEN = 1, TASK_SIDE_ENDS = 2 };

struct task_found {
    VEC(struct task_case) cases;  // simplest first
    VEC(struct task_stuck) stuck; // one a place
    VEC(const char *) notes;      // what stopped it, each once
    VEC(const char *) remarks;    // what else was seen
    VEC(uint64_t)
    results;         // what comes of it: sides that the handler
                     // takes, how it ends, whether and with
                     // which constants it answers
    uint8_t *sides;  // by side: TASK_SIDE_...
    uint64_t orders; // that were followed to their ends
    uint64_t cut_switches, cut_actors, cut_loops, asleep;
    bool more;     // a message more could have waited
    bool others;   // an actor that was given handled something
    bool complete; // every order was followed, none was cut
    bool stopped;  // the time was up
    bool died;
    uint32_t loop; // the last bound
    uint32_t n_related, related[64];
    double seconds;
};

// Runs in a process of its own.
void task_search(const struct task_options *o, const struct sides *sides,
                 struct arena *a, struct task_found *out);
void task_found_free(struct task_found *f);

// ---- source.c -----------------------------------------------------------

struct task_path {
    const struct task_options *o;
    const struct sides *sides;
    struct sx_run *run;
    struct terms *ts;
    const struct sx_path *path;
    const struct model *model; // made plain
    const uint8_t *fresh; // by side: it tells the case from those before it;
                          // NULL: unknown
};

// The case of a path; false if it cannot be set up natively: *why.
bool task_case_of(const struct task_path *p, struct arena *a,
                  struct task_case *c, const char **why);
// What the actors are and which messages wait, for a reader.
const char *task_given(const struct task_path *p, struct arena *a);
const char *task_waiting(const struct task_path *p, struct arena *a);
const char *task_call(const struct task_path *p, struct arena *a);

#endif
