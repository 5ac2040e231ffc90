// Which sides that a followed run did not take are worth a question, and in
// which order: those that lead to open targets first, the nearest of them
// first.
#ifndef REACH_FLIPS_H
#define REACH_FLIPS_H

#include "reach/toward.h"
#include "symex/symex.h"

enum flip_kind {
    FLIP_UNSEEN, // nobody has seen the side, and a target lies behind it
    FLIP_TOWARD, // the side was seen, and a target lies behind it
    FLIP_ELSE,   // no target lies behind it, as far as control flow tells
};

struct flip {
    enum flip_kind kind;
    uint32_t choice; // of the run
    uint32_t hit;    // mark of the side in a program, IR_NOTHING: it has none
    uint32_t far;    // distance from the side to a target
    uint32_t turn;   // how often the run came by the same place before
    uint64_t place;  // the same in every run
};

struct flips {
    VEC(struct flip) at;
};

// Replace what is in the list by all flips of a run, in order.
void flips_of(struct flips *out, const struct reach *r,
              const struct toward *toward, const struct sx_run *run);

#endif
