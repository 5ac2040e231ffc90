// Forcing: an execution that follows a generated schedule.
//
// Bita, section V.  The stage makes one receive at a time anyway, so to force a
// schedule is to make its receives in its order; each is found as the n-th send
// of the receive that sent it in the record.
#ifndef COVER_FORCE_H
#define COVER_FORCE_H

#include "base/rng.h"
#include "explore/explore.h"

// Force a list of events of a recorded schedule, then go on to the end: by
// random priorities of the messages or, if rng is NULL, actors in turn.
// Returns how many events could be followed; *out is what happened.  PLAY_NONE:
// the sink said stop in the middle.
uint32_t cover_force(struct play *p, enum delivery d, uint32_t steps,
                     const struct schedule *s, const uint32_t *events,
                     uint32_t n, struct rng *rng,
                     const struct explore_sink *sink, struct schedule *out);

#endif
