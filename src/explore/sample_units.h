// Samples as units of work: any process can make any of them.
//
// Samples are numbered and lie in batches, each with a seed of its own that
// follows from its number.  So which samples are made does not depend on who
// makes them.  A unit is a range of samples, as bytes.
#ifndef EXPLORE_SAMPLE_UNITS_H
#define EXPLORE_SAMPLE_UNITS_H

#include "explore/explore.h"
#include "explore/optimal/work.h"

// Does the strategy sample?
bool strategy_samples(enum strategy s);
// All samples that the options ask for, as one unit.
void sample_units_all(const struct explore_options *o, struct work_list *out);
// Make these.  If the search ends early, what is left is appended to *rest.
void sample_units_explore(struct play *p, const struct explore_options *o,
                          const struct work *units, uint32_t n,
                          const struct explore_sink *sink,
                          struct explore_result *r, struct work_list *rest);

#endif
