// Make kept calls of a function again, and list the values that have changed.
#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H

#include "cases/call.h"

struct unit_options;

struct check_change {
    const struct call_case *call;
    const char *place;    // "result", "a.next"; "" for how the call ends
    const char *was, *is; // as C
};

struct check_result {
    VEC(struct check_change) changes;
    uint32_t calls;
    const char *why; // the calls cannot be built any more, NULL: they can
};

// Calls of one function.  Strings live in a.
void check_calls(struct arena *a, const struct unit_options *o, bool has_main,
                 const struct call_case *calls, uint32_t n,
                 struct check_result *out);
void check_free(struct check_result *r);

#endif
