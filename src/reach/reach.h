// A test that gets to a given place of a program.
//
// Several engines work on one search in turn.  They share the targets, one pool
// of inputs with the places and sides seen so far (pool.h), and the cases made
// of them.  What an engine finds counts only when a case of it was replayed
// natively: on an instrumented build, which must pass the place, and on a plain
// one, which must do the same steps with the same outcome.
#ifndef REACH_REACH_H
#define REACH_REACH_H

#include "ir/targets.h"
#include "play/case.h"
#include "play/delivery.h"
#include "reach/pool.h"

struct diag;
struct flow;

#define REACH_STATUSES(X)                                                      \
    X(OPEN, "open")                                                            \
    X(COVERED, "covered")                                                      \
    X(UNREACHABLE, "unreachable")                                              \
    X(INFEASIBLE, "infeasible")                                                \
    X(EXHAUSTED, "exhausted")                                                  \
    X(TIMEOUT, "timeout")                                                      \
    X(UNSUPPORTED, "unsupported")                                              \
    X(UNCONFIRMED, "unconfirmed")

enum reach_status {
#define REACH_STATUS_(name, text) REACH_##name,
    REACH_STATUSES(REACH_STATUS_)
#undef REACH_STATUS_
        REACH_STATUSES_N
};
const char *reach_status_text(enum reach_status s);

struct reach_target {
    struct ir_target at;
    bool wanted; // somebody asked for it
    enum reach_status status;
    uint32_t found;  // covered: by this case
    double seconds;  // covered: after so long
    const char *why; // in words, NULL: nothing to add
};

// A case that was replayed.
struct reach_case {
    struct test_case c;
    uint32_t target; // that it was made for
    uint64_t cost;   // of its run, as runner_cost() has it
    bool confirmed;
    uint32_t covers;  // targets that no case before it does
    const char *path; // where it is kept, NULL: nowhere
};

struct reach_options {
    const char *system;
    enum delivery delivery;
    const char *params; // "n=3", NULL: none
    const char *any;    // names of parameters that are free, separated by
                        // blanks; NULL: all that params does not give
    uint64_t seed;
    double seconds;     // for all of it; 0: no bound
    uint64_t runs;      // native runs; 0: no bound
    uint32_t messages;  // posts at most, 0: as many as it takes
    uint32_t actors;    // actors at most, likewise
    bool random;        // nothing but the plain random generator
    bool (*stop)(void); // asked now and then; NULL: never
};

// The three builds of the program, as shared objects.
struct reach_builds {
    const char *traced, *counted, *plain;
};

struct reach {
    const struct ir *ir;
    const struct flow *flow;
    struct reach_options o;
    struct reach_builds builds;
    struct test_case origin; // sources, flags: what every case begins with
    struct arena arena;
    struct reach_model model;
    struct pool *pool;
    VEC(struct reach_target) targets;
    VEC(struct reach_case) cases;
    double began;
    bool late, interrupted;
};

// Ready to search: all targets are open and not wanted.  False with d set.
// Borrows ir, flow and the strings of the options.
bool reach_open(struct reach *r, const struct ir *ir, const struct flow *flow,
                const struct reach_options *o, const struct reach_builds *b,
                struct diag *d);
void reach_close(struct reach *r);

// Every wanted target has a status other than open afterwards.  False with d
// set if nothing could be searched.
bool reach_search(struct reach *r, struct diag *d);

double reach_elapsed(const struct reach *r);
// Is the time up, or was the search interrupted?
bool reach_over(struct reach *r);

// ---- for the files of reach ------------------------------------------------

// Let the fuzzer run; false with d set if the program cannot be run.
bool reach_fuzz(struct reach *r, struct diag *d);
// Make cases for targets that the pool has inputs for, replay them, mark what
// they pass.  The fuzzer's program must not be loaded.
bool reach_confirm(struct reach *r, struct diag *d);

#endif
