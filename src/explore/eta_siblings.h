// The choices of a node in Eta's decision tree, and which of them to take.
//
// Evil ancestors and good siblings, section 5.2 of the Eta paper; eta.c says
// how the paper was read.
#ifndef EXPLORE_ETA_SIBLINGS_H
#define EXPLORE_ETA_SIBLINGS_H

#include "explore/order.h"

enum mark {
    UNMARKED, // need not be taken, as far as is known
    MARKED,   // must be taken
    TAKEN,    // taken, or about to be
};

struct child {
    struct choice choice;
    enum mark mark;
};

struct siblings {
    VEC(struct child) list;
};

// Mark a child, and the timers of its actor with it.
void siblings_mark(struct siblings *n, struct child *c);
void siblings_mark_all(struct siblings *n);

// The execution is complete: mark a good sibling of the nearest evil ancestor
// of each step, and of timers that are nearer.  path[i] is the node at which
// step i was taken.  The order must be without sends.
void siblings_look_back(const struct world *w, const struct order *o,
                        struct siblings *const *path);

#endif
