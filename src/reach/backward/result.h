// From a path of the backward search to a run: posts, choices, and which
// receive is wanted when.
#ifndef REACH_BACKWARD_RESULT_H
#define REACH_BACKWARD_RESULT_H

#include "reach/backward/backward.h"
#include "reach/wish.h"

struct result {
    struct input input;
    VEC(struct run_wish) wishes;
};

// False if the path is more than an input can hold.
bool result_of(struct backward *b, const struct pool *pool,
               const struct node *n, const struct model *m, struct result *out);
void result_release(struct result *r);

#endif
