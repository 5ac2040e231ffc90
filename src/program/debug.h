// One ELF file read into memory: its symbols, its lines, its debug information.
// Used by program.c only; addresses here are those of the file.
#ifndef PROGRAM_DEBUG_H
#define PROGRAM_DEBUG_H

#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/program.h"

struct debug_symbol {
    uint64_t at, size;
    const char *name;
    bool object; // a variable or constant
    bool tls;    // `at` is an offset in the block of thread-local variables
};

// A compilation unit that has code in [low, high).
struct debug_unit {
    uint64_t low, high;
    Dwarf_Off die;
};

struct program_debug {
    struct arena arena;
    char *bytes;
    size_t size;
    Elf *elf;
    Dwarf *dwarf;                     // NULL without debug information
    VEC(struct debug_symbol) symbols; // by (tls, at)
    VEC(const char *) undefined;      // in order of the file
    VEC(struct debug_unit) units;
    VEC(struct where) wheres;
    struct map where_of; // pc -> index in wheres
};

struct program_debug *debug_open(const char *path, struct diag *d);
void debug_free(struct program_debug *f);

// Address and size of a section, false if the file has none of that name.
bool debug_section(struct program_debug *f, const char *name, uint64_t *at,
                   uint64_t *size);
// The first library needed whose name begins like this, NULL if none.
const char *debug_needed(struct program_debug *f, const char *name);
// The first library that the file is linked with and that `known` does not
// know; NULL if there is none.
const char *debug_stranger(struct program_debug *f, bool (*known)(const char *));
// The symbol at an address, NULL if none.
const struct debug_symbol *debug_symbol_at(const struct program_debug *f,
                                           uint64_t at, bool tls);
struct where debug_where(struct program_debug *f, uint64_t pc);

#endif
