// What the files that guess facts share.
#ifndef REACH_PROOF_GUESS_H
#define REACH_PROOF_GUESS_H

#include "reach/proof/proof.h"

struct making {
    struct proofs *p;
    struct subject *s;
    const u128 *values; // of the cells, as first seen
    struct model *m;    // the same
    VEC(term) facts;    // of the chain at hand
};

void guess_fact(struct making *g, term t);
// What was gathered becomes a chain; facts that do not hold now are left out.
void guess_chain(struct making *g);
term guess_number(struct making *g, const struct cell *c, uint64_t v);
bool guess_is_number(const struct cell *c);

// ---- facts under a condition (guess_if.c) -------------------------------

void guess_conditional(struct making *g);

#endif
