// The strategy `optimal`: exactly one execution of every class.
//
// A class is what each actor received, in which order; executions of one class
// differ only in how receives of different actors interleave.  The search never
// starts an execution that it cannot complete, never completes a class twice,
// and holds one path of the tree of graphs: memory is linear in the length of
// an execution, apart from the play's memo.
//
// A search can be interrupted after any number of executions, and parts of what
// is left can be given away as units of work (work.h) to another search, in
// this or another process; together they find every class once.
#ifndef EXPLORE_OPTIMAL_OPTIMAL_H
#define EXPLORE_OPTIMAL_OPTIMAL_H

#include "explore/search.h"
#include "explore/spread.h"

#include <stdbool.h>
#include <stdint.h>

struct optimal;
struct work_bytes;
struct work_list;

// A search of everything.  Bugs, executions and counts go through s, which
// must outlive it.
struct optimal *optimal_new(struct search *s);
void optimal_free(struct optimal *o);

// Go on for at most this many executions, complete or cut.  False when nothing
// is left or the search is over.
bool optimal_run(struct optimal *o, uint64_t executions);

// Write down all that is left; the search itself is not changed.  False if
// nothing is left.
bool optimal_rest(struct optimal *o, struct work_bytes *out);
// The same at the end of a search, which can only be freed afterwards.  At most
// `parts` parts become units of their own, the rest is one unit.
void optimal_leave(struct optimal *o, uint32_t parts, struct work_list *out);
// A search of one unit.  NULL: the unit does not fit this play or delivery.
struct optimal *optimal_of_unit(struct search *s, const struct work_bytes *u);

// Which part of this search is done, 0 to 1, if all siblings weigh the same.
// -1 if that takes too long to find out.
double optimal_progress(struct optimal *o);
// Knuth's estimate of the number of executions of a fresh search, from
// `samples` random descents, each of which takes a branch with a chance
// (Estimating the efficiency of backtrack programs, 1975, section 4).  Fewer
// descents if the search is over before.  Not known if there was none, and for
// a test body that goes on after single receives, which this strategy refuses.
struct spread optimal_estimate(struct search *s, uint32_t samples,
                               uint64_t seed);

// Figures for the curious.
struct optimal_counts {
    uint64_t revisits; // tried
    uint64_t nodes;    // deepest stack
    uint64_t bytes;    // held by the graph and the stacks
};
struct optimal_counts optimal_counts(const struct optimal *o);

#endif
