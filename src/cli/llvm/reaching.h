// One `troupe reach`, as its files share it.
#ifndef CLI_LLVM_REACHING_H
#define CLI_LLVM_REACHING_H

#include <stdio.h>

#include "reach/reach.h"

struct reaching {
    struct session *s;
    struct ir *ir;
    struct flow *flow;
    struct reach r;
    struct store *store;
    FILE *out;
    bool all;
};

// Of the search in order that goes with an assertion out of order: the bound on
// messages is doubled up to this many, while time is left.
enum { IN_ORDER_MESSAGES = 8 };
#define IN_ORDER_SECONDS 2.0

enum { LOOP_MOST = 1000 };

// Is to come there a failure: a check, an assertion, an abort?
bool reaching_failure(const struct ir_target *t);
// Keep the cases that were confirmed.
void reaching_keep(struct reaching *g);
// Say what came of it, and write the files that were asked for.
void reaching_tell(struct reaching *g);

#endif
