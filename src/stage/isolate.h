// Handlers in a process apart from the search.
#ifndef STAGE_ISOLATE_H
#define STAGE_ISOLATE_H

#include "stage/native_inner.h"

// Let the operations of n be done by a process apart from this one.
void isolate_open(struct native *n);
void isolate_close(struct native *n);

#endif
