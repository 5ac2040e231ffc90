// Does the program look at the clock?
//
// A shared object wants the functions from elsewhere and names them.  In an
// executable they are linked in whether or not somebody calls them; there, code
// of the program that refers to one of them holds its address, as a distance
// from the place where it stands.
#include "program/program.h"

#include <string.h>

// Names that begin so.
static const char *const clocks[] = {
    "tr_now_",
    "__wrap_time",
    "__wrap_clock_gettime",
    "__wrap_gettimeofday",
    "__wrap_timespec_get",
    "_ZNSt6chrono3_V2",
};

enum { CLOCKS = sizeof clocks / sizeof *clocks };

static bool is_clock(const char *name)
{
    for (int i = 0; i < CLOCKS; i++) {
        size_t n = strlen(clocks[i]);
        if (strncmp(name, clocks[i], n) == 0 &&
            (!name[n] || strncmp(name, "_Z", 2) == 0))
            return true;
    }
    return false;
}

static bool wants(const struct program *p)
{
    for (uint32_t i = 0; i < p->n_undefined; i++)
        if (is_clock(p->undefined[i]))
            return true;
    return false;
}

#if defined __x86_64__
// Calls, jumps and addresses are 32-bit distances from the end of the number.
static bool refers(uintptr_t from, uintptr_t to, uintptr_t target)
{
    for (uintptr_t at = from; at + 4 <= to; at++) {
        int32_t distance;
        memcpy(&distance, (const void *)at, sizeof distance);
        if (at + 4 + (uintptr_t)(intptr_t)distance == target)
            return true;
    }
    return false;
}
#else
static bool refers(uintptr_t from, uintptr_t to, uintptr_t target)
{
    (void)from, (void)to, (void)target;
    return true;
}
#endif

// The library's own code lies in a section by itself.
static bool calls(const struct program *p)
{
    struct range lib = p->library;
    if (lib.from == lib.to)
        lib = (struct range){p->text.to, p->text.to};
    for (int i = 0; i < CLOCKS; i++) {
        uintptr_t at = program_address(p, clocks[i], NULL);
        if (at && (refers(p->text.from, lib.from, at) ||
                   refers(lib.to, p->text.to, at)))
            return true;
    }
    return false;
}

bool program_clocked(const struct program *p)
{
    return wants(p) || (!p->handle && calls(p));
}
