// What the engines that run the program share.
#ifndef REACH_NATIVE_H
#define REACH_NATIVE_H

#include "reach/run.h"

struct reach;

// Options of a runner of this search; false with d set.
bool native_prepare(struct reach *r, const struct program *p,
                    struct run_options *o, struct diag *d);

// Processor time of this process and of those that it started; called in the
// worker, it tells the searching process, too.
double native_seconds(const struct reach *r);

// Has every wanted target an input, or an answer?
bool native_all_hit(const struct reach *r);

// Let `work` run the program in a process of its own, which is started again
// when the program kills it: `life` counts from 0.  What it finds is in the
// pool, which says when it is to stop.  False with d set if the program cannot
// be run.
typedef void native_work(void *self, struct runner *runner, uint32_t life);
bool native_run(struct reach *r, native_work *work, void *self, struct diag *d);

#endif
