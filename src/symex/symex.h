// Symbolic execution of the IR, forward, from states that are filled as they
// are looked at.
//
// A run follows one function.  Its inputs (parameters, what they point to,
// globals) are variables; each path through the function that can be taken is
// one state, and ends as one struct sx_path: the condition under which the
// path is taken, the decisions on it, the inputs it looked at, its result.
//
// Three users:
//   unit    all paths up to a bound, or paths to sides that are still open:
//           sx_begin(), sx_next() until it is NULL, sx_raise() to go on with
//           what a bound cut off
//   reach   the cases of a handler: the same with sx_start.handler set; a path
//           then carries effects (sends, spawns, ...) and is divided into
//           segments where the handler waits
//   concolic following: sx_start.follow gives each input a value; the run takes
//           the one path of these values, asks no solver, and sx_path.decisions
//           has the conditions that were met on the way
//
// A pointer is 64 bits like any other value: 24 bits that name the object, 40
// that are the offset in it (sx_pointer()).  Objects are
//   0                  null
//   inputs             what an input pointer points to; which of them are one
//                      object is left to the solver (see struct sx_ref)
//   functions, globals, and what the path makes itself: constants
//
// Nothing is approximated in silence: a path says by `labels` what it leans on.
#ifndef SYMEX_SYMEX_H
#define SYMEX_SYMEX_H

#include "ir/ir.h"
#include "solver/solver.h"

struct symex;  // an engine over one program
struct sx_run; // one function being followed

// ---- pointers -----------------------------------------------------------

enum {
    SX_OBJECT_BITS = 24,
    SX_OFFSET_BITS = 40,
    SX_FUNCTIONS = 0x400000, // object of function n: this + n
    SX_GLOBALS = 0x800000,   // of global n
    SX_MADE = 0x900000       // what paths make: locals, malloc
};

struct sx_pointer {
    term object; // SX_OBJECT_BITS
    term offset; // SX_OFFSET_BITS
};

// A 64-bit term as object and offset; false if it is no pointer made by
// sx_address() (an integer that was cast, an ite of several pointers).
bool sx_pointer(struct terms *ts, term t, struct sx_pointer *out);
term sx_address(struct terms *ts, struct sx_pointer p);

// ---- options ------------------------------------------------------------

// What a run found out about its input pointers, for the next one: hint.c.
enum sx_hint_kind {
    SX_MIDDLE,  // to `type`: may lead into an array that another leads to
    SX_PART,    // to `type`: lead to the part at `offset` of a `whole`
    SX_INSIDE,  // to `type`: may lead there in a `whole` that another leads to
    SX_VARIABLE // to `type`: may lead to the global with number `whole`
};
struct sx_hint {
    enum sx_hint_kind kind;
    uint32_t type, whole; // debug types; IR_NOTHING: void
    uint64_t offset;
};
struct sx_hints {
    VEC(struct sx_hint) at;
};

struct sx_options {
    uint32_t loop;       // turns of a loop whose leaving depends on input
    uint32_t recursion;  // re-entries of a function below itself; 0: as `loop`
    uint32_t array;      // elements behind a pointer of unknown count, 0: 8
    uint32_t text;       // the same for characters, 0: 16
    uint64_t path_steps; // instructions of one path, 0: 500,000
    bool lazy;           // fork at each access that may alias, to compare
    bool overflow;       // signed overflow is a trap
    bool alloc_fails;    // malloc may return NULL
    bool constant_globals; // globals have their initial values, are no inputs
    bool no_models;        // of libc: every external function is a stub
    bool selects;          // fork at a select, as at a branch
    bool undefined_any;    // memory that nobody wrote to holds any number; else
                           // zero, and the path is SX_UNINITIALISED
    bool labels;     // fork at each label of a switch, not at each destination
    bool traps_once; // look for each trap until one path has it
    bool summaries;  // call functions by their summaries: sx_summaries();
                     // then runs of one function at a time
    bool join; // with those: a call whose cases differ in the result alone
               // goes on as one path; only sides of the run's own
               // function may be wanted then
    struct sx_hints *hints; // used, and added to; NULL: there are none
    bool plain_refs; // references to actors are plain numbers of 64 bits, and
                     // that of a new actor is an input
};

// ---- inputs -------------------------------------------------------------

// Where an input value was found, from outside in.
enum sx_from {
    SX_PARAM,    // parameter `index`
    SX_GLOBAL,   // global `index`, at `offset`
    SX_CELL,     // behind reference `index`, at `offset`
    SX_STUB,     // the `offset`-th call of function `index`, which has no body;
                 // with SX_WRITES: what it writes
    SX_SELF,     // the actor's state before segment `index`, at `offset`; of
                 // tasks: the state of the index-th actor that was given
    SX_MESSAGE,  // the message, at `offset`; of tasks: the index-th given
    SX_ANSWER,   // what wait `index` gave, at `offset`
    SX_OPERATION // result of effect `index`: a choice, a new reference, time
};

// Operations that are the same input at each use, as `index` of SX_OPERATION:
// this actor, who sent the message, the parameter that is named by global n.
enum { SX_ME = 0x1ffff0, SX_SENDER = 0x1ffff1, SX_PARAMETERS = 0x100000 };

// Of SX_STUB: what the function writes through argument k, as `index`.
enum { SX_WRITES = 0x100000, SX_WRITTEN_MAX = 6 };

// The type of a parameter of the source; of one declared as pointer to void, the
// pointer that the function takes it for.
uint32_t sx_param_type(const struct ir *ir, const struct ir_fn *f,
                       uint32_t index);

// Bytes that a function without a body is taken to write through argument k
// (outside.c), 0: none.
uint32_t sx_written(const struct ir *ir, uint32_t fn, uint32_t k);
// Where that is none of these, but every call gives the address of a local: the
// bytes of the smallest, of which nobody knows what they hold then.
uint32_t sx_touched(const struct ir *ir, uint32_t fn, uint32_t k);

// An input file: the cells behind a pointer to FILE.  How many bytes can be read
// there, 8 bytes, and those bytes.
enum { SX_FILE_SIZE = 4096, SX_FILE_BYTES = 4104 };

struct sx_place {
    enum sx_from from;
    uint32_t index;
    int64_t offset;
};

// A place that a pointer may lead to: a global, or inside the object behind an
// earlier reference.
struct sx_other {
    uint32_t ref; // IR_NOTHING: none
    uint32_t global;
    uint64_t offset, size;
};

// An input pointer: null, an object of its own, or the same object as an
// earlier one of its region.  A region is a pointed-to type; references of
// different regions are never one object.
struct sx_ref {
    struct sx_place place;
    term var;     // SX_OBJECT_BITS: which object; 0 is null
    uint32_t own; // the object that is its own, if it equals no earlier one
    uint32_t region;
    uint32_t type;    // debug type of the object, IR_NOTHING: unknown (void)
    uint32_t pointee; // debug type pointed to: a part of that, or the same
    term count;       // bytes there, TERM_NONE: as many as are looked at
    term index;       // element that it leads to, TERM_NONE: the first
    bool followed;    // the program looks at what is there
    // Where else it may lead: which of `others` it is (0: none of them), and
    // how many bytes behind its beginning; TERM_NONE: there are none.
    term which, behind;
    uint32_t n_others;
    const struct sx_other *others;
    const char *name; // "self->first"
};

// An input value: a scalar of the debug type at its place.
struct sx_cell {
    struct sx_place place;
    uint32_t type; // debug type, IR_NOTHING: unknown
    uint32_t bytes;
    term value;       // a variable, or the address of `ref`
    uint32_t ref;     // in sx_run_ref(), IR_NOTHING: no pointer
    const char *name; // "self->first->data"
};

// A function that an input function pointer may be, or a stub.
#define SX_STUB_FN 0x3ffff0u // object: a function of the test's own making

// ---- paths --------------------------------------------------------------

enum sx_end {
    SX_RETURNED,
    SX_TRAPPED,     // `trap` says which
    SX_UNSUPPORTED, // `text` says what
    SX_UNKNOWN,     // the solver could not tell whether the path goes on
    SX_STEPS,       // too many instructions
    SX_STUCK,       // of tasks: it waits at `inst`, and nobody will come
    SX_REACHED,     // came to the block of sx_start.stops
    SX_TURNED       // came back to where all goes on as before (wide.c)
};

// Beyond enum ir_trap: what the IR has no branch for.
enum {
    SX_TRAP_FREED = IR_TRAPS_N, // memory is used after free(), or freed twice
    SX_TRAP_OVERFLOW,
    SX_TRAP_NOBODY, // of tasks: a message to NULL
    SX_TRAP_NO_ROW, // a message that the receiver's behaviour has no row for
    SX_TRAPS_N
};
const char *sx_trap_id(uint32_t trap);

// What a path leans on.
enum sx_label {
    SX_ASSUMED_INSIDE = 1, // an access was taken to lie inside its array
    SX_STUBBED = 2,        // an external function gave what the path needed
    SX_MODELLED = 4,       // a model of libc that is not exact
    SX_UNINITIALISED = 8,  // memory was read that nothing had been written to
    SX_TWO_VIEWS = 16,     // bytes were read as number and as pointer
    SX_ALLOCATION = 32,    // malloc is taken to succeed
    SX_KEPT = 64,          // what others may change during a wait stayed
    SX_PLACED = 128,       // where memory lies was taken to be known
    SX_APART = 256,        // pointers that may lead to one place were taken to
                           // lead to two
    SX_NO_BYTES = 512,     // memcpy() or the like is passed no bytes
    // With these alone a path is as the program is.
    SX_PRECISE = SX_ALLOCATION | SX_NO_BYTES
};

// Of a run that follows values: a side that it did not take.  The side is
// possible if `goal` can hold where the conditions before it do.
struct sx_choice {
    uint32_t fn, block, inst;
    uint32_t side;  // the successor, or the value of a select; IR_NOTHING: what
                    // was decided is no side of the IR (an index, a length)
    uint64_t value; // where an index or a length was decided: which it was
    term goal;
    uint32_t conditions, facts; // of the path, before it
};

struct sx_decision {
    uint32_t fn, block, side; // successor `side` of the block was taken
    uint32_t inst;            // the branch; a select's own number
    uint32_t depth;           // 0: in the function under test
    uint32_t task;            // whose, of sx_scene.tasks; 0 without tasks
    term condition;           // under which this side is taken
    bool implied;             // by the conditions before: no choice was left
};

// A side that was wanted when a path took it.
struct sx_goal_met {
    uint32_t fn, inst, side;
};

// A reference that was followed, under a condition.
struct sx_followed {
    uint32_t ref;
    term condition;
};

// An operation of the library, in order.  `args` are the instruction's.
struct sx_effect {
    enum ir_op op;
    uint32_t fn, inst;
    term actor; // whose doing: TERM_NONE the handler's own, else the actor
                // that the path made and whose init runs
    uint32_t n;
    const term *args;
    term result;                  // TERM_NONE: none
    term state;                   // SPAWN: where the new actor's state is
    uint32_t msg, cls, behaviour; // in the tables of the IR, or IR_NOTHING
    uint32_t n_cells;             // payload or new state, as it was then
    const struct sx_write *cells;
};

// Bytes of an object and their value.
struct sx_write {
    uint64_t offset;
    term value; // its width is the number of bytes
};

// A handler from a wait (or its start) to the next wait or its end.
struct sx_segment {
    uint32_t conditions; // of sx_path.conditions, from this one on
    uint32_t effects;    // of sx_path.effects, from this one on
    enum ir_op wait;     // AWAIT, GET, PAUSE at its end; RETURN, TRAP
    term future;         // what it waits for, TERM_NONE: nothing
    bool late;           // and gets no answer
    uint32_t behaviour;  // after it, IR_NOTHING: as before
    bool stopped;
    uint32_t n_writes; // cells of self that it wrote
    const struct sx_write *writes;
};

// ---- tasks --------------------------------------------------------------

// With sx_start.tasks a handler is followed to its end together with whom it
// asks and what else its actor handles while it waits: rules MSTEP to RETURN of
// Albert and others, "Test case generation by symbolic execution", figure 17.
// A path then is one order of receives, and has a scene.

enum sx_policy { SX_ANY_TASK, SX_OLDEST, SX_NEWEST };

struct sx_tasks {
    uint32_t switches;       // tasks started or resumed on one actor
    uint32_t queue;          // messages that wait for the actor at the start,
    uint32_t n_related;      // each one of these,
    const uint32_t *related; // in ir.msgs
    uint32_t behaviour;      // of the actor at the start
    const uint8_t *policies; // per class, enum sx_policy; NULL: all orders
    const bool *sends;       // [from * classes + to]: may actors of one class
                             // cause messages to the other?  NULL: all may
    bool distinct;           // actors that are given are different ones
    bool stopped;            // ... and may have stopped
    bool every_object;       // follow all orders, also those that are alike
    uint32_t ticks;          // how often timers of one kind fire, 0: no bound
    uint32_t actors;         // that take part, 0: no bound
};

struct sx_actor {
    uint32_t cls;
    uint32_t behaviour, last; // at the start and at the end
    uint32_t ref;             // given by this input, IR_NOTHING: none
    uint32_t given;           // index of its SX_SELF cells, IR_NOTHING: none
    uint32_t by, nth;         // created by this actor, its nth of the class;
                              // IR_NOTHING: it was there
    uint32_t number;          // object of references to it
    term state;               // address of its struct
    uint32_t switches;
    bool stopped;
    bool gone; // it had stopped before
};

struct sx_task {
    uint32_t actor, msg, fn;
    uint32_t sender; // actor, IR_NOTHING: the test
    uint32_t given;  // index of its SX_MESSAGE cells, IR_NOTHING: made
    term payload;    // address of the message
    bool ended, replied;
    term answer;          // address, TERM_NONE: none, or none that is no NULL
    uint32_t fn_at, inst; // where it waits, if it has not ended
};

// One receive.
struct sx_receive {
    uint32_t actor;  // IR_NOTHING: the test
    uint32_t sender; // likewise
    uint32_t task;   // started, or resumed
    uint32_t msg;    // in ir.msgs
    bool reply;      // to such a request
    bool timer;      // no message, but the time of a timer: it brings msg, or
                     // is the limit of such a request
    bool watch;      // no message, but the wish to have msg when it stops
    uint32_t twin;   // the which of several in flight that look alike, from 1
};

// An answer to choose().
struct sx_pick {
    uint32_t receive; // in which
    term value;
};

struct sx_scene {
    uint32_t n_actors, n_tasks, n_order, n_picks;
    uint32_t running; // task in which the path ended, IR_NOTHING: in none
    const struct sx_actor *actors; // the first is the one under test
    const struct sx_task *tasks;   // likewise
    const struct sx_receive *order;
    const struct sx_pick *picks; // in order
};

struct sx_path {
    enum sx_end end;
    uint32_t trap;
    const char *text;
    uint32_t fn, inst; // where it ended
    uint32_t labels;   // enum sx_label
    uint64_t steps;
    uint64_t trail; // a hash of the blocks it entered, in order: sx_trail()
    uint32_t n_conditions, n_pre; // the first n_pre are those of `pre`
    const term *conditions;
    uint32_t n_decisions;
    const struct sx_decision *decisions;
    uint32_t n_cells; // inputs it looked at, in this order
    const struct sx_cell *cells;
    uint32_t n_refs; // of sx_run_ref(), those it met
    const uint32_t *refs;
    uint32_t n_followed;
    const struct sx_followed *followed;
    uint32_t n_goals; // sides it took that were wanted then, also where the
    const struct sx_goal_met *goals; // condition is a constant on the path
    term result;                     // TERM_NONE: none
    const struct model *model;       // satisfies the conditions
    uint32_t n_effects;
    const struct sx_effect *effects;
    uint32_t n_segments; // 0: no handler
    const struct sx_segment *segments;
    const struct sx_scene *scene; // of tasks, NULL: none
    struct sx_state *state;       // memory at the end: sx_read()
};

// ---- starting -----------------------------------------------------------

// Values for inputs, asked once per cell.  False: 0.
struct sx_follow {
    void *self;
    bool (*value)(void *self, const struct sx_run *r, const struct sx_cell *c,
                  union ir_bits *out);
    // Which object an input pointer is: 0 null, or a number of the caller's;
    // equal numbers are one object.  The first reference of an object gets
    // its own.
    uint32_t (*object)(void *self, const struct sx_run *r,
                       const struct sx_ref *ref);
};

// A side that a path must take in the frame of the function itself.
struct sx_side {
    uint32_t block, side;
};

struct sx_start {
    uint32_t fn;
    uint32_t pre;      // run before, with the same arguments; must
                       // return true.  IR_NOTHING: none
    bool handler;      // fn is a handler, init or fini: its parameters
                       // are ctx, self and the message
    uint32_t cls, msg; // of a handler, IR_NOTHING: unknown
    bool stops;        // a path ends where it enters this block;
    uint32_t stop_fn, stop_block; // what cannot come there is not run
    bool wide; // loops in one step: more paths than there are, none is left out
    bool all;  // and no effect is left out, either: not loops that send
    bool skip; // branches that decide about nothing that is read later are not
               // entered: the same
    const struct sx_follow *follow; // NULL: all paths
    const struct sx_side *trace;    // only paths that take these first, in
    uint32_t n_trace;               // this order
    const struct sx_tasks *tasks;   // of a handler; NULL: it alone
};

// ---- running ------------------------------------------------------------

// Borrows all its arguments; `stop` (NULL: never) is asked now and then.
struct symex *symex_new(const struct ir *ir, struct terms *ts, struct solver *s,
                        const struct sx_options *options);
void symex_free(struct symex *x);
void symex_stop(struct symex *x, bool (*stop)(void *self), void *self);

// Do runs of many activations compute both sides of a branch at once, where
// they only compute?  At first they do.
void symex_both(struct symex *x, bool both);
// How many branches were computed so.
uint64_t symex_both_count(const struct symex *x);

struct sx_run *sx_begin(struct symex *x, const struct sx_start *start);
void sx_end(struct sx_run *r);

// With traps_once: look for this trap once more.
void sx_trap_again(struct sx_run *r, uint32_t fn, uint32_t inst);

// The next path that ended; lives until sx_end().  NULL: nothing is left to
// run within the bounds, or the time is up (sx_stopped()).
const struct sx_path *sx_next(struct sx_run *r);
bool sx_stopped(const struct sx_run *r);
// Go on with what was cut, under these bounds.  False: nothing was.
bool sx_raise(struct sx_run *r, uint32_t loop, uint32_t recursion);
// States that wait; that a bound cut off; of those the loops, by place.
struct sx_cut {
    uint32_t fn, block; // head of the loop; block 0: recursion
    uint32_t states;
};
uint32_t sx_waiting(const struct sx_run *r);
uint32_t sx_cuts(const struct sx_run *r, struct sx_cut *out, uint32_t max);
// Of tasks: orders that a bound on switches or on actors cut off, orders that
// are like one followed before, whether a message more could have waited,
// whether an actor that was given handled something: it may get other messages,
// too.
struct sx_task_counts {
    uint64_t cut, crowded, asleep;
    bool more, others;
};
struct sx_task_counts sx_task_counts(const struct sx_run *r);
// Was every path followed to its end (with sx_start.stops: those that can come
// to the block): nothing waits, was cut, unsupported or unknown?  Only then is
// a side that no path took infeasible.
bool sx_complete(const struct sx_run *r);
// What some path so far leans on, whether it ended or not: enum sx_label.
uint32_t sx_labels(const struct sx_run *r);

// ---- many activations ---------------------------------------------------

// A run that follows one state from call to call: what one activation leaves in
// memory the next one finds.  Whoever leads it calls functions, answers the
// operations of the library, and makes the variables; nothing else is an input.
struct sx_run *sx_live(struct symex *x);

// A variable with the value that the run follows.
term sx_variable(struct sx_run *r, const char *name, unsigned bits,
                 enum term_kind kind, u128 value);
// A condition that holds and stays.
void sx_suppose(struct sx_run *r, term condition);
// A new object of zeros, its address; bytes at a constant place of one.
term sx_object(struct sx_run *r, uint64_t size);
void sx_put(struct sx_run *r, term object, uint64_t offset, term value);
// A new object that holds `size` bytes from there; TERM_NONE: the run has
// ended.
term sx_copy(struct sx_run *r, term from, uint64_t size);
// Where more than one value is possible: the run goes on with the one that it
// follows, another one is a choice.  False: the run has ended.
bool sx_pin(struct sx_run *r, term t);

enum sx_stop {
    SX_STOP_OPERATION, // sx_operation() waits for sx_answer()
    SX_STOP_RETURN,    // the function that was called has returned
    SX_STOP_END        // sx_ended()
};

// Frames of functions under way: the run has one stack of them at a time.
struct sx_stack;
// Call a function on a new, empty stack; false: the run has ended.
bool sx_call(struct sx_run *r, uint32_t fn, const term *args, uint32_t n);
enum sx_stop sx_go(struct sx_run *r);
const struct sx_effect *sx_operation(const struct sx_run *r);
void sx_answer(struct sx_run *r, term result);
// Take the stack off; put it back, on no other.
struct sx_stack *sx_aside(struct sx_run *r);
void sx_back(struct sx_run *r, struct sx_stack *stack);
void sx_stack_free(struct sx_stack *stack);
// How it ended; of a run that goes on NULL.
const struct sx_path *sx_ended(const struct sx_run *r);

uint32_t sx_choices(const struct sx_run *r, const struct sx_choice **out);
// The path that led to a choice: for solver_ask().  The caller's.
struct path sx_path_before(const struct sx_run *r, const struct sx_choice *c);
// The values that the run follows.
const struct model *sx_values(const struct sx_run *r);
// Was this block entered?
bool sx_entered(const struct sx_run *r, uint32_t fn, uint32_t block);

// ---- the order of search ------------------------------------------------

enum sx_order {
    SX_ALL,  // depth first: for all paths
    SX_WIDE, // few decisions and near a goal first, every fourth the oldest
    SX_DEEP, // near the end first if it carries something new, else nearest to
             // a goal; every third at random
    SX_TRAPS // nearest to a trap that was not found yet
};
void sx_set_order(struct sx_run *r, enum sx_order order, uint64_t seed);
// Sides that are wanted, of a branch, switch or select; distance is measured to
// those.  None is set at first.  A state that can come to none and has taken
// none of them is set aside: it waits until sx_set_order() or a new goal.
void sx_goal(struct sx_run *r, uint32_t fn, uint32_t inst, uint32_t side,
             bool wanted);

// ---- asking -------------------------------------------------------------

const struct sx_ref *sx_run_ref(const struct sx_run *r, uint32_t ref);
uint32_t sx_run_refs(const struct sx_run *r);

// The value of `bytes` bytes at an address at the end of a path; TERM_NONE if
// it has none there.  `pointer`: as a pointer, where both are possible.
term sx_read(struct sx_run *r, const struct sx_path *p, term address,
             uint32_t bytes, bool pointer);

// n bytes there, cell by cell; false: they have no value.  *out lives as long
// as the run.
bool sx_read_all(struct sx_run *r, const struct sx_path *p, term address,
                 uint64_t n, const struct sx_write **out, uint32_t *n_out);

// The cases of a path: which followed references are one object.  A class per
// followed reference, in order, 0 if it is not followed after all; called once
// for each possible pattern with a model of it.  Returns how many; `max`
// bounds them.  `each` may be NULL.
typedef void sx_case(void *self, const uint32_t *classes,
                     const struct model *m);
uint32_t sx_cases(struct sx_run *r, const struct sx_path *p, uint32_t max,
                  sx_case *each, void *self);

// The hash of a trail that enters one more block; a trail begins as 0.
uint64_t sx_trail(uint64_t trail, uint32_t fn, uint32_t block);

struct sx_counts {
    uint64_t steps, states, forks, paths;
    uint64_t questions; // whether a side can be taken
    uint64_t folded;    // answered by form or by the path's own model
    uint64_t asked;     // of the solver
};
struct sx_counts sx_counts(const struct symex *x);

// The source's parameter of a parameter of the IR, from 0: a struct may come in
// two of those.  IR_NOTHING: the source has none (where to put a result).
uint32_t sx_source_param(const struct ir *ir, const struct ir_fn *f,
                         uint32_t i);

// Summaries that were made: one a function that is called more than once.
struct sx_summary {
    uint32_t fn;
    uint32_t returns, traps; // its cases
    uint32_t open;           // where it is partial: calls go on in place there
    uint64_t used;           // calls
    uint64_t joined;         // of those that went on as one path
};
uint32_t sx_summaries(const struct symex *x, struct sx_summary *out,
                      uint32_t max);

// How exact the model of an external function is.
enum sx_precision { SX_EXACT, SX_BOUNDED, SX_OPAQUE, SX_NO_MODEL };
enum sx_precision sx_precision(const char *function);

#endif
