// Delivery model `mailbox`: where in the mailboxes the sends of a run go.
//
// The sends of one run to one actor stay together; a place is the index in the
// inbox before which they are queued.  Places are consistent if the runs can
// happen one after the other: the relation of next run of an actor, creation,
// send to receive, and neighbours in an inbox has no cycle.
#ifndef EXPLORE_OPTIMAL_GRAPH_MAIL_H
#define EXPLORE_OPTIMAL_GRAPH_MAIL_H

#include "explore/optimal/graph.h"

struct mail_place {
    uint32_t to, at;
};

typedef VEC(struct mail_place) places;
typedef VEC(struct entry) entries;

// Append one place for each actor that run e sends to.
void mail_targets(const struct graph *g, uint32_t e, places *out);

// The first consistent combination of n places for the open run e, or the one
// after that in p; false if there is none.  The first is last in all inboxes.
// r: the receive that is to take the first message of e instead, or NO_RUN;
// then the places are for the graph without what that revisit drops.
bool mail_first(struct graph *g, uint32_t e, uint32_t r, struct mail_place *p,
                uint32_t n);
bool mail_next(struct graph *g, uint32_t e, uint32_t r, struct mail_place *p,
               uint32_t n);

// Queue the sends of e, and back.
void mail_insert(struct graph *g, uint32_t e, const struct mail_place *p,
                 uint32_t n);
void mail_remove(struct graph *g, uint32_t e, const struct mail_place *p,
                 uint32_t n);

// For a revisit by e, between taking events from the order and putting back
// those that are kept: drop what is neither in the order nor in the prefix of
// e, queue the sends of e, and save what the inboxes were; and back.
void mail_cut(struct graph *g, uint32_t e, const struct mail_place *p,
              uint32_t n, entries *saved);
void mail_restore(struct graph *g, entries *saved, uint32_t base);

#endif
