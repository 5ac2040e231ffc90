// A program that makes calls of one function, each in a child of its own, and
// tells how each ended.
//
// It says, a line each: "call I" before call I, then "differs I K VALUE" for
// what does not come out as call I has it, and "returns I", "exits I STATUS" or
// "signal I NUMBER".
#ifndef UNIT_CALL_PROGRAM_H
#define UNIT_CALL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct call_case;
struct text;
struct unit_options;

struct call_program {
    const struct unit_options *options;
    bool has_main;
    const char *compiler;          // NULL: as the options have it
    const char *const *sanitizers; // flags; what is said on standard error
    uint32_t n_sanitizers;         // is told, too
    bool ways; // tell the blocks of code that each call enters, as numbers:
               // "way I SET LAST"
    const char *pre; // what this function refuses is not called; NULL: none
    const struct call_case *const *calls;
    uint32_t n;
};

// Build and run it; what it says is added to *said.  False if it cannot be
// built: *why, in a.
bool call_program_run(struct arena *a, const struct call_program *p,
                      struct text *said, const char **why);

#endif
