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

// The known outcomes of a receive in this world: the first of them in the list
// of facts.
uint32_t reduction_outcomes(struct reduction *r, uint32_t state, uint32_t msg);
// Bring this outlook up to date with the state looked at.  False: it is not all
// that may happen.
bool reduction_look_out(struct reduction *r, struct outlook *o);

// Does this run change what an invariant looks at?
bool reduction_shows(struct reduction *r, uint32_t state, uint32_t msg,
                     const struct effect *e);
// Is a run of this receive known that changes it?
bool reduction_known_to_show(struct reduction *r, uint32_t state, uint32_t msg);

// ---- members.c: the set of actors whose receives are enough ----------------

// Look for the cheapest set of actors that may be expanded alone, among the
// choices from `first` on.  False: none is cheaper than all actors.
bool members_find(struct reduction *r, const choices *all, uint32_t first);
// Make what was found the set.
void members_take(struct reduction *r);
// Is the actor in the set?
bool members_have(const struct reduction *r, uint32_t actor);

#endif
