// Executions with random delays, in logical time: the baseline of Bita, VI-A.2.
//
// Each message is due a random number of units after it was sent, up to
// `most`, and never before one that the delivery model puts before it; timers
// likewise, from when they were set.  What is due first is received next.  A
// receive takes one unit.
#ifndef BENCH_COVER_DELAYS_H
#define BENCH_COVER_DELAYS_H

#include "explore/search.h"

// Executions as the options say.  Returns how many.
uint64_t delays(struct play *p, const struct explore_options *o, uint32_t most,
                const struct explore_sink *sink);

#endif
