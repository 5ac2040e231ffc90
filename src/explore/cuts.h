// Invariants over several actors, for strategies that visit one execution of
// each class.
//
// Reduction keeps what one actor can see, not what several are in at one time
// (Eta, section 5.2).  All global states that the executions of a class pass
// through are the consistent cuts of any one of them: the sets of steps that
// hold with each step all that happen before it.
#ifndef EXPLORE_CUTS_H
#define EXPLORE_CUTS_H

struct schedule;
struct search;

struct cuts; // opaque

struct cuts *cuts_new(struct search *s); // borrows s
void cuts_free(struct cuts *c);          // NULL is fine

// Check the invariants in every cut of a complete execution that is not known
// from an earlier one, and tell the broken ones.
void cuts_check(struct cuts *c, const struct schedule *all);

#endif
