// Programs whose memory the stage cannot control.  The stage neither restores
// nor compares variables of a shared library.  A sanitizer keeps notes on
// memory at addresses of its own.
#include "program/program.h"

#include "base/command.h"
#include "base/diag.h"
#include "program/debug.h"

#include <dlfcn.h>
#include <string.h>

// Libraries that may be linked.  Calls of the C and C++ libraries are wrapped,
// harmless or reported as uncontrolled.  The others are our own library and
// what our test library is linked with.
static bool is_known(const char *library)
{
    static const char *const known[] = {
        "libc.so",     "libm.so",      "libpthread.so", "libdl.so",
        "librt.so",    "ld-linux",     "libgcc_s.so",   "libstdc++.so",
        "libc++.so",   "libc++abi.so", "libubsan.so",   "libatomic.so",
        "libmvec.so",  "libtroupe.so", "libdw.so",      "libelf.so",
        "libxxhash.so"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(library, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

// The sanitizer that watches the memory of this process, NULL if there is none.
// A test binary refers to one weakly.
static const char *sanitizer_of(const struct program *p)
{
    static const struct {
        const char *init, *name;
    } all[] = {{"__asan_init", "AddressSanitizer"},
               {"__tsan_init", "ThreadSanitizer"},
               {"__msan_init", "MemorySanitizer"},
               {"__hwasan_init", "HWAddressSanitizer"}};
    for (uint32_t i = 0; i < p->n_undefined; i++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (strcmp(p->undefined[i], all[k].init) == 0 &&
                dlsym(RTLD_DEFAULT, all[k].init))
                return all[k].name;
    return NULL;
}

bool program_controllable(const struct program *p, struct diag *d)
{
    const char *sanitizer = sanitizer_of(p);
    if (sanitizer) {
        diag_set(d, EXIT_USAGE, "a program built with %s cannot be explored",
                 sanitizer);
        diag_hint(d, "explore it without, then %s replay ID --asan; or "
                     "%s run, which runs each test once",
                  command_typed(), command_typed());
        return false;
    }
    const char *library = debug_stranger(p->debug, is_known);
    if (!library)
        return true;
    diag_set(d, EXIT_USAGE,
             "the program is linked with %s: what a shared library keeps in "
             "memory cannot be put back between schedules",
             library);
    diag_hint(d, "link its sources or its archive (lib*.a) instead");
    return false;
}
