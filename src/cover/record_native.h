// What a record needs to know of a native play's states.
#ifndef COVER_RECORD_NATIVE_H
#define COVER_RECORD_NATIVE_H

#include "cover/record.h"

struct native;

// Borrows the native.
struct look look_native(struct native *n);

#endif
