// What a failure looked like from inside: the calls under way and the values
// then.  Only for natives that are opened to explain, since it takes long.
#ifndef STAGE_EXPLAIN_H
#define STAGE_EXPLAIN_H

#include "stage/native_inner.h"

void explain_open(struct native *n);
void explain_close(struct native *n);
// The task is about to be left for good: note the frames of its stack.  Called
// on that stack, or by a signal handler that interrupted it.
void explain_take(struct native *n);
// The task of r was left: say so in the bug, before its memory is cleared.
void explain_bug(struct native *n, const struct region *r, struct bug *b);

#endif
