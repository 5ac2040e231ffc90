// What cannot be reached, proved.
//
// A target is infeasible if no activation comes to it from any state and
// message that can be.  What can be is bounded by facts that always hold: of
// the states of a class in a behaviour, of the messages of a type that come to
// a class, of the answers to a request.  Facts are found as the least fixed
// point over all that handlers can do (summary.h), with a solver that answers
// each step; nothing is said that rests on code which was not followed to its
// end.
//
// Each proof is made twice: a second solver, which leaves out all steps but the
// last, is asked every implication again.
//
// This is what the files of src/reach/proof share.
#ifndef REACH_PROOF_PROOF_H
#define REACH_PROOF_PROOF_H

#include "base/arena.h"
#include "base/vec.h"
#include "flow/flow.h"
#include "reach/reach.h"
#include "reach/summary.h"

enum { CELLS_MOST = 40 }; // of one shape

// ---- facts --------------------------------------------------------------

enum cell_kind { CELL_SIGNED, CELL_UNSIGNED, CELL_FLOAT, CELL_POINTER };

// A scalar of a state, a message or an answer.
struct cell {
    uint64_t offset;
    uint32_t bytes;
    enum cell_kind kind;
    const char *name; // "self->balance"
    term var;         // what facts speak of
};

struct shape {
    uint32_t n;
    struct cell *at;
    bool *wanted; // by cell: facts about it may help
};

// Facts that get weaker from one to the next; the one at `pos` is taken to
// hold, none if that is the end.
struct chain {
    const term *at;
    uint32_t n, pos;
};

// What facts are about.
enum about { ABOUT_STATE, ABOUT_MESSAGE, ABOUT_ANSWER };

struct subject {
    enum about about;
    uint32_t cls; // STATE and MESSAGE: of the actor that has or gets it
    uint32_t id;  // the behaviour, the message, the request
    const struct shape *shape;
    bool none;        // so far there is none of these at all
    bool any;         // nothing is known
    bool open;        // and nothing ever will be
    uint32_t version; // counts changes
    VEC(struct chain) chains;
};

// A subject, with terms for its cells.
struct use {
    uint32_t subject;
    const term *values;
    struct term_subst *subst; // from the cells' variables to the values
    // A message: those that the same activation sent to the same actor before.
    const uint32_t *behind;
    uint32_t n_behind;
};

// Where the conditions hold, and the facts of all `ifs`, there are the `thens`.
struct rule {
    const char *name; // of the function
    uint32_t cls;     // whose code it is, IR_NOTHING: the setup's
    bool resumed;     // after a wait
    uint32_t n_conditions, n_ifs, n_thens;
    const term *conditions;
    struct use *ifs, *thens;
    uint64_t done; // versions of all its subjects when it last held
    bool feasible; // its conditions and ifs can be; facts only get weaker
};

// Where an activation begins.
enum root_kind { ROOT_HANDLER, ROOT_INIT, ROOT_FINI, ROOT_SETUP };

struct root {
    enum root_kind kind;
    uint32_t cls, behaviour, msg, fn; // IR_NOTHING where there is none
    struct summary *followed; // its cases are all that it can do; NULL: unknown
};

struct hint {
    const struct shape *shape;
    term fact;
};

// What holds of the state of every actor of a class when the message comes to
// it (brought.c).  A msg of IR_NOTHING: of the state from which any rule goes
// on.
struct brought {
    uint32_t cls, msg;
    term fact;
};

struct proofs {
    struct reach *r;
    const struct ir *ir;
    const struct flow *flow;
    struct arena arena, scratch;
    struct terms *ts;
    struct solver *solver, *second;
    struct summaries *summaries;
    double until, wall; // in processor time; in time that passes
    struct shape *states, *messages, *answers; // by class; by message
    VEC(struct subject) subjects;
    uint32_t *state_of, *message_of, *answer_of; // IR_NOTHING: none
    VEC(struct root) roots;
    VEC(struct rule) rules;
    VEC(struct hint) hints;      // facts to try, from conditions of the program
    VEC(struct hint) asked;      // those that would refute the target at hand
    VEC(struct brought) brought; //
    uint32_t n_hints;            // those of handlers, then those of one target
    VEC(unsigned char) known_of; // cells that the present facts are about
    VEC(int64_t) numbers;        // constants of the program, rising
    VEC(double) floats;
    VEC(uint32_t) moduli;
    bool **calls;          // by function: what it may call, NULL: not asked yet
    struct inside *inside; // plain.c
    bool *keeps;           // by class: addresses inside its states are kept
    // Kinds of terms (TERM_HAS_...) that are left out of facts and rules now,
    // that were left out of the present facts, and whether there were any.
    uint8_t without, made_without;
    bool left_out;
    bool conditional; // facts under a condition are tried, too (guess_if.c)
    bool frozen;   // no facts: some memory is shared, or the graph has doubts
    bool gave_up;  // some target took too long
    bool facts_ok; // the fixed point was reached, and confirmed
    uint32_t n_cases, n_handlers;
};

bool proofs_late(struct proofs *p);
// Processor time so far.
double proofs_now(void);
// End the work when proofs_now() is at this moment.
void proofs_until(struct proofs *p, double moment);

// ---- shapes and subjects (shape.c) --------------------------------------

void shapes_make(struct proofs *p);
void subjects_make(struct proofs *p);
struct subject *subject_of(struct proofs *p, uint32_t index);
uint32_t state_subject(const struct proofs *p, uint32_t cls,
                       uint32_t behaviour);
uint32_t message_subject(const struct proofs *p, uint32_t cls, uint32_t msg);
// From nothing again; the present state of `any` stays where `for_good`.
void subjects_reset(struct proofs *p, bool for_good);
// From now on nothing is known of the subject, but that it can be.
void subject_any(struct subject *s);
// The first state, message or answer of the subject, with these values: make
// the facts that hold for it.
void subject_meet(struct proofs *p, struct subject *s, const u128 *values);

// ---- candidates (guess.c) -----------------------------------------------

void numbers_collect(struct proofs *p);
// Chains of facts that hold for these values.
void guess_facts(struct proofs *p, struct subject *s, const u128 *values);

// ---- memory (plain.c) ---------------------------------------------------

// Find the classes of which an address inside a state is kept in memory: what
// is read or written by it is then the state, which symbolic runs do not know.
void proofs_find_kept(struct proofs *p);
bool proofs_keeps(const struct proofs *p, const struct root *root);
// May code of this root hand an address inside its state to code that is not
// here, which writes there?
bool proofs_hands_out(struct proofs *p, const struct root *root);

// ---- rules (rules.c) ----------------------------------------------------

bool proofs_calls(struct proofs *p, uint32_t from, uint32_t to);
void roots_collect(struct proofs *p);
// Were all ways followed, assuming nothing but that memory does not run out?
bool summary_exact(const struct summary *s);
void rules_make(struct proofs *p);
// What holds when a case of a root comes to its last segment: conditions and
// facts, one rule without `thens`.
struct rule rule_to(struct proofs *p, const struct root *root,
                    const struct summary_case *c, uint32_t behaviour);
void rule_free(struct rule *r);
// The cell of a path that has this byte of a place, NULL: it does not look
// there.
const struct sx_cell *cell_over(const struct sx_path *path, enum sx_from from,
                                uint32_t index, uint64_t byte);
struct use use_make(struct proofs *p, uint32_t subject, const term *values);
// The request that a future is the answer to, IR_NOTHING: not known.
uint32_t asked_by(const struct sx_path *path, term future);

// ---- what is not known (havoc.c) ----------------------------------------

// A root that could not be followed to its end may send, answer and create
// whatever the graph allows it, with any contents, and write what the graph
// says.
void rules_havoc(struct proofs *p, const struct root *root);

// ---- hints (hints.c) ----------------------------------------------------

// Facts to try from the conditions of a case on one shape alone.
void hints_from(struct proofs *p, const struct root *root,
                const struct summary_case *c, bool negated);

// ---- the fixed point (fix.c) --------------------------------------------

struct question {
    VEC(term) at;
    VEC(term) facts; // by place in `at`: the fact in its own words, TERM_NONE
};
// The conditions of a rule and the facts it may use: all of them (`whole`), or
// those that share variables with the goals, and with each other.  False if one
// of its ifs has none.
bool question_begin(struct proofs *p, const struct rule *r, const term *goals,
                    uint32_t n_goals, bool whole, struct question *q);
void question_free(struct question *q);

// False if the time was up: then nothing is known.
bool facts_find(struct proofs *p);
// Ask the second solver for every rule again.
bool facts_confirm(struct proofs *p);

// Does the goal follow, by both solvers, from what the rule knows?
bool rule_gives(struct proofs *p, const struct rule *r, term goal);
// Is this brought by the message that the rule is about?
bool rule_is_brought(const struct proofs *p, const struct rule *r,
                     const struct brought *b);
// May the rule ever be used?
bool rule_can_be(const struct proofs *p, const struct rule *r);

// ---- what messages bring (brought.c) ------------------------------------

// Find what holds of an actor when a message comes, of what would refute the
// target; true if there is something.
bool brought_find(struct proofs *p, const struct reach_target *t);

// ---- words (words.c) ----------------------------------------------------

struct text;
// The condition under which the block is left by this side, as the source has
// it, with its line; false: it has none that can be said.
bool words_of_side(const struct ir *ir, const struct ir_fn *f, uint32_t block,
                   uint32_t side, struct text *out);

// ---- what matters (relevance.c) -----------------------------------------

// Mark the cells that facts against this target may be about: those of its
// conditions and what they are computed from, and unless `narrow`, also those
// that decide about them.  True if these are not the ones of the present facts.
bool cells_want(struct proofs *p, const struct reach_target *t, bool narrow);

// ---- targets (target.c) -------------------------------------------------

// New facts to try; true if there are some.
bool hints_of_target(struct proofs *p, const struct reach_target *t);
struct summary *ways_to(struct proofs *p, const struct root *root,
                        const struct reach_target *t);
// Why the target cannot be reached, in words; NULL: no proof.  *cut: some way
// was not followed to its end, so no facts will help.
const char *target_refute(struct proofs *p, const struct reach_target *t,
                          bool *cut);

#endif
