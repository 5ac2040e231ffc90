// One question on its way through the steps: for the files that are steps.
#ifndef SOLVER_QUERY_H
#define SOLVER_QUERY_H

#include "base/map.h"
#include "base/vec.h"
#include "solver/backend.h"
#include "solver/solver.h"
#include "solver/store.h"

enum { RECENT_MOST = 12 };

// Conditions that share variables, and all variables in them.  The first
// n_asked are what was asked; the others come from the path, and hold under
// the base model.
struct query {
    VEC(term) conditions;
    uint32_t n_asked;
    VEC(uint32_t) vars;
    const struct model *base; // NULL: everything 0
    uint8_t has;              // TERM_HAS_... of all conditions
};

// Which of the 256 values of a byte satisfy a condition.
struct byte_mask {
    uint64_t at[4];
};

// The values of a term for each value of the one byte it depends on.
struct byte_table {
    uint64_t at[256];
};

// Conditions that cannot hold together.  One of them is the key in refuted_of,
// the others are listed.
struct refuted {
    uint32_t first, n; // in solver.refuted_terms
    uint32_t before;   // the list before it, MAP_NONE
};

struct solver {
    struct terms *ts;
    struct solver_options options;
    struct solver_figures figures;
    struct backend *backend;
    const char *reason;
    struct query query;
    struct backend_result result;
    struct model *recent[RECENT_MOST];
    uint32_t next_recent;
    struct map masks_of; // condition -> place in masks
    VEC(struct byte_mask) masks;
    struct map table_of; // term -> place in tables
    VEC(struct byte_table) tables;
    struct map refuted_of; // condition -> newest place in refuted
    VEC(struct refuted) refuted;
    VEC(term) refuted_terms;
    uint32_t n_logged;
    double until;   // by clock_now(); 0: no limit
    double wish_ms; // limit of queries for wishes; 0: those of the options
    double share;   // of the limits of the options, 0: all
};

// The conditions of the path that share variables with what is asked, and with
// each other.
void query_slice(struct solver *s, const struct path *p, const term *asked,
                 uint32_t n_asked);
// The conjuncts of a condition, pushed on a list.
void query_conjuncts(struct terms *ts, term condition, struct query *q);

// Do all conditions of the query hold under the model?
bool query_holds(struct solver *s, const struct model *m);
// The base model with these values of the query's variables, if all conditions
// hold under it by ir_eval(); else NULL.
struct model *query_model(struct solver *s, const u128 *values);

// Steps.  UNKNOWN: this step does not know.  SAT: *m is a model.
enum solver_answer step_recent(struct solver *s, struct model **m);
enum solver_answer step_bytes(struct solver *s, struct model **m);
enum solver_answer step_cache(struct solver *s);
// `last`: all other steps have given up, so it may take longer.
enum solver_answer step_tries(struct solver *s, bool last, struct model **m);
enum solver_answer step_numbers(struct solver *s, struct model **m);
// Are the conditions without divisions, products and floats refuted alone?
bool step_plain(struct solver *s);
enum solver_answer step_z3(struct solver *s, enum solver_step step,
                           struct model **m);
enum solver_answer step_second(struct solver *s, struct model **m);
// Which values of a byte satisfy a condition that depends on it alone.
struct byte_mask byte_mask(struct solver *s, term c, uint32_t var);
// Remember that the query's conditions cannot hold together.
void cache_refuted(struct solver *s);

// Is this step left out?
static inline bool without(const struct solver *s, enum solver_step step)
{
    return s->options.without >> step & 1;
}

#endif
