// What the files of the search `optimal` share.
#ifndef EXPLORE_OPTIMAL_OPTIMAL_INNER_H
#define EXPLORE_OPTIMAL_OPTIMAL_INNER_H

#include "explore/optimal/optimal.h"
#include "explore/optimal/node.h"

struct optimal {
    struct search *search;
    struct path path;
    bool tick;            // a receive is yet to be counted
    uint32_t steps;       // bound on receives
    uint32_t since_look;  // runs since the play's memory was looked at
    uint32_t deepest;     // stack
    uint32_t left;        // nodes
    VEC(uint32_t) states; // scratch
    VEC(uint32_t) bounds; // of the mailbox of each actor met so far; 0: none
    bool bounded;         // one of them is not 0
};

// A search with an empty graph and no node.
struct optimal *optimal_empty(struct search *s);

#endif
