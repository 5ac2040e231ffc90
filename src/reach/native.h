// What the engines that run the program share.
#ifndef REACH_NATIVE_H
#define REACH_NATIVE_H

#include "reach/run.h"

struct reach;

// Options of a runner of this search; false with d set.
bool native_prepare(struct reach *r, const struct program *p,
                    struct run_options *o, struct diag *d);

#endif
