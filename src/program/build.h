// Sources to a shared object, cached by content.
//
// The object is linked at a fixed address, so that images of state are equal
// in every process, and with the program's own calls of the WRAPPED functions
// of base/libc.h renamed to __wrap_*, which the tool exports.
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct args;
struct diag;

struct build_options {
    const char *const *inputs; // sources, objects, archives; or one .so
    uint32_t n_inputs;
    const char *const *flags; // the user's, after --
    uint32_t n_flags;
    const char *const *extra; // the caller's: coverage, sanitizers
    uint32_t n_extra;
    const char *cc;      // NULL: $CC, or cc
    const char *cxx;     // NULL: $CXX, or c++
    const char *cache;   // folder; NULL: .troupe/cache, or the user's cache
    const char *include; // of troupe.h; NULL: found beside the executable
    bool fresh;          // do not look into the cache
    bool verbose;        // print the commands on stderr
};

struct built {
    const char *path; // of the shared object
    bool cached;      // nothing was compiled
};

// Compile and link.  Compilers write their messages to stderr themselves; then
// *d holds EXIT_USAGE and no text.  Strings live in a.
bool build_program(struct arena *a, const struct build_options *o,
                   struct built *out, struct diag *d);

// Is this the name of a source that is compiled, in C or C++?
bool build_is_source(const char *name);

// The folder with troupe.h: installed beside the executable or in the source
// tree above it; NULL if there is none.
const char *build_include(struct arena *a);
// The folder for cached objects, made if need be; NULL if none can be written.
const char *build_cache(struct arena *a);
// Add the linker's flags that make calls of wrapped functions calls of
// __wrap_*.
void build_wrap(struct args *argv, struct arena *a);
// Is this the name of something to compile or link?
bool build_is_input(const char *name);

#endif
