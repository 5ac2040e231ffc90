// The strategy `auto`: several strategies in turn on one play, in slices that
// grow.
//
// Strategies that can see everything (`optimal`, `stateful`, `reduced`) and
// samples (random, pos, pct, urw, and cover, if the options have it) take
// turns. One of the first that completes decides for all, so the loss against
// the best is a small factor; a bug that any of them meets is told. Slices are
// counted in receives, not in seconds: the same seed gives the same search.
//
// Several processes share the work: one searches states, the others units of
// `optimal`, and these sample too.
#ifndef EXPLORE_PORTFOLIO_H
#define EXPLORE_PORTFOLIO_H

#include "explore/explore.h"
#include "explore/optimal/work.h"

// Explore the part that the options name: these units, or everything if there
// are none.  If the search ends early, *rest gets what is left of `optimal`;
// false if that cannot be written down, because `optimal` refused or gave up.
bool portfolio_explore(struct play *p, const struct explore_options *o,
                       const struct work *units, uint32_t n,
                       const struct explore_sink *sink,
                       struct explore_result *r, struct work_list *rest);

#endif
