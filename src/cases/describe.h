// A native play in words: values of messages and states for traces.
#ifndef CASES_DESCRIBE_H
#define CASES_DESCRIBE_H

#include "cases/trace.h"

struct native;
struct play;

struct describer {
    struct native *native;
    struct play *play;
};

// Borrows w, which must outlive the result.
struct describe describe_native(struct describer *w);

#endif
