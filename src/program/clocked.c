// Does the program look at the clock?
//
// A shared object names the functions that it takes from elsewhere.  An
// executable has the functions that tell the time whether or not the program
// calls one.  There, code that refers to a function holds the distance from its
// own place to that function.
#include "program/program.h"

#include "base/libc.h"

#include <stdio.h>
#include <string.h>

// Functions that tell the time and are not in the C library: our own, and the
// beginnings of the names of C++'s clocks.
static const char OURS[] = "tr_now_", CXX[] = "_ZNSt6chrono3_V2";

// A function that tells the time, as the program calls it: "__wrap_time".
static bool is_wrapper(const struct libc_row *row, const char *name)
{
    static const char wrap[] = "__wrap_";
    return row->does & LIBC_CLOCK && !strncmp(name, wrap, sizeof wrap - 1) &&
           !strcmp(name + sizeof wrap - 1, row->name);
}

static bool is_clock(const char *name)
{
    for (uint32_t i = 0; i < libc_n; i++)
        if (is_wrapper(&libc_rows[i], name))
            return true;
    return !strcmp(name, OURS) || !strncmp(name, CXX, sizeof CXX - 1);
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

// Only code outside of our library counts; the library has a section of its
// own.
static bool calls_one(const struct program *p, struct range lib,
                      const char *name)
{
    uintptr_t at = program_address(p, name, NULL);
    return at && (refers(p->text.from, lib.from, at) ||
                  refers(lib.to, p->text.to, at));
}

static struct range library_of(const struct program *p)
{
    struct range lib = p->library;
    return lib.from == lib.to ? (struct range){p->text.to, p->text.to} : lib;
}

// Of a test binary.
static bool calls_wrapped(const struct program *p, const char *function)
{
    char name[64];
    snprintf(name, sizeof name, "__wrap_%s", function);
    return calls_one(p, library_of(p), name);
}

static bool calls(const struct program *p)
{
    if (calls_one(p, library_of(p), OURS))
        return true;
    for (uint32_t i = 0; i < libc_n; i++)
        if (libc_rows[i].does & LIBC_CLOCK &&
            calls_wrapped(p, libc_rows[i].name))
            return true;
    return false;
}

bool program_calls(const struct program *p, const char *function)
{
    static const char wrap[] = "__wrap_";
    if (!p->handle)
        return calls_wrapped(p, function);
    for (uint32_t i = 0; i < p->n_undefined; i++) {
        const char *name = p->undefined[i];
        if (!strncmp(name, wrap, sizeof wrap - 1))
            name += sizeof wrap - 1;
        if (!strcmp(name, function))
            return true;
    }
    return false;
}

bool program_clocked(const struct program *p)
{
    return wants(p) || (!p->handle && calls(p));
}
