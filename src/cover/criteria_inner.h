// What the files of the criteria share: criteria.c keeps goals and pairs,
// criteria_add.c adds records to them.
#ifndef COVER_CRITERIA_INNER_H
#define COVER_CRITERIA_INNER_H

#include "cover/criteria.h"

// ---- goals of places ------------------------------------------------------

// The key of two places in the index, in either order.
uint64_t goal_key(uint64_t a, uint64_t b);
// The goal by this criterion among those that begin with `first`; NULL: none.
struct goal *goal_of(const struct goal_table *t, uint32_t first,
                     enum criterion cr);
// A new goal of two places that were in one schedule, a first.  *first is the
// first goal of the pair.  NULL if there is no room for one more; the new goal
// has neither flags nor names.
struct goal *goal_add(struct coverage *c, uint32_t *first, uint64_t a,
                      uint64_t b, enum criterion cr);
void goal_learn(struct coverage *c, struct goal *g, uint32_t flags,
                enum constraint why);

// ---- pairs of events ------------------------------------------------------

// The number of a receive that an actor makes at a place.
uint32_t coverage_number(struct coverage *c, uint64_t id, uint64_t actor,
                         uint64_t place);
// Is there room for one more pair?
bool coverage_has_room(const struct coverage *c);
// The pair of two events that were in one schedule, first before second.
// NO_GOAL: there is no room for one more.
uint32_t coverage_make_pair(struct coverage *c, uint32_t first,
                            uint32_t second);
void pair_learn(struct event_pair *p, enum criterion cr, uint32_t flags,
                enum constraint why);
uint64_t coverage_kind_key(const struct record *r, uint32_t i, uint32_t j,
                           enum criterion cr);

// ---- places ---------------------------------------------------------------

uint64_t coverage_place(struct coverage *c, struct play *p,
                        const struct record *r, uint32_t i);
// The place of a receive in words: "flush<terminator#1",
// "flush:2<terminator#1".
const char *coverage_place_name(struct coverage *c, struct play *p,
                                const struct record *r, uint32_t i);
// A copy of the text that lives as long as c; the same text is kept once.
const char *coverage_intern(struct coverage *c, const char *s);

#endif
