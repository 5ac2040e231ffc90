// The strategy `auto`: several strategies in turn on one play, in slices that
// grow.
//
// At first samples and `optimal` have short turns, each twice as long as the
// last: a shallow bug is found at once, and one that only a certain strategy
// meets soon does not wait for the others.  Then `optimal` and plain `stateful`
// get a slice each, which is enough for most tests.  What is left goes on in
// rounds:
//   - plain `stateful` beside `reduced`; whichever completes decides, so that
//     the loss is a factor of two at most;
//   - `optimal` on the parts of its tree in turn.  It gets a small slice while
//     it has hardly begun and states merge;
//   - samples, for a third of the receives: random, pos, pct and urw in turn,
//     more of the one that lately met what was new.
// Slices are counted in receives, not in seconds: the same seed gives the same
// search.  One strategy that completes decides for all.
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
