// Inputs by symbolic execution: paths of the engine that take sides or traps
// which no path before took.
#ifndef UNIT_ENGINE_H
#define UNIT_ENGINE_H

#include "symex/symex.h"
#include "unit/input.h"
#include "unit/sides.h"
#include "unit/subject.h"

struct engine_options {
    double seconds;
    uint64_t seed;
    uint32_t pre;             // IR_NOTHING: none
    const uint8_t *elsewhere; // by side, 1: already taken by other inputs
    bool all;                 // list all cases within the bounds
    bool by_path;             // one case a path, instead of one for each way
                              // in which its references can be equal
    uint32_t loop, recursion; // bounds of a list; recursion UINT32_MAX: as loop
    uint32_t loop_to;         // go on to this bound, one after the other
    bool local;               // the first path of each local trace (guide.h),
    const uint32_t *lines;    // or one to each of these lines
    uint32_t n_lines;
    uint32_t array; // elements behind a pointer, 0: as the engine has
    bool lazy, overflow;
    bool inlined; // callees are run in place, not by their summaries
    double each;  // seconds that the caller needs for each path it is given
};

struct engine_found {
    struct input in;
    bool returned;
    uint32_t trap;     // site of the trap it comes to, IR_NOTHING: none
    const char *kind;  // of that trap, NULL: none
    uint32_t fn, inst; // where it ends
    uint32_t labels;   // enum sx_label
    uint32_t loop;     // the bound under which it was found
};

// What a bound brought, in all until then.
struct engine_level {
    uint32_t loop;
    uint64_t cases, paths, cut, steps, asked;
};

struct engine_result {
    VEC(struct engine_found) found; // in the order of finding
    VEC(const char *) notes;        // what stopped it, each once
    uint32_t labels;                // of all paths
    bool complete;                  // every path was followed to its end
    uint8_t *taken;                 // by side, 1: some path takes it
    uint32_t loop;                  // the last bound
    uint32_t cut_line;              // a loop that a bound cut off, 0: none
    uint64_t paths, questions, asked, steps;
    uint64_t cases, cut; // of a list; cut: states that a bound cut off
    VEC(struct engine_level) levels;
    VEC(struct sx_summary) summaries;
    uint32_t traces, feasible; // tried; with a path
    uint32_t undecided;        // of the others: not shown to have none
    uint32_t reached;          // of the lines
    bool stopped;              // the time was up
    bool died;                 // the process was lost, and what it had found;
    bool late;                 // since it did not stop when the time was up
};

// Runs in a process of its own: if that crashes, or the solver does not come
// back, only that process is lost.
void engine(const struct unit_subject *s, struct arena *a,
            const struct ir_fn *f, const struct sides *sides,
            const struct engine_options *o, struct engine_result *out);
void engine_free(struct engine_result *r);

#endif
