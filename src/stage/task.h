// Task code: how the host starts it, goes on with it, and gets control back.
#ifndef STAGE_TASK_H
#define STAGE_TASK_H

#include "stage/native_inner.h"

// Run fn(arg) on stack k of r, `above` bytes below its top, until the function
// ends, waits, or a verdict ends it.
void task_run(struct native *n, struct region *r, uint32_t k, size_t above,
              void (*fn)(void *), void *arg);
// Go on with a task that waits, likewise.
void task_resume(struct native *n, struct region *r, const struct task *t);
// Note how deep the run used stack k.
void task_measure(struct native *n, const struct region *r, uint32_t k);
// The first thing task code does on its stack.
void task_arrive(struct native *n);
// From task code: back to the host.
void task_leave(struct native *n, enum why why);

#endif
