// Running an input along a wanted order of receives.
//
// A wish says who receives what from whom.  If the runtime offers several
// receives, the wished one is taken.  The choice is noted in the input: running
// the input again needs no wishes.
#ifndef REACH_WISH_H
#define REACH_WISH_H

#include "reach/run.h"

enum wish_what { WISH_MESSAGE, WISH_REPLY, WISH_TIMER, WISH_LIMIT };

#define WISH_ANYBODY UINT32_MAX

struct run_wish {
    enum wish_what what;
    uint32_t to, from; // actors, in the order of their making; 0: outside
    uint32_t msg;      // in model.msgs
    uint32_t times;
};

// Returns how many wishes were granted, until the run ended or one could not
// be granted.
uint32_t runner_follow(struct runner *r, struct input *in,
                       const struct run_wish *wishes, uint32_t n);

#endif
