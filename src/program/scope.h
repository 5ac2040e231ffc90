// Functions and variables at one place of the program's text.
#ifndef PROGRAM_SCOPE_H
#define PROGRAM_SCOPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct program_debug;

enum { SCOPE_MOST = 32 };

// The function that a place lies in, then what lies in it around the place:
// blocks and inlined functions, outermost first.
struct scope {
    Dwarf_Die unit;
    Dwarf_Die at[SCOPE_MOST];
    uint32_t n;
    uint64_t pc; // the file's
};

bool scope_find(struct program_debug *f, uint64_t pc, struct scope *s);
// Is this element a function, inlined or not?
bool scope_is_function(const struct scope *s, uint32_t i);
// The variable or parameter of this name that the innermost function sees.
// False if there is none; *lost: there is one, but the place has no trace of
// it.
bool scope_variable(const struct scope *s, const char *name, Dwarf_Die *out,
                    bool *lost);

#endif
