// One input, followed on the IR beside its native run: values of posts,
// parameters and choices are variables, all else is as the run had it.
//
// The run tells what the manager did (tale.h), so nothing of the runtime is
// modelled: a message is the bytes that were copied, an activation is code that
// was entered.  What the program does in between is computed with terms, and
// must come to the same operations in the same order.
#ifndef REACH_FOLLOW_H
#define REACH_FOLLOW_H

#include "base/map.h"
#include "reach/run.h"
#include "reach/tale.h"
#include "symex/symex.h"

// What a variable is in the input.
struct follow_var {
    enum { VAR_LEAF, VAR_BYTE, VAR_PARAMETER, VAR_PICK } kind;
    uint32_t n;      // gene, parameter, choice
    uint32_t offset; // of a byte
    const struct leaf *leaf;
    term var;
};

struct follow_actor {
    term ref, state;
};

struct follow_task {
    uint64_t task; // 0: free
    struct sx_stack *stack;
    struct sx_effect operation;
};

struct follow {
    // Given:
    const struct ir *ir;
    const struct reach_model *model;
    const struct runner *runner;
    struct terms *ts;
    struct symex *x;
    uint32_t fixed; // parameters that are no variables
    uint32_t system;
    // Of the run that was followed last:
    struct sx_run *run;
    const struct input *in;
    const struct tale *tale;
    uint32_t at; // next event
    term ctx;
    VEC(struct follow_var) vars;
    VEC(struct follow_actor) actors;
    VEC(struct follow_task) tasks;
    struct map blocks; // native address -> object
    struct map var_at; // place of a variable in the input -> vars
    uint32_t picks[INPUT_PICKS];
    struct arena arena;
    bool complete;   // the run was followed to its end
    const char *why; // if not: the reason, in words
    bool diverged;   // if not: the IR differed from the run, a bug of ours
};

// Follow the run that the tale tells; an earlier one is forgotten.  True if the
// run was followed to its end.
bool follow_run(struct follow *f, const struct input *in, const struct tale *t);
void follow_clear(struct follow *f);

// Write the values that a model has for the variables into the input.
void follow_write(const struct follow *f, const struct model *m,
                  struct input *in);

#endif
