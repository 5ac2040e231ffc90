// The final states of runs, where the options say so: one file for all runs.
#ifndef TESTLIB_FINALS_H
#define TESTLIB_FINALS_H

#include "testlib/run.h"

// Threads give actors no names: from the start on, note who creates whom.
// NULL if nobody wants final states.
struct finals *finals_watch(const struct run *r, tr_runtime *runtime);

void finals_free(struct finals *f);

// The run is over, nothing runs any more.  f: of threads, else NULL.
void finals_write(const struct run *r, tr_runtime *runtime,
                  const struct finals *f);
void finals_failed(const struct run *r, enum bug_kind kind);

#endif
