// A program under test: a shared object that was loaded, or the executable
// that runs.
//
// Tests, systems, classes, messages, hot behaviours and invariants are found
// through the sections their macros put pointers into.  The addresses here are
// those of the running process; names and lines come from symbol table and
// debug information of the file.
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "troupe.h"

struct arena;
struct diag;
struct Dwarf;

struct range {
    uintptr_t from, to; // to is the first address behind
};

struct program_debug; // the file's symbols and debug information, opaque

struct program {
    const char *path; // of the file
    uintptr_t bias;   // address here = address in the file + bias
    uint64_t hash[2]; // of the file's contents

    const tr_test *const *tests; // in order of the sources
    const tr_system *const *systems;
    const tr_class *const *classes;
    const tr_msg *const *msgs; // distinct, in order of first mention
    const tr_seen *const *seen;
    const tr_hot *const *hots;
    const tr_hook *const *hooks;
    const tr_invariant *const *invariants;
    uint32_t n_tests, n_systems, n_classes, n_msgs, n_seen, n_hots, n_hooks,
        n_invariants;

    struct range image; // all of it, read-only parts too
    struct range text;  // executable
    struct range library; // the part of it that is this library; mostly empty
    struct range data;  // writable for good: .data and .bss behind RELRO
    uint32_t tls_size;  // of one thread's block, 0 if there is none
    const char *unset; // where locals may not be set; NULL: nowhere known
    const char *const *undefined; // names the file wants from elsewhere
    uint32_t n_undefined;

    void *handle; // of dlopen, NULL for the executable
    struct program_debug *debug;
};

// Load a shared object; NULL with *d set if that fails, if it has no section
// of ours, or if two structs share a message's name.
struct program *program_load(const char *path, struct diag *d);
// Does the program's code run because it starts: constructors, global objects?
// That ends with program_load(), or where the main function of a test binary
// says so.
bool program_starting(void);
void program_started(void);
// The library that must be in the process before such an object is loaded, and
// is not: a sanitizer's runtime.  NULL if there is none; the caller's to free.
char *program_wants(const char *path);
// Does it refer to a function that reads the clock?
bool program_clocked(const struct program *p);
// Does it call this function of the C library?  Of a test binary that is known
// of wrapped functions only (base/libc.h).
bool program_calls(const struct program *p, const char *function);
// The running executable itself.
struct program *program_self(struct diag *d);
void program_free(struct program *p);

const tr_test *program_test(const struct program *p, const char *name);
const tr_system *program_system(const struct program *p, const char *name);
const tr_msg *program_msg(const struct program *p, const char *name);
// Is b marked hot for cls?
bool program_hot(const struct program *p, const tr_class *cls,
                 const tr_behaviour *b);

// The calling thread's block of thread-local variables: empty if the program
// has none or the thread has not touched it yet.
struct range program_tls(const struct program *p);

// The symbol that an address lies in, static ones included, NULL if there is
// none; *offset, if not NULL, is the distance from its start.  The name lives
// as long as the program.
const char *program_symbol(const struct program *p, uintptr_t address,
                           uintptr_t *offset);
// A symbol's address, static ones included, 0 if there is none; *size, if not
// NULL, is its size.
uintptr_t program_address(const struct program *p, const char *symbol,
                          size_t *size);

// All named objects (variables and constants, static ones included), in order
// of their addresses.
void program_each_object(const struct program *p,
                         void (*each)(void *user, const char *name,
                                      uintptr_t address, size_t size),
                         void *user);

struct where {
    const char *file;     // NULL if unknown; as the compiler was given it
    int line;             // 0 if unknown
    const char *function; // NULL if unknown
    int declared;         // line of the function's head, 0 if unknown
};

// Is it in a file of the compiler's or the C library's?
bool where_is_foreign(const struct where *w);
// The source position of an instruction; in a function of such a file that was
// inlined, that of the nearest call outside.  After a call the return address
// belongs to the next line: pass pc - 1.
struct where program_where(const struct program *p, uintptr_t pc);

// The debug information, NULL without -g.  Addresses in it are those of the
// file.  The program's.
struct Dwarf *program_dwarf(const struct program *p);

// "fopen, fgets and 3 more": functions that the program takes from elsewhere
// and that are neither known to be harmless nor answered by the stage.  NULL if
// there are none.  Of a test binary they cannot be told from the library's.
const char *program_uncontrolled(const struct program *p, struct arena *a);

// Can handlers of this program be run under control at all?  False with *d:
// what stands against it, and the way out.
bool program_controllable(const struct program *p, struct diag *d);

#endif
