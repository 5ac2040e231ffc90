// Variables of an input, and messages made of them: for follow.c.
#ifndef REACH_FOLLOW_POST_H
#define REACH_FOLLOW_POST_H

#include "reach/follow.h"

// A variable of the run that is followed, and what it is in the input.
term follow_variable(struct follow *f, struct follow_var v, unsigned bits,
                     enum term_kind kind, uint64_t value);
// The address of new bytes for a gene's message, with the variables it had the
// first time.
term follow_post(struct follow *f, uint32_t gene);
// How the program sees an actor.
term follow_ref(struct follow *f, uint32_t id);

#endif
