// Which receives of a global state are enough to explore.
//
// Receives of different actors commute: each takes from its own actor's
// messages and adds to queues that only its actor adds to.  So at a state it is
// enough to expand all receives of a set S of actors if nobody outside S, as
// long as S does not move, can bring a message to a member of S that could be
// received now.  What the others can still bring is read from the facts
// (closure.h).  Facts grow while the search goes on, and a receive never run
// counts as sending nothing; so the search is repeated until a whole pass
// learns nothing new, and that pass counts.
//
// Why that is enough.  Claim: every run of every execution from a state that
// the last pass reached is a fact.  By induction on the length of the execution
// w from state s and, for equal lengths, on the longest way that is left in the
// reduced graph.  The runs of all but the last step of w are facts, so the
// closure at s foresaw them.  If some step of w is a receive of S, take the
// first such step: nothing that could be received there has arrived at its
// actor before, so s expands it; it commutes to the front, and the rest of w is
// a shorter execution from a state that was reached.  If none is, put any
// receive of S in front: w is still an execution, from a state further on; that
// ends because the graph is finite and has no cycle, or because some state of
// each cycle is expanded in full.  So the last run is a fact too, and up to
// swaps of independent receives w was explored.
//
// A test body may go on although timers of every() are left, and comes after
// nothing but messages then.  So S has an actor with a message in flight, whose
// receive comes before the body in any w; where there is none, s is expanded in
// full.
//
// Kept are final states, all runs, and with them all bugs of runs and all bugs
// that are read off final states, and whether there are endless schedules.  Not
// kept are the number of states and the global states in between.  An invariant
// looks at those: receives that change what it looks at are kept in every order
// (reduction_shows).
//
// Two further reductions are decided by experiment:
//   - A message whose receiver never asks for the sender, and that is the last
//     from this sender, is the same whoever sent it (reduction_hash).
//   - A receive that commutes with everything its own actor may get before it
//     may be the only one that is expanded (commute.h).
#ifndef EXPLORE_REDUCED_REDUCTION_H
#define EXPLORE_REDUCED_REDUCTION_H

#include "explore/reduced/closure.h"
#include "explore/search.h"

struct reduction;

// Rules that can be left out: to measure what each brings, and for tests that
// see the comparison with the full search notice it.
enum {
    REDUCTION_ONE_PASS = 1,     // wrong: believe what the first pass knew
    REDUCTION_NO_CYCLES = 2,    // wrong: let cycles put receives off for ever
    REDUCTION_BLIND_SHOWS = 4,  // wrong: take no notice of invariants
    REDUCTION_ALL_HARMLESS = 8, // wrong: nothing that arrives matters
    REDUCTION_NO_SLEEP = 16,    // right, with more states
    REDUCTION_NO_BLIND = 32,    // likewise
    REDUCTION_NO_COMMUTE = 64,  // likewise
    REDUCTION_SLEEP_ON = 128,   // wrong: keep sleep sets where there are cycles
    REDUCTION_BIRTHS_HIDE = 256,  // wrong: no invariant looks at who is born
    REDUCTION_ALL_BLIND = 512,    // wrong: nobody asks who sent a message
    REDUCTION_ALL_COMMUTE = 1024, // wrong: believe it without the experiment
};

// Borrows both; the world is the search's own.
struct reduction *reduction_new(struct search *s, struct world *w);
void reduction_free(struct reduction *r);

// A new pass begins.
void reduction_begin(struct reduction *r);
// Did the pass learn anything?  If so, its result does not count.
bool reduction_learned(const struct reduction *r);
// A run was made from this state.
void reduction_learn(struct reduction *r, uint32_t state, uint32_t msg,
                     const struct effect *e);

// Look at the state that the world is in.  To be called before the two below.
void reduction_look(struct reduction *r);
// Its hash.
struct digest reduction_hash(struct reduction *r);
// Of the choices from `first` on, move those that are enough to explore behind
// the others; returns the index of the first of them.
uint32_t reduction_choose(struct reduction *r, choices *all, uint32_t first);

// What a choice receives: the same value in all states where it waits.
struct awaited {
    uint32_t actor;
    uint32_t sender; // PLAY_NONE if it does not matter
    uint32_t msg;
};

struct awaited reduction_receive(struct reduction *r, const struct choice *c);
// The world has just made a step: in `state`, `msg` had the effect e.  The
// receive `waits` was possible before the step and still is.  Are the two
// independent: would each have the same effect if it came after the other?
bool reduction_independent(struct reduction *r, const struct awaited *waits,
                           uint32_t state, uint32_t msg,
                           const struct effect *e);

#endif
