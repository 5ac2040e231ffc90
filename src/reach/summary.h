// What the handlers of a program do, as cases.
//
// A case is one way through a handler (or an init hook), found by symbolic
// execution from a state of which nothing is known: the conditions under which
// it is taken, what it writes to its actor's state, and its effects in order.
// TAP (Li, Hariri, Agha: ECOOP 2018) walks the statements of a handler
// backwards, all of them before any other actor moves (section 5.2, the first
// heuristic); a case is such a walk in one piece, and serves all who need to
// know what a handler does: the backward search prepends cases, proofs by
// induction look at each case once.
//
// Variables of a case are its cells (struct sx_cell), by place:
//   SX_SELF       the actor's state before segment `index`, at `offset`
//   SX_MESSAGE    the message, at `offset`
//   SX_ANSWER     the answer of wait `index`, at `offset`
//   SX_GLOBAL     global `index`, at `offset`
//   SX_OPERATION  `index` SX_ME, SX_SENDER, SX_PARAMETERS + global: that one;
//                 else the result of the effect whose `result` it is, or, where
//                 there is none, whether a wait ended without an answer
// A reference to an actor is a number of 64 bits, 0 is nobody.  A pointer to
// memory is a reference of symex (cell.ref), and the case is marked `heap`.
//
// Segments: a handler that waits has several; conditions, effects and writes
// stand with the segment that they belong to (case_conditions() and so on).
// After AWAIT and PAUSE the state is another variable, since other handlers may
// have run; after GET it is the same.
#ifndef REACH_SUMMARY_H
#define REACH_SUMMARY_H

#include "base/vec.h"
#include "solver/solver.h"
#include "symex/symex.h"

// A new actor of a case, after its init.
struct summary_child {
    uint32_t effect; // the SPAWN, in path.effects
    uint32_t cls, behaviour;
    bool stopped;
    uint32_t n_cells;
    const struct sx_write *cells; // its whole state
};

struct summary_case {
    const struct sx_path *path; // conditions, cells, effects, segments
    bool heap;                  // has pointers to memory among its inputs
    bool exact;                 // leans on nothing but its conditions
    bool turned; // its last segment has no end, only what it did before counts
    uint32_t n_children;
    const struct summary_child *children;
};

// The cases of one handler, made as they are asked for.
struct summary {
    uint32_t cls, msg, fn;        // msg IR_NOTHING: an init or fini hook
    bool to;                      // only ways to this block, up to it
    uint32_t stop_fn, stop_block; //
    bool wide;                    // loops in one step (sx_start.wide)
    struct sx_run *run;
    VEC(struct summary_case) cases; // found so far
    uint32_t traps;                 // ways that end in a trap: not among cases
    bool done;                      // within the bounds there are no more
    bool full;                      // the limit on cases was reached
    const char *unsupported;        // what some way could not be followed
                                    // through; NULL: nothing
    uint32_t unknown;               // ways that the solver left open
};

struct summary_options {
    uint32_t loop;        // turns of a loop
    uint32_t cases;       // of one handler, 0: 400
    bool undefined_any;   // sx_options.undefined_any
    bool skip;            // sx_start.skip
    bool (*stop)(void *); // asked now and then; NULL: never
    void *user;
};

struct summaries; // opaque

// Borrows all but the options.
struct summaries *summaries_new(const struct ir *ir, struct terms *ts,
                                struct solver *s,
                                const struct summary_options *o);
void summaries_free(struct summaries *ss);

// Of a handler, an init or a fini; the same one each time.
struct summary *summary_of(struct summaries *ss, uint32_t cls, uint32_t msg,
                           uint32_t fn);
// The same with more ways than there are, where the handler loops: none of what
// it may do is left out.
struct summary *summary_of_wide(struct summaries *ss, uint32_t cls,
                                uint32_t msg, uint32_t fn);
// Only ways that come to a block, in this function or one that it calls; each
// ends there (SX_REACHED).
struct summary *summary_to(struct summaries *ss, uint32_t cls, uint32_t msg,
                           uint32_t fn, uint32_t stop_fn, uint32_t stop_block);
// The same with more ways than there are, where the handler loops: if none of
// these can be taken, no other can.
struct summary *summary_wide(struct summaries *ss, uint32_t cls, uint32_t msg,
                             uint32_t fn, uint32_t stop_fn,
                             uint32_t stop_block);

// The i-th case; NULL: there are no more within the bounds, or the time is up
// (then s->done is false).  The pointer is valid until the next call.
const struct summary_case *summary_case(struct summaries *ss, struct summary *s,
                                        uint32_t i);
// Are the cases all that the handler can do, but for traps?  Only after
// summary_case() gave NULL.
bool summary_complete(const struct summary *s);
// The loops that the bound cut, in words; NULL: none.
const char *summary_cut(const struct ir *ir, const struct summary *s,
                        struct arena *a);
// Go on with what the bound cut, in all summaries.  False: nothing was cut.
bool summaries_raise(struct summaries *ss, uint32_t loop);

// ---- segments -----------------------------------------------------------

struct summary_terms {
    const term *at;
    uint32_t n;
};
struct summary_effects {
    const struct sx_effect *at;
    uint32_t n;
};
struct summary_terms case_conditions(const struct summary_case *c, uint32_t k);
struct summary_effects case_effects(const struct summary_case *c, uint32_t k);

// `bytes` bytes at `offset` of what the writes leave; where they write nothing
// it is `before`, the same bytes as they were (TERM_NONE: zero).
term writes_read(struct terms *ts, const struct sx_write *w, uint32_t n,
                 uint64_t offset, uint32_t bytes, term before);
// Does one of them touch these bytes?
bool writes_touch(struct terms *ts, const struct sx_write *w, uint32_t n,
                  uint64_t offset, uint32_t bytes);

#endif
