// Questions about terms: can these conditions hold together, and how?
//
// A question goes through cheap steps first; only what none of them answers is
// asked of Z3.  Every model is evaluated by term_judge() before it is believed.
// "Unsat" is a proof.  "Unknown" has a reason: a spent limit, an operation
// that no step decides, or a model that did not stand the test.
#ifndef SOLVER_SOLVER_H
#define SOLVER_SOLVER_H

#include "solver/path.h"
#include "solver/term.h"

enum solver_answer { SOLVER_SAT, SOLVER_UNSAT, SOLVER_UNKNOWN };

// The steps, in the order of trying.  X(name, text)
#define SOLVER_STEPS(X)                                                        \
    X(FOLD, "folded to a constant")                                            \
    X(FACTS, "known on the path")                                              \
    X(MODEL, "the path's model")                                               \
    X(BYTES, "masks of one byte")                                              \
    X(RECENT, "a recent model")                                                \
    X(CACHE, "asked before")                                                   \
    X(TRIES, "special values")                                                 \
    X(LINEAR, "linear integers")                                               \
    X(REALS, "reals")                                                          \
    X(SIMPLE, "Z3, simple solver")                                             \
    X(FULL, "Z3, whole solver")                                                \
    X(SECOND, "cvc5")

enum solver_step {
#define SOLVER_STEP_(name, text) SOLVER_STEP_##name,
    SOLVER_STEPS(SOLVER_STEP_)
#undef SOLVER_STEP_
        SOLVER_STEPS_N
};

// All zero is a fair default.
struct solver_options {
    uint32_t without; // mask of steps to leave out, for tests
    double simple_ms; // time of the simple solver; 0: 400
    double full_ms;   // time of the whole solver; 0: 1500
    uint32_t rlimit;  // Z3's resource units a query instead of time; 0: none
    uint64_t memory;  // bytes a query may take; 0: 1 GiB
    const char *log;  // folder for one SMT-LIB file per query; NULL: none
    const char *cvc5; // its command; NULL: no second opinion
    bool incremental; // go on from the last query's solver where possible
    bool whole;       // do not slice by shared variables, for tests
};

struct solver_figures {
    uint64_t questions;
    uint64_t sat[SOLVER_STEPS_N], unsat[SOLVER_STEPS_N]; // answered by
    uint64_t unknown;
    uint64_t broken; // models that term_judge() refuted
    double seconds;  // in Z3 and cvc5
};

struct solver; // opaque

// False in a build without Z3: steps SIMPLE, FULL, LINEAR and REALS do nothing.
bool solver_has_z3(void);
// Which Z3, "" without.
const char *solver_z3_version(void);

struct solver *solver_new(struct terms *ts, const struct solver_options *o);
void solver_free(struct solver *s);

// No question goes on after this moment of clock_now(); 0: no such moment.
void solver_until(struct solver *s, double moment);

// Questions have this share of their limits from now on: 1, or less.
void solver_share(struct solver *s, double share);

// Can the condition hold where those of the path do?  SAT: *m, if wanted, is a
// model of all of them, now the caller's.
enum solver_answer solver_ask(struct solver *s, const struct path *p,
                              term condition, struct model **m);
// The same for a conjunction that stands for itself.
enum solver_answer solver_check(struct solver *s, const term *conditions,
                                uint32_t n, struct model **m);
// Why the last answer was unknown, in a few words: "time", "memory", ...
const char *solver_reason(const struct solver *s);

// Of conditions that are unsat together: those that a proof needs, by their
// places, rising.  Returns how many; 0 if the question is not answered unsat
// again.  Conditions with equal non-zero labels go together; labels may be
// NULL: each by itself.
uint32_t solver_core(struct solver *s, const term *conditions,
                     const uint32_t *labels, uint32_t n, uint32_t *core);

// Take those conditions from the path that together refute this one, which
// was answered unsat.  False: they are not found, the path is as it was.
bool solver_loosen(struct solver *s, struct path *p, term condition);

// Can these conditions not hold together whatever float arithmetic gives within
// the ranges of its results?  False says nothing.  s NULL: look only at the
// order of the floats, which takes microseconds.
bool solver_refutes_roughly(struct solver *s, struct terms *ts,
                            const term *conditions, uint32_t n);

// Make the values of the path's model plain: small, zero, printable, as far as
// its conditions allow.  `first` are terms to make as small as possible before
// all others (counts); variables are taken in the order of creation.
void solver_label(struct solver *s, struct path *p, const term *first,
                  uint32_t n_first);

const struct solver_figures *solver_figures(const struct solver *s);
// What a step is called.
const char *solver_step_text(enum solver_step step);

#endif
