// The solver behind all other steps: Z3, or nothing in a build without it.
#ifndef SOLVER_BACKEND_H
#define SOLVER_BACKEND_H

#include "base/vec.h"
#include "solver/solver.h"

// How a question is put.
enum backend_way {
    BACKEND_SIMPLE,  // bit-vectors, the solver without preprocessing
    BACKEND_FULL,    // bit-vectors and floats, the solver for their logic
    BACKEND_NUMBERS, // integers that do not wrap and reals: sat is a guess,
                     // anything else says nothing
};

struct backend_query {
    enum backend_way way;
    const term *conditions;
    uint32_t n;
    const uint32_t *vars; // whose values are wanted
    uint32_t n_vars;
    double ms;        // of work
    double wall_ms;   // at most, on a busy machine
    uint32_t rlimit;  // 0: none
    uint64_t memory;  // bytes, in a child
    bool child;       // in a process of its own, which is killed when late
    bool incremental; // go on from what the last such query asserted
};

struct backend_result {
    enum solver_answer answer;
    const char *reason; // of unknown
    VEC(u128) values;   // sat: of the variables asked for
};

struct backend;

struct backend *backend_new(struct terms *ts);
void backend_free(struct backend *b);
bool backend_exists(void);
const char *backend_version(void);

// r->values is reused from call to call.
void backend_ask(struct backend *b, const struct backend_query *q,
                 struct backend_result *r);
// The groups that a proof needs: in[i] is set for each group i < n_groups of
// the conditions' groups.  False if the answer is not unsat.
bool backend_core(struct backend *b, const struct backend_query *q,
                  const uint32_t *groups, uint32_t n_groups, bool *in);
// The question as an SMT-LIB script; its variables are v0, v1... by number.
void backend_script(struct backend *b, const struct backend_query *q,
                    struct text *out);

#endif
