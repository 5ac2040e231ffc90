// The conditions of one symbolic path, with what follows from them by syntax
// and one model that satisfies them.
//
// A path is a value: path_fork() is cheap and both go on by themselves.  What
// is known of a term on a path is a range lo..hi: a condition that was added
// is 1..1, its negation 0..0, x == 3 makes x 3..3 and x < 5 makes it 0..4.
#ifndef SOLVER_PATH_H
#define SOLVER_PATH_H

#include "base/vec.h"
#include "solver/term.h"

struct path_log; // what forks share; opaque

// All zero is the path without conditions, whose model has all variables 0.
struct path {
    struct path_log *log;
    uint32_t n, n_facts;
    struct model *model; // satisfies all conditions; NULL: everything 0
};

// A second owner of the same path.
struct path path_fork(const struct path *p);
void path_release(struct path *p);

// Add a condition.  The caller must keep the model right: path_holds() tells
// whether the present one satisfies the condition, solver_ask() finds another.
void path_add(struct terms *ts, struct path *p, term condition);
// Is the condition true under the path's model?
bool path_holds(struct terms *ts, const struct path *p, term condition);
// Take this model (owned by the path from now on; NULL: keep the old one).
void path_take_model(struct path *p, struct model *m);
// Give a variable that is in no condition yet a value in the path's model.
void path_set(struct terms *ts, struct path *p, term var, u128 value);

// The i-th condition, in the order of adding.
term path_condition(const struct path *p, uint32_t i);
// What is known of t without a solver: 1 always true, 0 always false, -1
// neither.
int path_decides(struct terms *ts, const struct path *p, term t);
// All values that t can have on this path lie in this range.
struct term_range path_range(struct terms *ts, const struct path *p, term t);
// t with what the path fixes put in: a constant if t can have one value only,
// else t.
term path_value(struct terms *ts, const struct path *p, term t);

#endif
