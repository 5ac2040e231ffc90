// Where a variable is, by its location expression (DWARF 5, section 2.6).
#ifndef PROGRAM_LOCATION_H
#define PROGRAM_LOCATION_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "program/scope.h"

struct frames;
struct program;

// A frame in which expressions are evaluated.
struct location_in {
    const struct program *program;
    const struct frames *frames;
    uint32_t i; // of the frame
    struct scope scope;
};

enum location_kind {
    LOCATION_NONE,    // not available
    LOCATION_MEMORY,  // at `address`
    LOCATION_BYTES,   // in no memory: these bytes
    LOCATION_POINTER, // a pointer to another variable that is in no memory
};

enum { LOCATION_MOST = 256 };

struct location {
    enum location_kind kind;
    uintptr_t address;
    unsigned char bytes[LOCATION_MOST];
    bool known[LOCATION_MOST]; // which of them are available
    uint32_t n;
    Dwarf_Die target;
    int64_t offset; // in the target
};

// The scope of the i-th frame; false if debug information does not know it.
bool location_open(struct location_in *in, const struct program *p,
                   const struct frames *f, uint32_t i);
void location_of(const struct location_in *in, Dwarf_Die *variable,
                 struct location *out);

#endif
