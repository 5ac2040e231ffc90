// Names in what is shown.
#ifndef STAGE_SHOW_H
#define STAGE_SHOW_H

#include "program/values.h"
#include "stage/native_inner.h"

// References by the names of their actors.
struct values_names show_names(struct native *n);

#endif
