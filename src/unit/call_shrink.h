// A plainer call that does the same: smaller values, NULL for pointers, shorter
// arrays, fewer objects.
//
// The same is: it ends in the same way at the same place, and between blocks of
// the code the same ways are taken, however often.  Every call that is tried is
// made natively.
#ifndef UNIT_CALL_SHRINK_H
#define UNIT_CALL_SHRINK_H

#include "cases/call.h"

struct unit_options;

struct call_shrunk {
    uint32_t tried, taken;
    const char *why; // it could not be done, NULL: it was
};

// *c becomes the plainest call that is found within `seconds`.  has_main: the
// source has a main function; pre: the name of its precondition, NULL: none.
void call_shrink(struct arena *a, const struct unit_options *o, bool has_main,
                 const char *pre, double seconds, struct call_case *c,
                 struct call_shrunk *out);

#endif
