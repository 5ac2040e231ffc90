// How large the tree of a depth first search is, guessed while it runs.
//
// Sibling average, after Eta, section 4: a subtree not yet visited is taken to
// be as large as its visited siblings are on average.  Only the current path
// is kept.
#ifndef EXPLORE_ESTIMATE_H
#define EXPLORE_ESTIMATE_H

#include "base/vec.h"

struct estimate_node {
    double sum;        // sizes of the children left behind
    uint32_t visited;  // how many
    uint32_t children; // in all
    uint32_t planned;  // of them to be visited, as far as is known
};

// All zero is an empty estimate.
struct estimate {
    VEC(struct estimate_node) path;
};

// Go down to a node that has `children` children; go back up from it.
void estimate_enter(struct estimate *e, uint32_t children);
void estimate_leave(struct estimate *e);
// An execution ends as a child of the node at the end of the path.
void estimate_leaf(struct estimate *e);
// The size of the tree, < 0 before the first leaf.
double estimate_size(const struct estimate *e);
// The part of the tree left behind, by planned siblings of equal weight.
double estimate_done(const struct estimate *e);
void estimate_free(struct estimate *e);

#endif
