// Whether a set of global states that can be walked for ever can be walked for
// ever in a fair way.
//
// Fair means: no message stays in flight and no timer pending, also if it
// rests, in all of the states without ever being received on the way.  That is
// weak fairness per (receiver, sender, message) and per actor's timer.
#ifndef EXPLORE_FAIRNESS_H
#define EXPLORE_FAIRNESS_H

#include "base/hashset.h"
#include "explore/world.h"

// All zero is an empty walk.
struct fairness {
    struct hashset always;   // names of what waits in all states so far
    struct hashset received; // names of what was received
    bool begun;
    VEC(uint64_t) now; // scratch
};

void fairness_clear(struct fairness *f);
void fairness_free(struct fairness *f);

// The name of what a choice of this world receives.
uint64_t receive_name(struct world *w, const struct choice *c);

// The walk passes through the state that the world is in.
void fairness_state(struct fairness *f, struct world *w);
// On the walk this was received.
void fairness_receive(struct fairness *f, uint64_t name);
bool is_fair(const struct fairness *f);

#endif
