// The recipe of `auto`: random schedules first, which find shallow bugs at
// once; then `optimal` until it is complete or the budget is spent; and where
// `optimal` must refuse, `source` for programs that look at the clock and
// `exhaustive` for others.
//
// explore() follows it in this process.  Who runs searches elsewhere, as in
// worker processes, gives a way to run one.
#ifndef EXPLORE_RECIPE_H
#define EXPLORE_RECIPE_H

#include "explore/explore.h"

struct recipe {
    void *self;
    // Run one search, with the strategy of these options.
    void (*search)(void *self, const struct explore_options *o,
                   struct explore_result *r);
    // `optimal` refused, as this result says: another one comes next (see
    // recipe_instead).  May be NULL.
    void (*instead)(void *self, const struct explore_result *r);
};

// What comes after `optimal` refused so.
enum strategy recipe_instead(const struct explore_result *r);

// The result is that of the last search; warm_up counts the random schedules
// before it.
void recipe_follow(const struct recipe *p, const struct explore_options *o,
                   struct explore_result *r);

#endif
