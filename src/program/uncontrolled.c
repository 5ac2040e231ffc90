// Functions that the program takes from elsewhere and that the stage can say
// nothing about: they may keep state, have effects outside, or allocate what
// the caller must free.  What the stage answers is wanted as __wrap_NAME.
#include "program/program.h"

#include "base/libc.h"

#include <dlfcn.h>
#include <string.h>

// The mathematical library keeps nothing but errno.
static bool mathematical(const char *name)
{
    Dl_info info;
    void *at = dlsym(RTLD_DEFAULT, name);
    return at && dladdr(at, &info) && info.dli_fname &&
           strstr(info.dli_fname, "libm.so");
}

uint32_t program_uncontrolled(const struct program *p, const char **out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_undefined; i++) {
        const char *name = p->undefined[i];
        if (!libc_harmless(name) && (libc_find(name) || !mathematical(name)))
            out[n++] = name;
    }
    return n;
}
