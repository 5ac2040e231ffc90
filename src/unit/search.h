// Cases for one function: inputs that take its branch sides, confirmed by
// running them natively.
#ifndef UNIT_SEARCH_H
#define UNIT_SEARCH_H

#include "unit/engine.h"
#include "unit/input.h"
#include "unit/runner.h"
#include "unit/sides.h"
#include "unit/subject.h"

enum side_state {
    SIDE_OPEN,
    SIDE_COVERED,   // seen in the native run of a case that is kept
    SIDE_INFEASIBLE // shown: no input takes it
};

struct side_result {
    enum side_state state;
    const char *why; // of an open one; the condition of an infeasible one
};

struct unit_case {
    struct input in;
    struct call_case call; // as it is written
    uint64_t steps, weight;
    uint32_t labels; // of the engine: what it leans on
    uint8_t *sides;  // by index, 1: taken natively
    uint32_t trap;   // hit of the failed check, IR_NOTHING: none
    bool ends;       // does not return
    bool counts;     // its sides are covered: it returns, or ends where the
                     // source says so
    bool telling;    // its values were chosen to show what goes wrong
    bool untyped;    // of a random run: what is in a union may be meant as
                     // something else
    bool doubtful;   // it may go wrong in silence: see unit/suspects.h
    bool loose;      // it passes a null pointer with no bytes to memcpy()
    uint32_t null_parameter; // the trap is that this one is followed; else
                             // IR_NOTHING
    // Kind of the trap that the engine came to, and where; NULL: none.
    const char *expected;
    uint32_t expected_fn, expected_inst;
};

struct search_options {
    uint32_t pre; // the function's precondition, IR_NOTHING: none
    double seconds;
    uint64_t seed;
    bool no_traps;
    bool fewest;
    bool all;                 // all cases within these bounds
    bool by_path;             // one a path
    uint32_t loop, recursion; // recursion UINT32_MAX: as loop
    uint32_t loop_to;         // go on to this bound
    bool local;               // a case for each local path
    const uint32_t *lines;    // or for each of these lines
    uint32_t n_lines;
    uint32_t array; // 0: as the engine has it
    bool lazy, overflow, strict, inlined;
};

// Does it ask for certain paths or lines only?
static inline bool search_guided(const struct search_options *o)
{
    return o->local || o->n_lines;
}

struct unit_result {
    const struct ir_fn *f;
    const char *refused; // why nothing was tried, NULL: something was
    struct sides sides;
    struct side_result *of;      // per side
    VEC(struct unit_case) cases; // simplest first, those that end last
    VEC(struct unit_case) spare; // confirmed ones that add nothing to those
    bool with_traps;              // calls that trap are among the cases
    VEC(const char *) notes;
    const char *outside; // a function that would have to write to memory, as a
                         // reason; NULL: none
    uint64_t runs, paths;
    uint64_t listed, cut; // cases of a list; states that a bound cut off
    bool stopped;         // the list: by the time, more cases may be there
    VEC(struct engine_level) levels;
    VEC(struct sx_summary) summaries;              // of callees
    uint64_t steps, asked;                         // of the engine
    uint32_t traces, feasible, undecided, reached; // of guided cases
    uint32_t unstable;  // assertions left out because two runs differ
    uint32_t lost;      // cases whose native run ended otherwise
    uint32_t overflows; // told in notes
    bool unsatisfied;   // no input satisfies the precondition
    double seconds;
};

// Search; everything lives in a but for arrays.
void unit_search(const struct unit_subject *s, struct arena *a, uint32_t fn,
                 const struct search_options *o, struct unit_result *out);
// Does the function, or what it calls, keep something from call to call where no
// test can set it?
bool unit_remembers(const struct ir *ir, const struct ir_fn *f);
void unit_result_free(struct unit_result *r);

// After cases were removed: find again which sides the others cover, and add a
// spare one for each that is lost.  False: there was none for some side.
bool unit_recount(struct unit_result *r, struct arena *a);

// Do both come to one trap?  An expression has one of each kind, and one for
// each parameter that is null there.
bool unit_same_trap(const struct unit_case *a, const struct unit_case *b);
uint32_t unit_count(const struct unit_result *r, enum side_state state);

#endif
