// Versions of the tool and of what it is linked with: a bug report needs them.
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <gnu/libc-version.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/helper.h"
#include "cli/session.h"
#include "troupe.h"

// The line of LLVM as the second executable tells it.
static void print_from_helper(struct session *s)
{
    const char *path = helper_path(&s->arena);
    struct args argv = {0};
    struct text out = {0};
    vec_push(&argv, path ? path : "");
    vec_push(&argv, "version");
    if (path && command_run(&argv, true, &out) == 0) {
        const char *line = strstr(text_get(&out), "  LLVM");
        if (line)
            printf("%.*s\n", (int)strcspn(line, "\n"), line);
    }
    vec_free(&argv);
    text_free(&out);
}

// LLVM is asked by name, so that only src/ir includes its headers.
static void print_llvm(struct session *s)
{
    void (*version)(unsigned *, unsigned *, unsigned *) = NULL;
    void *at = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
    unsigned major, minor, patch;
    memcpy(&version, &at, sizeof version);
    if (version) {
        version(&major, &minor, &patch);
        printf("  LLVM      %u.%u.%u\n", major, minor, patch);
    } else {
        print_from_helper(s);
    }
}

int cmd_version(struct session *s)
{
    unsigned xx = XXH_versionNumber();
    printf("troupe " TR_VERSION "\n");
    printf("  libdw     %s\n", dwfl_version(NULL));
    printf("  SQLite    %s\n", sqlite3_libversion());
    printf("  jansson   %s\n", jansson_version_str());
    printf("  xxHash    %u.%u.%u\n", xx / 10000, xx / 100 % 100, xx % 100);
    print_llvm(s);
    printf("  glibc     %s\n", gnu_get_libc_version());
    printf("  compiler  %s\n", __VERSION__);
    return EXIT_GOOD;
}
