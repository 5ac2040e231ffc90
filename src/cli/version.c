// Versions of the tool and of what it is linked with: a bug report needs them.
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <gnu/libc-version.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "cli/command.h"
#include "cli/session.h"
#include "troupe.h"

// LLVM is asked by name, so that only src/ir includes its headers.
static void print_llvm(void)
{
    void (*version)(unsigned *, unsigned *, unsigned *) = NULL;
    void *at = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
    unsigned major, minor, patch;
    memcpy(&version, &at, sizeof version);
    if (!version)
        return;
    version(&major, &minor, &patch);
    printf("  LLVM      %u.%u.%u\n", major, minor, patch);
}

int cmd_version(struct session *s)
{
    (void)s;
    unsigned xx = XXH_versionNumber();
    printf("troupe " TR_VERSION "\n");
    printf("  libdw     %s\n", dwfl_version(NULL));
    printf("  SQLite    %s\n", sqlite3_libversion());
    printf("  jansson   %s\n", jansson_version_str());
    printf("  xxHash    %u.%u.%u\n", xx / 10000, xx / 100 % 100, xx % 100);
    print_llvm();
    printf("  glibc     %s\n", gnu_get_libc_version());
    printf("  compiler  %s\n", __VERSION__);
    return EXIT_GOOD;
}
