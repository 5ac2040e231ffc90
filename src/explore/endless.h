// Endless schedules, for strategies that do not know which states they met.
//
// An execution that reaches the bound on steps is walked once more, and a
// little further with all actors in turn.  If it comes back to a global state
// on the way, in a fair cycle (fairness.h), it can go on for ever, and that is
// a bug; the walk is an execution like any other, whatever the strategy leaves
// out.  Nothing is spent before an execution reaches the bound.
//
// That timers go on for ever is no bug: every server has one that does.  So
// timers that rest go on in the walk, and a cycle in which timers fire is told
// only if messages keep each other going all the way round: each sent when the
// one before was received, none when a timer fired.
#ifndef EXPLORE_ENDLESS_H
#define EXPLORE_ENDLESS_H

#include <stdbool.h>
#include <stdint.h>

struct schedule;
struct search;

struct endless; // opaque

struct endless *endless_new(struct search *s); // borrows s
void endless_free(struct endless *e);          // NULL is fine

// Is there time to look at another execution?  Looking may take as long as the
// search itself, after a first allowance; then executions are left out.
bool endless_wanted(const struct endless *e);
// Look for a fair cycle on this execution, and tell it.
void endless_look(struct endless *e, const struct schedule *all);

// Tell that the last n steps of a schedule can be repeated for ever.
void endless_tell(struct search *s, const struct schedule *witness, uint32_t n);

#endif
