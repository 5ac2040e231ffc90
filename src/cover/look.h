// What a record needs to know of a native play's states.
#ifndef COVER_LOOK_H
#define COVER_LOOK_H

#include "cover/record.h"

struct native;

// Borrows the native.
struct look look_native(struct native *n);

#endif
