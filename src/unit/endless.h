// Calls that do not end: their comparisons come again and again, with the same
// values.
#ifndef UNIT_ENDLESS_H
#define UNIT_ENDLESS_H

#include "unit/runner.h"

struct arena;
struct condition_file;
struct ir;

// Where a run that repeats itself does so: the trap, of kind "endless".  Of the
// conditions that come again, the first one of function f counts, in lines.
struct call_trap endless_trap(const struct ir *ir, struct arena *a,
                              struct condition_file *file,
                              const struct ir_fn *f,
                              const struct runner_outcome *n);

// Do objects of an input lead to each other in a ring?
bool endless_ring(const struct input *in);
// Are its numbers small?  Then they are no reason to take long.
bool endless_small(const struct ir *ir, const struct input *in);

#endif
