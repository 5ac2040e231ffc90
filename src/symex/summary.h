// Summaries of functions: what a call does, found once and used at every call
// (Albert and others, "Test case generation by symbolic execution", 2.4).
//
// A summary is the tree of a function's paths in the most general context: its
// arguments, and all that it reads, are variables of the summary's own.  A node
// is an instruction that looks at memory, calls or decides; what lies between
// two nodes is arithmetic, which the terms of the later node contain.  A leaf
// returns, traps, or is open: there the summary is partial, because a bound or
// a limit was met, or an instruction that only the caller's state can tell.
//
// A case of the summary is the way to a leaf: its conditions, what it reads and
// writes, its result.  sum_step() composes a case with the state of a
// caller, node by node: the summary's variables are replaced by what they are
// there, and the node's instruction is done on the caller's own heap.  So
// whatever pointers are equal there is respected, and a side that contradicts
// the caller's state is not taken.  A side that is impossible in the general
// context is impossible in every other, and is not asked for again.
//
// At an open leaf, or where a value has a form that the terms cannot carry, the
// callee's frames are filled in and the state goes on in place.  So a call with
// a summary takes the same paths as a call without.
#ifndef SYMEX_SUMMARY_H
#define SYMEX_SUMMARY_H

#include "symex/engine.h"

struct sum_node {
    struct frame *top; // frames before the instruction, in terms of the
                       // summary, down to that of the function
    uint32_t depth;    // how many
    uint32_t skipped;  // instructions since the node before
    term result;       // of the instruction: what the caller's replaces, or
                       // TERM_NONE
    bool open;         // the summary ends here
    bool joins;        // nothing but decisions, returns and traps below
    uint32_t leaves;   // of those that return; with `joins` only
    uint32_t n_next;   // one per side
    struct sum_node **next; // NULL: impossible
};

struct sum_tree {
    const struct ir_fn *f;
    struct sum_node *root;
    VEC(struct sum_node *) nodes;
    struct arena arena;
    term params[64];
    bool plain;  // no case decides by a product, a quotient or a float
    bool placed; // some case may ask where memory lies (place.c)
    struct sx_summary counts;
};

// What the variables of a summary are at a call.
struct sum_bind {
    const struct sum_bind *up;
    term var, by;
};

// ---- making (summary.c) -------------------------------------------------

// The summary of a function under the run's bounds, made at the second call:
// what is called once is simply run.  A summary that is being made takes those
// of its callees at once.  NULL: there is none.
struct sum_tree *sum_of(struct sx_run *r, const struct sx_state *s,
                        const struct ir_fn *f);
void sum_free(struct sum_tree *m);
// Of a run that makes a summary: one instruction; a state ended.
bool sum_record(struct sx_run *r, struct sx_state *s);
bool sum_ended(struct sx_run *r, struct sx_state *s, enum sx_end end);
// The state took this side: it goes on below.
void sum_side(struct sx_run *r, struct sx_state *s, uint32_t side);

// Is it worth to join the cases of callees of this function?  Not where it
// multiplies, divides or computes with floats: a question about a product of
// joined results is much harder than one a case.
bool sum_may_join(const struct ir_fn *f);
// The functions of these summaries are called in tests of another function.
void sums_drop(struct symex *x);

// The summary is used in this state: what it leans on, the state does
// (place.c).
void note_called(struct sx_run *r, struct sx_state *s,
                 const struct sum_tree *m);

// ---- using (compose.c) --------------------------------------------------

// Call f by its summary.  False: this context is not one that the summary
// serves.  Else *goes: may the state be run on?
bool sum_call(struct sx_run *r, struct sx_state *s, struct sum_tree *m,
              const term *args, uint32_t n, bool *goes);
// The result of a call whose cases are all decisions and returns, as one term;
// false: it is none.
bool sum_value(struct sx_run *r, struct sx_state *s, struct sum_tree *m,
               const term *args, uint32_t n, term *result);
// The next node of the summary that a state is in.
bool sum_step(struct sx_run *r, struct sx_state *s);
// Is only one side of the branch at hand possible in every context?  0 the
// first, 1 the second, -1 both are.
int sum_only(const struct sx_state *s);

#endif
