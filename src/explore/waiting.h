// Who waits for ever although timers go on?
//
// At the end of an execution a timer may rest (the bound on ticks): it would
// fire again in production, and that might help who waits.  So all that can
// come then is visited, without the bound: what timers bring, what that leads
// to, in every order.  Counts of ticks end at the bound, so this is a finite
// graph of states, mostly a small one.  An actor whose state is the same in all
// of it waits for ever.  If there are too many states, or a handler asks for a
// choice, nothing is known and nobody is told.
#ifndef EXPLORE_WAITING_H
#define EXPLORE_WAITING_H

#include <stdbool.h>
#include <stdint.h>

struct schedule;
struct search;

struct waiting; // opaque

struct waiting *waiting_new(struct search *s); // borrows s
void waiting_free(struct waiting *w);          // NULL is fine

// By actor: does it stay as it is behind this end, with these states of n
// actors?  NULL: not known.  Valid as long as w.
const bool *waiting_look(struct waiting *w, const struct schedule *all,
                         const uint32_t *states, uint32_t n);

#endif
