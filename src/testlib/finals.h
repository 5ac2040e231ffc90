// The final states of runs, where the options say so: one file for all runs.
#ifndef TESTLIB_FINALS_H
#define TESTLIB_FINALS_H

#include "testlib/run.h"

struct threads_ops;

// Write the final states of a run, when nothing runs any more.  threads: the
// actors of a run on threads; NULL under the solo manager.
void finals_write(const struct run *r, tr_runtime *runtime,
                  const struct threads_ops *threads);
void finals_failed(const struct run *r, enum bug_kind kind);

#endif
