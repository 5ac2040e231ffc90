// A native play in words: values of messages and states for traces.
#ifndef CASES_DESCRIBE_H
#define CASES_DESCRIBE_H

#include "cases/trace.h"

struct native;
struct play;
struct program;

struct describer {
    struct native *native;
    struct play *play;
    const struct program *program; // NULL: nobody asks for places
};

// Borrows w, which must outlive the result.
struct describe describe_native(struct describer *w);

#endif
