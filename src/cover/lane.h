// Coverage as a strategy of explore, beside others in `auto` or alone.
//
// Its coverage is its own, guides it, and is told to nobody.  It has bounds
// that `cover` has not: programs with long executions or many actors are left
// to the others, since coverage of n receives takes n * n steps.
#ifndef COVER_LANE_H
#define COVER_LANE_H

#include "cover/record.h"
#include "explore/search.h"

// For struct explore_options; borrows the look.
struct engine_above cover_above(const struct look *look);

#endif
