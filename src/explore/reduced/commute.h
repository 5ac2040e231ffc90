// Whether a receive commutes with all that its own actor may get before it.
#ifndef EXPLORE_REDUCED_COMMUTE_H
#define EXPLORE_REDUCED_COMMUTE_H

#include "explore/reduced/reduction.h"

// May this choice of the world be the only one that is expanded?  Runs handlers
// in states that no execution may reach; they become facts and nobody is told
// of what goes wrong in them.
bool commute_alone(struct reduction *r, const struct choice *c);

#endif
