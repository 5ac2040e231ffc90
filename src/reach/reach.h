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

#include <sys/types.h>

struct diag;
struct flow;

// OPEN while it is looked for.  COVERED by a case that was confirmed or a test.
// UNREACHABLE: by the message flow graph no actor runs its function.
// INFEASIBLE: proved.  EXHAUSTED, TIMEOUT: not found by the end of the search,
// or of the time.  UNSUPPORTED: a native run passes it, but actors share
// memory, so no case is confirmed.  UNCONFIRMED: a native run passes it, and no
// case was confirmed for another reason, or it was called unreachable or
// infeasible.
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
    uint32_t found;       // covered: by this case,
    const char *test;     // or by this test of the program's; NULL: by a case
    double seconds;       // covered: how long that took
    const char *why;      // in words, NULL: nothing to add
    const char *backward; // what the backward search says, NULL: nothing
    bool bounded;         // it saw all within the bounds that it names,
    bool searched;        // and higher bounds would change nothing
    uint32_t lost;        // its ways that no run confirmed
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

// Which engines search.  X(name, text)
#define REACH_SEARCHES(X)                                                      \
    X(AUTO, "auto")                                                            \
    X(FUZZ, "fuzz")                                                            \
    X(CONCOLIC, "concolic")                                                    \
    X(PROOFS, "proofs")                                                        \
    X(RANDOM, "forward-random")                                                \
    X(TAP_RANDOM, "random") /* backward: table 3 of TAP, ECOOP 2018 */         \
    X(TAP_H1, "h1")                                                            \
    X(TAP_H2, "h2")                                                            \
    X(TAP_H1H2, "h1h2")                                                        \
    X(TAP_HF, "hf")

enum reach_search {
#define REACH_SEARCH_(name, text) REACH_##name,
    REACH_SEARCHES(REACH_SEARCH_)
#undef REACH_SEARCH_
        REACH_SEARCHES_N
};
const char *reach_search_text(enum reach_search s);

struct reach_options {
    const char *system;
    enum delivery delivery;
    const char *params; // "n=3", NULL: none
    const char *any;    // names of parameters that are free, separated by
                        // blanks; NULL: all that params does not give
    uint64_t seed;
    double seconds;    // for each target; 0: no bound
    double total;      // for all of it; 0: no bound
    bool cpu;          // times are processor time
    uint64_t runs;     // native runs; 0: no bound
    uint32_t messages; // posts at most, 0: as many as it takes
    uint32_t actors;   // actors at most, likewise
    uint32_t loop;     // turns of a loop that handlers are followed through,
                       // 0: as many as the time allows
    bool shared;       // actors may share memory: cases are replayed so
    enum reach_search search;
    bool alloc_fails;   // memory may run out
    bool with_tests;    // the program's own tests count, too
    bool (*stop)(void); // asked now and then; NULL: never
};

// The three builds of the program, as shared objects: with marks and operands
// of comparisons (IR_TRACE), with a counter for each mark (IR_COUNT), and as it
// is.
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
    pid_t worker;  // that runs the program now, 0: none
    uint32_t left; // targets that were open when the search began
    bool proved;   // proofs were tried as far as they go
    bool late, interrupted;
    const char *shares; // why cases could not be replayed: actors share memory
                        // that only a live run has; NULL: nothing of the kind
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

// Does nobody know yet how to get there, or that there is no way?
bool reach_is_open(const struct reach *r, const struct reach_target *t);
double reach_elapsed(const struct reach *r);
// Seconds until the time is up, INFINITY: it is not bounded.  In processor time
// it says nothing of the clock, and is INFINITY, too.
double reach_left(const struct reach *r);
// Is the time up, or was the search interrupted?
bool reach_over(struct reach *r);

// ---- for the files of reach ------------------------------------------------

// The share of an engine in one round; whatever is reached first ends it.
struct reach_turn {
    uint32_t round;   // from 0
    double seconds;   // of processor time, 0: no bound
    double most;      // the same as long as something is found
    uint64_t runs;    // native runs, 0: no bound
    uint64_t stale;   // of the fuzzer: runs without news, 0: no bound
    uint64_t queries; // of the solver, 0: no bound
};

// Engines: false with d set if the program cannot be run.
bool reach_fuzz(struct reach *r, const struct reach_turn *turn, struct diag *d);
bool reach_concolic(struct reach *r, const struct reach_turn *turn,
                    struct diag *d);
bool reach_backward(struct reach *r, const struct reach_turn *turn,
                    struct diag *d);
// Proofs that targets are infeasible (proof/proof.h).
bool reach_prove(struct reach *r, const struct reach_turn *turn,
                 struct diag *d);
// A target that was called unreachable or infeasible, and that a native run
// passed all the same, is unconfirmed: a bug of ours.
void reach_doubt(struct reach *r);
// Has no run come to the end of the setup, so that none ever will?  True with d
// set.  `over`: the search is at its end, and no parameter helped.
bool reach_setup_fails(struct reach *r, bool over, struct diag *d);
// Do the parameters "n=3 m=4" give this one a value?
bool reach_gives(const char *params, const char *name);
// Why nothing was found, in words.
const char *reach_why_open(struct reach *r, const struct reach_target *t);
// Run the program's own tests, and mark what they pass.
bool reach_own_tests(struct reach *r, struct diag *d);
// Make cases for targets that the pool has inputs for, replay them, mark what
// they pass.  The fuzzer's program must not be loaded.
bool reach_confirm(struct reach *r, struct diag *d);

#endif
