// Handlers in a process apart from the search.
#ifndef STAGE_ISOLATE_H
#define STAGE_ISOLATE_H

#include "stage/native_inner.h"

// From now on another process does the operations of n.
void isolate_open(struct native *n);
void isolate_close(struct native *n);

#endif
