// What the files of src/symex share: runs, states, memory.
//
// A state is one path under way.  Frames, memory and lists are shared with the
// states it was forked from, and copied where one of them writes.  An
// instruction that must split a state asks decide(): the state goes on with one
// side, a copy that stands before the same instruction waits with the other.
// So an instruction decides first, and changes its state only after that.
//
// Functions that return bool and take a state return false when the state is
// not to be run any more: it ended, was cut off, or cannot be.  The function
// has put the state away then.
#ifndef SYMEX_ENGINE_H
#define SYMEX_ENGINE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "symex/pmap.h"
#include "symex/symex.h"

// ---- lists that forks share, newest first -------------------------------

struct decision {
    const struct decision *up;
    struct sx_decision d;
};
struct follow {
    const struct follow *up;
    struct sx_followed f;
};
struct goal_met {
    const struct goal_met *up;
    struct sx_goal_met g;
};
struct number { // a cell or reference that was met
    const struct number *up;
    uint32_t n;
};
struct effect {
    const struct effect *up;
    struct sx_effect e;
};
struct segment {
    const struct segment *up;
    struct sx_segment s;
};
struct apart { // nothing below `a` is something below `b`
    const struct apart *up;
    uint32_t a, b; // references
};

// ---- frames -------------------------------------------------------------

struct turns { // of one loop, since it was entered
    uint32_t n;
    uint32_t decisions; // of the state when the turn began
    uint32_t segments;  // of the state when the loop was entered
    bool symbolic;      // leaving it depended on input in this turn
    bool paused;        // a task waits for a condition in it
    bool wide;          // it is taken in one step: wide_enter()
};

// What to do with the result of a frame.
enum purpose {
    FOR_CALLER, // it is the value of the caller's instruction
    FOR_PRE,    // it must be true; then the function itself is run
    FOR_MODEL,  // a model of libc goes on with it (callback.c)
    FOR_INIT    // the init of a new actor, whose creator goes on (effect.c)
};

struct frame {
    uint32_t refs;
    uint8_t purpose; // enum purpose
    const struct ir_fn *f;
    struct frame *up;
    uint32_t block, at; // the instruction that is next
    uint32_t *locals;   // objects that end with the frame, NULL: none
    uint32_t n_locals;
    term *varargs;
    uint32_t n_varargs;
    struct turns *turns; // one per loop of the function
    uint32_t pins;       // values that the instruction at hand was split into
    uint32_t real;       // decisions of the state when it was entered
    uint32_t model[8];   // FOR_MODEL: the model's own terms and numbers
    term values[];       // one per instruction
};

// ---- objects ------------------------------------------------------------

enum { SMALL_GLOBAL = 256 }; // bytes of one that is made unknown by a wait

enum fill {
    FILL_ZERO,
    FILL_UNDEFINED,
    FILL_BYTES,  // of a global
    FILL_ITSELF, // its own address, for stdout, stderr...
    FILL_INPUT
};

// All states that have an object with the same contents share one record.
struct object {
    uint32_t number;
    uint8_t fill; // enum fill: what it holds where nothing was written
    bool freed, heap, constant;
    term size;                      // SX_OFFSET_BITS
    uint32_t type;                  // debug type, IR_NOTHING: unknown
    struct sx_place place;          // FILL_INPUT: of its first byte,
    uint32_t region;                // and how its cells are cut
    const struct ir_global *global; // FILL_BYTES
    const char *name;
};

// A scalar of a type: where a cell begins and ends.
struct slot {
    uint64_t start;
    uint32_t bytes;
    bool pointer;
    bool loose;    // no scalar of the type: cut as the first access was
    uint8_t view;  // 0: the bytes as they are; else a pointer that they also are
    uint32_t type; // debug type
};

// Objects of one kind behind input references: two references of a region may
// lead to one object.
struct input_region {
    uint64_t key;
    uint32_t type;   // pointed to, IR_NOTHING: unknown
    uint32_t n_refs; // numbers given
    VEC(struct slot) loose;
};

// A value in a cell of a region: a write, or the input itself.
struct entry {
    const struct entry *up;
    uint32_t ref;
    bool input;
    uint32_t cell; // of an input
    term value;
    term condition; // of a write
};

// ---- states -------------------------------------------------------------

struct sx_state {
    uint32_t id;
    struct frame *top;
    uint32_t depth; // frames
    struct path path;
    struct pmap cells;   // object, offset -> term
    struct pmap objects; // object -> struct object *
    struct pmap regions; // region, offset -> struct entry *
    struct pmap met;     // cells, references, ...: key_...()
    const struct decision *decisions;
    const struct follow *followed;
    const struct number *inputs, *refs;
    const struct number *acyclic; // roots of structures without cycles
    const struct number *fixed;   // references, with branching (lazy)
    const struct effect *effects;
    const struct segment *segments;
    const struct apart *aparts;
    const struct goal_met *goals;
    uint32_t n_goals;
    uint32_t n_decisions, n_followed, n_inputs, n_refs, n_effects, n_segments;
    uint32_t n_real;     // decisions that were not known before
    uint32_t n_symbolic; // conditions on inputs, known or not
    uint32_t n_pre;      // conditions of the precondition
    uint32_t made;       // objects made so far
    uint32_t waits, operations;
    uint32_t trace; // sides of sx_start.trace that were taken
    uint32_t labels;
    uint64_t steps, trail;
    bool in_pre;
    bool dead;  // an assumption contradicts the path
    bool there; // the block of sx_start.stops was entered
    bool split; // the instruction at hand had two sides
    bool news;  // a wanted side was taken
    uint32_t segment_conditions, segment_effects; // where the segment began
    term actor;         // whose code runs: TERM_NONE the handler's own
    uint32_t behaviour; // of the segment
    bool stopped;
    bool waited;                 // others ran meanwhile
    bool lent;                   // an address of the path's own was sent
    const struct touch *touched; // behind references: overlap.c
    // For cut states: where, and by which bound.
    uint32_t cut_fn, cut_block;
    struct scene *scene; // of tasks (scene.h), else NULL
    // In a call by a summary (summary.h): where in its tree, what its variables
    // are, and how many frames on top stand for its own.  NULL: in none.
    const struct sum_node *node;
    const struct sum_bind *binds;
    struct sum_tree *summary;
    uint32_t stand_ins;
    // In a run that makes a summary: where its next node goes, instructions
    // since the last, what was read and written, "a loop's bound is met".
    struct sum_node **slot;
    uint32_t skipped;
    const struct sum_access *accesses;
    bool over;
};

// What a task was given: an actor's state or a message, an input each.
struct given {
    uint32_t key, of; // which; its class or message
    const char *name;
    uint32_t type;
};

struct sum_node; // summary.h
struct sum_bind;
struct sum_access; // summary.c
struct sum_tree;

struct skip;    // skip.c
struct fn_info; // loop.c: what is known of a function's loops

struct sx_run {
    struct symex *x;
    const struct ir *ir;
    struct terms *ts;
    struct solver *solver;
    struct sx_options o;
    struct sx_start start;
    struct arena arena;
    VEC(struct sx_ref) refs;
    VEC(struct sx_cell) cells;
    VEC(struct input_region) regions;
    struct map ref_of_var, ref_of_own, cell_at, region_at;
    struct map ranks;        // acyclic.c: references -> terms
    struct map followed;     // objects of the caller's inputs -> ours
    struct object **globals; // records, NULL until used
    term *consts;            // of the IR, as terms
    struct skip ***skips;    // by function and block: skip.c
    struct fn_info **fns;
    VEC(struct sx_state *) waiting, cut, aside;
    VEC(struct sx_path *) done;
    uint32_t given; // of done, by sx_next()
    uint32_t n_unknown, n_unsupported, n_spent;
    bool inside;        // the range at hand was checked as a whole
    bool assumed;       // an access was assumed to lie inside its object
    uint32_t labels;    // of all states that went on or ended
    struct model *zero; // all variables 0
    uint32_t next_state;
    bool stopped;
    // search
    enum sx_order order;
    struct rng rng;
    uint32_t picks;
    struct map goals; // fn, block, side -> wanted
    uint32_t n_goals;
    struct map trapped;          // fn, inst of traps found
    bool stale;                  // distances are to be measured again
    struct distances *distances; // search.c, per function
    uint32_t self, message;      // objects of a handler
    uint32_t self_type, message_type;
    struct sum_tree *making;      // the run makes this; else NULL
    struct term_subst *subst;     // compose.c: by the variables of
    const struct sum_bind *binds; // these
    struct live *live; // live.c: of a run of many activations; else NULL
    // tasks
    VEC(struct given) actors, messages; // scene.h: inputs of tasks
    uint32_t outside;                   // object: the test, as a sender
    struct sx_task_counts tasks;
    term args[64];      // of the function
    term result_object; // where it puts a result that is too big to return
};

struct symex {
    const struct ir *ir;
    struct terms *ts;
    struct solver *solver;
    struct sx_options o;
    struct sx_counts counts;
    bool *taken;   // per function
    bool *written; // per global: code of the program may change it
    struct sum_tree **summaries; // per function, NULL: none yet
    uint32_t *calls;             // per function, until there is one
    bool *busy;                  // per function: it is being made
    uint32_t root;               // the function they are made for
    bool (*stop)(void *self);
    void *stop_self;
    bool apart;    // sides of a branch are never taken both: symex_both()
    uint64_t both; // branches of which both were
};

// A run without a state (run.c).
struct sx_run *sx_run_new(struct symex *x, const struct sx_start *start);

// ---- states (state.c) ---------------------------------------------------

struct sx_state *state_new(struct sx_run *r);
struct sx_state *state_fork(struct sx_run *r, const struct sx_state *s);
void state_free(struct sx_state *s);
// The top frame, for writing.
struct frame *state_frame(struct sx_run *r, struct sx_state *s);
void state_push(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                enum purpose purpose);
void frame_drop(struct frame *f);
// Make the top n frames the state's own, for writing.
void state_own(struct sx_run *r, struct sx_state *s, uint32_t n);
// The object ends with the frame.
void frame_owns(struct frame *f, uint32_t object);
// Take the top frame off; its locals end.
void state_pop(struct sx_run *r, struct sx_state *s);
// Was this key met before?  From now on it counts as met.
bool state_meets(struct sx_state *s, uint64_t key);
enum {
    MET_CELL = 1,
    MET_REF,
    MET_FOLLOWED,
    MET_FIXED,
    MET_ACYCLIC,
    MET_CALLS,
    MET_ERRNO,
    MET_CTYPE,
    MET_TOKEN,
    MET_FILE
};
// The function of stubs that a test makes: place.index.
#define SX_CALLBACK 0x1fffffu

static inline uint64_t met_key(uint32_t kind, uint32_t n)
{
    return (uint64_t)kind << 32 | n;
}

// The value of a term under the state's model.
u128 state_eval(struct sx_run *r, const struct sx_state *s, term t);

// ---- deciding (decide.c) ------------------------------------------------

// Can the condition hold on this path?  Unknown, too, when the time is up.
enum solver_answer ask(struct sx_run *r, const struct sx_state *s,
                       term condition, struct model **m);
// The side that this state goes on with.  If the other side is possible, too, a
// copy waits with that.
bool decide(struct sx_run *r, struct sx_state *s, term condition);
// As decide(), but the state of the other side is given to the caller; NULL if
// that side is not possible.
bool decide_both(struct sx_run *r, struct sx_state *s, term condition,
                 struct sx_state **other);
// Make the condition hold; false if it cannot.
bool assume(struct sx_run *r, struct sx_state *s, term condition);
// Add a condition that the present model satisfies by construction.
void learn(struct sx_run *r, struct sx_state *s, term condition);
// A trap where `bad` holds: a path with it ends there, this state goes on with
// its negation.
bool trap_if(struct sx_run *r, struct sx_state *s, term bad, uint32_t trap);
// Give t one value: the state goes on with one, a copy waits for the others.
// False (unsupported, `what`) where there are too many.
bool pin(struct sx_run *r, struct sx_state *s, term t, const char *what,
         uint64_t *value);
// The same for a number of bytes: short ones first, and none beyond what one
// instruction can be asked to do.
bool pin_length(struct sx_run *r, struct sx_state *s, term t, const char *what,
                uint64_t *n);

// ---- ending (finish.c) --------------------------------------------------

// The state has come to its end: it becomes a path.  All return false.
bool finish_return(struct sx_run *r, struct sx_state *s, term result);
bool finish_reached(struct sx_run *r, struct sx_state *s);
bool finish_turned(struct sx_run *r, struct sx_state *s);
bool finish_trap(struct sx_run *r, struct sx_state *s, uint32_t trap,
                 const char *text);
bool finish_unsupported(struct sx_run *r, struct sx_state *s, const char *text);
bool finish_unknown(struct sx_run *r, struct sx_state *s);
bool finish_stuck(struct sx_run *r, struct sx_state *s);
bool finish_spent(struct sx_run *r, struct sx_state *s);
// Drop a state that cannot be, or that is not asked for.
bool drop(struct sx_run *r, struct sx_state *s);
// Cut the state off at a bound; when the bound is raised it may go on.
bool cut(struct sx_run *r, struct sx_state *s, uint32_t fn, uint32_t block);

// ---- pointers (pointer.c) -----------------------------------------------

// t with the values that the path fixes put in.  A reference is never replaced,
// even if it can be one object only: a loop over a list depends on the input
// however much is known of the list.
term known_value(struct sx_run *r, const struct sx_state *s, term t);

struct leaf {
    term condition;
    term object, offset; // object TERM_NONE: no pointer
};
enum { LEAVES_MAX = 64 };
// What an address can be on this path; returns how many, 0 if too many.
uint32_t leaves(struct sx_run *r, struct sx_state *s, term address,
                struct leaf *out);
term address_of(struct sx_run *r, uint32_t object, uint64_t offset);
// address + bytes, of 64 bits.
term address_add(struct sx_run *r, term address, term bytes);
term offset_const(struct sx_run *r, uint64_t offset);
// A comparison of pointers: EQ, NE, ULT, ULE, SLT, SLE.
term compare_pointers(struct sx_run *r, enum ir_op op, term a, term b);
// Label the state if the instruction asks where memory lies (place.c).  False:
// the state is put away, because it cannot ask that.
bool note_places(struct sx_run *r, struct sx_state *s, const struct ir_inst *i,
                 const struct ir_type *types, const term *a);
// Bytes up to `end` behind a reference, MAP_NONE: of a global, are written or
// read: label the state if that may be the same memory (overlap.c).
void touch_write(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 uint64_t end);
void touch_read(struct sx_run *r, struct sx_state *s, uint32_t ref,
                uint64_t end);
// An integer operation on what may be addresses; TERM_NONE: nothing special.
term address_arithmetic(struct sx_run *r, enum ir_op op, term a, term b);

// ---- types (layout.c) ---------------------------------------------------

// The scalar at a byte of an object that consists of this type, one or many.
enum { VIEWS_MAX = 3 };
// The pointers of different types that unions in `type` have at this byte, behind
// the n that are there; how many there are then.
uint32_t layout_pointers(const struct ir *ir, uint32_t type, uint64_t byte,
                         uint32_t types[VIEWS_MAX], uint32_t n);
struct slot layout_slot(const struct ir *ir, uint32_t type, uint64_t byte);
// Bytes of one element, at least 1.
uint64_t layout_size(const struct ir *ir, uint32_t type);
// What a pointer of this debug type points to, IR_NOTHING: unknown.
uint32_t layout_pointee(const struct ir *ir, uint32_t type);
uint64_t layout_region(const struct ir *ir, uint32_t type);
// "->first", ".at[2]", "": the way to a byte from a name.
const char *layout_name(struct sx_run *r, const char *base, bool behind,
                        uint32_t type, uint64_t byte);
enum term_kind layout_kind(const struct ir *ir, uint32_t type);
bool layout_is_function(const struct ir *ir, uint32_t type);

// ---- inputs (input.c) ---------------------------------------------------

// The value of an input; made if it is met for the first time.
term input_value(struct sx_run *r, struct sx_state *s, struct sx_place at,
                 const struct slot *slot);
// The cell of an input.  `alike`: a cell that is equal under the state's model,
// or IR_NOTHING.  *is_new: this state meets the input for the first time.
uint32_t input_cell(struct sx_run *r, struct sx_state *s, struct sx_place at,
                    const struct slot *slot, uint32_t alike, bool *is_new);
// The reference that a variable is, MAP_NONE if none.
uint32_t input_ref_of(const struct sx_run *r, term var);
const char *input_name(struct sx_run *r, struct sx_place at);
// Is `ref` found by following pointers from `root`?
bool ref_is_below(const struct sx_run *r, uint32_t ref, uint32_t root);
// Does unit_apart() keep these two in different structures?
bool refs_apart(const struct sx_run *r, const struct sx_state *s, uint32_t a,
                uint32_t b);

// ---- other places that pointers may lead to (hint.c) ---------------------

// Two references (or MAP_NONE) are ordered, or compared at different places.
void hint_middle(struct sx_run *r, uint32_t a, uint32_t b);
// There is an access before the object of a reference.
void hint_part(struct sx_run *r, uint32_t ref, int64_t offset);
// The type of the objects that pointers to this one lead into, and where.
uint32_t hint_whole(const struct sx_run *r, uint32_t type, uint64_t *offset);
// A reference and what lies there, at an offset, are compared: behind another
// reference, in a global.
void hint_inside(struct sx_run *r, uint32_t ref, uint32_t other, term offset);
void hint_variable(struct sx_run *r, uint32_t ref, uint32_t global);
// Make the variables of a new reference that may lead elsewhere.
void hint_index(struct sx_run *r, struct sx_ref *ref);
// The address that a reference is; `from`: of its part.
term hint_address(struct sx_run *r, const struct sx_ref *ref, uint64_t from);
// Values for these variables in the state's model: as `alike` has them.
void hint_choose(struct sx_run *r, struct sx_state *s, const struct sx_ref *ref,
                 const struct sx_ref *alike);
// The state meets a reference: what its index can be.
void hint_meet(struct sx_run *r, struct sx_state *s, uint32_t ref);
// Only pointers into one object may be ordered or subtracted.  False: these
// are not.
bool hint_one_object(struct sx_run *r, struct sx_state *s, term a, term b);

// ---- structures without cycles (acyclic.c) ------------------------------

void acyclic_from(struct sx_run *r, struct sx_state *s, uint32_t root);
// The input `child` was met in a cell behind `parent`.
void acyclic_cell(struct sx_run *r, struct sx_state *s, uint32_t parent,
                  uint32_t child);

// ---- starting (start.c) -------------------------------------------------

// Make the start state of a run.
bool start_run(struct sx_run *r);
void handler_args(struct sx_run *r, struct sx_state *s, term *args);
// Which functions have their address taken.
void find_taken(struct symex *x);
// A parameter of the source: its debug type, its name (NULL: none).
uint32_t param_type(const struct sx_run *r, uint32_t index);
const char *param_source_name(const struct ir *ir, const struct ir_fn *f,
                              uint32_t index);
// May a pointer to functions of this debug type be this function?
bool fn_fits(const struct sx_run *r, uint32_t fn, const struct ir_dtype *t);

// ---- memory (memory.c, region.c) ----------------------------------------

const struct object *object_at(struct sx_run *r, const struct sx_state *s,
                               uint32_t number);
const struct object *global_object(struct sx_run *r, uint32_t global);
// A new object of a path; its number.
uint32_t object_make(struct sx_run *r, struct sx_state *s, struct object o);
void object_replace(struct sx_run *r, struct sx_state *s,
                    const struct object *o);
void object_forget(struct sx_run *r, struct sx_state *s, uint32_t number);
// From now on nothing is known of these bytes (wide.c).
void object_unknown(struct sx_run *r, struct sx_state *s,
                    const struct object *o, uint64_t at, uint64_t end);
// Bytes at constant offsets of a named object.
term cell_read(struct sx_run *r, struct sx_state *s, const struct object *o,
               uint64_t offset, uint32_t bytes, bool pointer);
void cell_write(struct sx_run *r, struct sx_state *s, const struct object *o,
                uint64_t offset, term value);
// How many bytes from here on are one cell, at most `most`.
uint32_t cell_extent(struct sx_run *r, struct sx_state *s,
                     const struct object *o, uint64_t offset, uint32_t most);

// The same behind an input reference.
term region_read(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 uint64_t offset, uint32_t bytes, bool pointer);
void region_write(struct sx_run *r, struct sx_state *s, uint32_t ref,
                  uint64_t offset, term value, term condition);
uint32_t region_extent(struct sx_run *r, uint32_t ref, uint64_t offset,
                       uint32_t most);
void region_follow(struct sx_run *r, struct sx_state *s, uint32_t ref,
                   term condition);
// The region of pointers to this debug type; one of its own.
uint32_t region_for(struct sx_run *r, uint32_t type);
uint32_t region_new(struct sx_run *r, uint32_t type);
// The cell at an offset of a region, for an access of `bytes` bytes.
// view.c: pointers that a union of a region's type has at a byte.
uint32_t view_pointers(const struct ir *ir, uint32_t type, uint64_t byte,
                       uint32_t types[VIEWS_MAX]);
// These bytes as the pointer that the load at hand takes them for.
struct slot view_slot(struct sx_run *r, struct sx_state *s, uint32_t type,
                      uint64_t byte);
struct slot slot_at(struct sx_run *r, uint32_t region, uint64_t offset,
                    uint32_t bytes, bool pointer);
void region_count(struct sx_run *r, struct sx_state *s, uint32_t ref,
                  term bytes);
// Bytes behind a reference on this path; TERM_NONE: not known.
term ref_count(struct sx_run *r, const struct sx_state *s, uint32_t ref);
// Note that the object of a reference was freed; was it?
void region_free(struct sx_run *r, struct sx_state *s, uint32_t ref,
                 term condition);
term region_is_freed(struct sx_run *r, struct sx_state *s, uint32_t ref);

// ---- access (access.c) --------------------------------------------------

// A load or store through any address.
bool load(struct sx_run *r, struct sx_state *s, term address, uint32_t bytes,
          bool pointer, term *out);
bool store(struct sx_run *r, struct sx_state *s, term address, term value);
// Read n bytes cell by cell; offsets count from the first byte.
struct pieces {
    VEC(struct sx_write) at;
};
bool read_pieces(struct sx_run *r, struct sx_state *s, term from, uint64_t n,
                 struct pieces *out);
// Copy n bytes cell by cell; source and destination may overlap.
bool copy_bytes(struct sx_run *r, struct sx_state *s, term to, term from,
                uint64_t n);
bool set_bytes(struct sx_run *r, struct sx_state *s, term to, term byte,
               uint64_t n);
// Bytes from an address to the end of its object, if that is known; the most
// that may be looked at otherwise (`assumed` is set then).
bool room_at(struct sx_run *r, struct sx_state *s, term address, uint64_t *n,
             bool *assumed);
// The address may be in objects with more and with less room: go on in that
// with the least, or in the others, and in a copy of the state in the rest.  1:
// it was split; 0: there is nothing to split; -1: the state is put away.
int room_splits(struct sx_run *r, struct sx_state *s, term address);
// Bytes that may lie behind a reference of unknown count.
uint64_t assumed_bytes(const struct sx_run *r, uint32_t ref);
// Memory of a path's own, the address of its first byte.
term allocate(struct sx_run *r, struct sx_state *s, term size, enum fill fill,
              bool heap);

// ---- running (step.c, call.c, loop.c, effect.c) -------------------------

// Run one instruction, or one node of a summary.
bool step(struct sx_run *r, struct sx_state *s);
// Run the instruction at which the top frame stands.
bool step_in_place(struct sx_run *r, struct sx_state *s);
// The term of an operand in the top frame.
term operand(struct sx_run *r, const struct sx_state *s, ir_id v);
term const_term(struct sx_run *r, ir_id v);
// The instruction at which the state stands is done; *result is its value.
bool advance(struct sx_run *r, struct sx_state *s, term result);

bool call(struct sx_run *r, struct sx_state *s, const struct ir_inst *i);
// Push a frame for a function with a body; false: the bound cuts it.
bool call_fn(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
             const term *args, uint32_t n, enum purpose purpose);
// Call the function under test, with the arguments that the precondition had.
bool start_fn(struct sx_run *r, struct sx_state *s);
bool call_return(struct sx_run *r, struct sx_state *s, term result);

// A model of libc: 1 done (*result), 0 no such model, -1 the state is not to
// be run any more, 2 a frame was pushed.
int libc_model(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
               const struct ir_inst *i, const term *args, uint32_t n,
               term *result);
// unit_distinct() and other assumptions (heap_assumptions.c): 1 done, 0 no such
// function, -1 the state is not to be run any more.
int unit_assumption(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                    const term *args, uint32_t n, term *result);
bool model_resume(struct sx_run *r, struct sx_state *s, term result);

// What a function without a body writes, at this call of it (outside.c).
bool stub_writes(struct sx_run *r, struct sx_state *s, const struct ir_fn *f,
                 const term *args, uint32_t n, uint64_t calls);

bool actor_operation(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i);
// Run the init hook of the actor that an effect creates, on its state, if its
// class has one; then the operation has e->result.
bool init_call(struct sx_run *r, struct sx_state *s, const struct sx_effect *e,
               term state);
// Go on after the init of a new actor has returned.
bool init_returned(struct sx_run *r, struct sx_state *s);
// The effect of a choice: its result is a fresh input in the range asked for.
bool effect_choose(struct sx_run *r, struct sx_state *s,
                   const struct ir_inst *i, struct sx_effect *e);
// The effect as the state stands before it; reading the payload may split.
bool effect_of(struct sx_run *r, struct sx_state *s, const struct ir_inst *i,
               struct sx_effect *e);
// Do functions of messages, which sending runs, write to what others see?
bool hooks_write(const struct sx_run *r);
void effect_record(struct sx_run *r, struct sx_state *s,
                   const struct sx_effect *e);
// A value from outside the program, of the instruction's type: an input.
term effect_given(struct sx_run *r, struct sx_state *s, uint32_t index,
                  struct ir_type t);
// A struct that is an input; its number.
term effect_input(struct sx_run *r, struct sx_state *s, struct sx_place at,
                  uint32_t type, uint64_t size, uint32_t *number);

// ---- tasks (scene.c, tasks.c, schedule.c) -------------------------------

// The actor under test and its first task, which is to be started.
void tasks_begin(struct sx_run *r, struct sx_state *s);
bool tasks_operation(struct sx_run *r, struct sx_state *s,
                     const struct ir_inst *i);
bool tasks_returned(struct sx_run *r, struct sx_state *s);
// The scene at the end of a path, in the run's arena.
const struct sx_scene *tasks_scene(struct sx_run *r, struct sx_state *s,
                                   struct sx_path *p);
struct scene *scene_share(struct scene *w);
void scene_release(struct scene *w);
uint32_t scene_running(const struct scene *w);
void frame_share(struct frame *f);
void effect_segment(struct sx_run *r, struct sx_state *s, enum ir_op wait,
                    term future, bool late);

uint32_t loops_of(struct sx_run *r, const struct ir_fn *f);
bool is_trap_block(const struct ir_fn *f, uint32_t block);
// The branch at the end of the top frame's block was decided; `symbolic`: its
// condition depends on inputs.
void loop_branch(struct sx_run *r, struct sx_state *s, ir_id condition,
                 bool symbolic);
// The top frame waits for a condition: the turn of the loop that tests it does
// not count.  False: the frame waited before, and only tested once more.
bool loop_pause(struct sx_run *r, struct sx_state *s);
// Do these blocks change nothing, but let others run?
bool only_waits(const struct sx_run *r, const struct ir_fn *f,
                const bool *body);
// May the edge be taken?  False: the bound cuts it (the state is put away).
bool loop_edge(struct sx_run *r, struct sx_state *s, uint32_t from,
               uint32_t to);
// A block was entered.  If it is the head of a loop and sx_start.wide is set,
// the loop is taken in one step.
void loop_entered(struct sx_run *r, struct sx_state *s, uint32_t from,
                  uint32_t to);
void loop_free(struct sx_run *r);
// Make everything unknown that a turn of the loop may change; the top frame is
// at its head.  False, and nothing is done, if that is not known.
bool wide_enter(struct sx_run *r, struct sx_state *s, const bool *body,
                uint32_t head);

// Where the sides of the branch at hand meet again, if they need not be entered
// (skip.c): what they may write is unknown now.  IR_NOTHING: they must be.
uint32_t skip_branch(struct sx_run *r, struct sx_state *s);

// ---- many activations (live.c) ------------------------------------------

// All of these do nothing in other runs.
// Note a side that is not taken here: it needs `goal`.
void live_choice(struct sx_run *r, struct sx_state *s, term goal);
// For live_side(): there was no choice, because no native run takes the other
// side.
#define SX_NO_SIDE 0xfffffffeu
// The last choice was this successor; `before`: how many there were then.
void live_side(struct sx_run *r, uint32_t before, uint32_t side);
// Both values of a select are one term, so nothing is decided; the other value
// is a choice all the same.
void live_select(struct sx_run *r, struct sx_state *s, term condition);
// t is pinned to n: that it is n + 1 is noted as a choice, so that lengths can
// grow.
void live_pin(struct sx_run *r, struct sx_state *s, term t, uint64_t n);
void live_pinned(struct sx_run *r);
// What is decided next in a model, as a number: decisions at one instruction
// are told apart by it.  live_pinned() ends it.
void live_mark(struct sx_run *r, uint64_t what);
uint32_t live_count(const struct sx_run *r);
// Go on behind both sides of a branch, if they only compute (both.c).
bool take_both(struct sx_run *r, struct sx_state *s, term condition);
void live_entered(struct sx_run *r, uint32_t fn, uint32_t block);
bool live_operation(struct sx_run *r, struct sx_state *s,
                    const struct ir_inst *i);
bool live_returned(struct sx_run *r, struct sx_state *s);
void live_free(struct sx_run *r);
// Condition under which a switch goes to this block.
term switch_condition(struct sx_run *r, struct sx_state *s,
                      const struct ir_inst *i, uint32_t block);

// ---- search (search.c) --------------------------------------------------

void search_add(struct sx_run *r, struct sx_state *s);
struct sx_state *search_next(struct sx_run *r);
// Note a block that the state enters.
void search_entered(struct sx_run *r, struct sx_state *s, uint32_t fn,
                    uint32_t block);
// Note a side that the state takes at the instruction at hand.
void search_took(struct sx_run *r, struct sx_state *s, uint32_t side);
bool search_yields(const struct sx_run *r);
// Put the state aside if it cannot come to the block of sx_start.stops any
// more.
bool search_leaves(struct sx_run *r, struct sx_state *s);
void search_free(struct sx_run *r);

#endif
