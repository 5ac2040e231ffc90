// The calls that were under way in the program when a task was stopped.
//
// The stage fills in registers; the rest is read from debug information: the
// chain of functions, inlined ones included, and the values of the variables
// that a piece of source text names.  A value that is no more is said to be
// not available; a value of another moment is never shown.
#ifndef PROGRAM_FRAMES_H
#define PROGRAM_FRAMES_H

#include <stddef.h>
#include <stdint.h>

struct program;
struct text;
struct values;
struct values_names;

// Registers go by their numbers in debug information.
#if defined __aarch64__
enum { FRAME_REGISTERS = 32, FRAME_SP = 31 };
#else
enum { FRAME_REGISTERS = 17, FRAME_SP = 7 };
#endif
enum { FRAMES_MOST = 32, FRAME_ARGS = 3 };

struct frame {
    uintptr_t pc;   // within the instruction that was under way
    uintptr_t cfa;  // canonical frame address, 0: unknown
    uint64_t known; // bit r: register r is known
    uint64_t at[FRAME_REGISTERS];
};

struct frames {
    uint32_t n;
    struct frame at[FRAMES_MOST]; // innermost first
    // The outermost function, and its first arguments; 0: not known.
    uintptr_t entry;
    uint64_t args[FRAME_ARGS];
};

// Add the functions, innermost first: "check <- counter_add".
void frames_chain(const struct program *p, const struct frames *f,
                  struct text *out);
// Add "self->n = 3, limit = 2" for the variables of the innermost function, and
// for what can be reached from them, that a piece of source text names.
void frames_values(struct values *v, const struct frames *f, const char *code,
                   const struct values_names *names, struct text *out);

#endif
