// What the files of the reduction share.
#ifndef EXPLORE_REDUCED_INNER_H
#define EXPLORE_REDUCED_INNER_H

#include "explore/reduced/reduction.h"

// Who may still send to whom if everybody is free to move.
struct outlook {
    struct closure closure;
    uint32_t look;       // the state it speaks of
    bool whole;          // it is all that may happen
    VEC(uint32_t) sends; // [sender * width + to]: `look` if it may send
    uint32_t width;
};

struct reduction {
    struct search *search;
    struct world *world;
    struct facts facts;
    struct closure partial;      // for one question
    unsigned off;                // rules left out: REDUCTION_*
    struct outlook coarse, fine; // of the state looked at last
    uint32_t look;               // number of states looked at
    uint64_t watched;            // what invariants had looked at, at the start
    VEC(bool) member;            // of the set under way, by actor
    VEC(uint32_t) members;
    VEC(uint32_t) best;
    VEC(struct choice) scratch;
};

// The message id of a choice, and who sends it.
uint32_t choice_msg(const struct world *w, const struct choice *c);
uint32_t choice_sender(const struct world *w, const struct choice *c);

// Does this run change what an invariant looks at?
bool reduction_shows(struct reduction *r, uint32_t state, uint32_t msg,
                     const struct effect *e);

#endif
