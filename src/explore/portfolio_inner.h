// What the files of the default search share: portfolio.c gives turns, lanes.c
// begins and ends lanes and joins what they tell.
#ifndef EXPLORE_PORTFOLIO_INNER_H
#define EXPLORE_PORTFOLIO_INNER_H

#include "explore/portfolio.h"
#include "explore/search.h"

enum lane_name {
    LANE_MAIN, // optimal, or what stands in for it
    LANE_STATEFUL,
    LANE_REDUCED,
    LANE_RANDOM,
    LANE_POS,
    LANE_PCT,
    LANE_URW,
    LANE_COVER, // if the options have one
    LANES,
    LANE_SAMPLES = LANE_RANDOM, // the first of those that sample
};

struct lane {
    struct portfolio *of;
    struct explore_options options;
    struct explore_sink sink;
    struct explore_result result;
    struct search search;
    const struct engine *engine;
    void *self; // the engine's
    bool begun, over;
    uint64_t news;  // of a sample: runs not in the memo when it went last
    uint64_t steps; // runs asked for, in all its slices; made before or not
};

struct portfolio {
    struct play *play;
    const struct explore_options *options;
    const struct explore_sink *sink;
    struct explore_result *result; // joined
    const struct work *units;
    uint32_t n_units;
    struct lane lanes[LANES];
    struct work_search *work; // of the main lane, while it is `optimal`
    struct work_list *rest;   // what is left of it in the end
    bool turned;              // it is divided
    double estimate;          // of its tree, before that
    enum refusal refused;     // why `optimal` was replaced
    struct hashset told;      // keys of bugs
    struct hashset finals;    // if the sink keeps none
    enum lane_name decided;   // it saw everything; LANES: none did
    enum lane_name last;      // it ended the search, or the main lane
    uint64_t slice;           // receives of a first one
    uint64_t made;            // in this round, by work_of()
    uint32_t depth_turn;      // of pct
    double began;
    bool over;
    enum stop why; // it is over
};

// ---- lanes.c ----------------------------------------------------------------

// Make a lane of this strategy; it does nothing before it begins.
void lane_prepare(struct portfolio *p, enum lane_name name, enum strategy s);
void lane_begin(struct lane *l);
// End the lane; its result stays.  What is left of units goes to the caller.
void lane_end(struct lane *l, enum stop why);
// Does the lane go through units of work?
bool lane_is_optimal(const struct lane *l);
// Bring the joined result up to date.
void portfolio_join(struct portfolio *p);

#endif
