// troupe version: of the tool and of what it is linked with, for bug reports.
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <gnu/libc-version.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "cli/shell/command.h"
#include "cli/helper.h"
#include "cli/session.h"
#include "solver/solver.h"
#include "troupe.h"

// LLVM is asked by name, so that only src/ir includes its headers.  The second
// executable has it.
static const char *llvm_version(struct arena *a)
{
    void (*version)(unsigned *, unsigned *, unsigned *) = NULL;
    void *at = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
    unsigned major, minor, patch;
    memcpy(&version, &at, sizeof version);
    if (!version)
        return helper_version(a, "LLVM");
    version(&major, &minor, &patch);
    return arena_format(a, "%u.%u.%u", major, minor, patch);
}

// The library of LLVM brings a Z3 of its own: what counts is whether ours was
// built with it.
#pragma weak solver_z3_version

static const char *z3_version(struct arena *a)
{
    if (!solver_z3_version)
        return helper_version(a, "Z3");
    return *solver_z3_version() ? solver_z3_version() : NULL;
}

static void print_library(const char *name, const char *version)
{
    if (version)
        printf("  %-9s %s\n", name, version);
}

int cmd_version(struct session *s)
{
    unsigned xx = XXH_versionNumber();
    printf("troupe " TR_VERSION "\n");
    printf("  libdw     %s\n", dwfl_version(NULL));
    printf("  SQLite    %s\n", sqlite3_libversion());
    printf("  jansson   %s\n", jansson_version_str());
    printf("  xxHash    %u.%u.%u\n", xx / 10000, xx / 100 % 100, xx % 100);
    print_library("LLVM", llvm_version(&s->arena));
    print_library("Z3", z3_version(&s->arena));
    printf("  glibc     %s\n", gnu_get_libc_version());
    printf("  compiler  %s\n", BUILT_BY);
    return EXIT_GOOD;
}
