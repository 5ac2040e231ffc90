// troupe version: of the tool and of what it is linked with, for bug reports.
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <gnu/libc-version.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/shell/command.h"
#include "cli/helper.h"
#include "cli/session.h"
#include "solver/solver.h"
#include "troupe.h"

// Its header has names that base/json.h has.
const char *jansson_version_str(void);

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

// A line, and a member of the result in JSON if there is one.
static void tell(const struct session *s, struct json *j, const char *name,
                 const char *version)
{
    if (version)
        fprintf(session_say(s), "  %-9s %s\n", name, version);
    if (version && j)
        json_text(j, name, version);
}

int cmd_version(struct session *s)
{
    unsigned xx = XXH_versionNumber();
    struct text t = {0};
    struct json json, *j = session_json_begin(s, &json, &t) ? &json : NULL;
    fprintf(session_say(s), "troupe " TR_VERSION "\n");
    if (j)
        json_object(j, "of");
    tell(s, j, "libdw", dwfl_version(NULL));
    tell(s, j, "SQLite", sqlite3_libversion());
    tell(s, j, "jansson", jansson_version_str());
    tell(s, j, "xxHash",
         arena_format(&s->arena, "%u.%u.%u", xx / 10000, xx / 100 % 100,
                      xx % 100));
    tell(s, j, "LLVM", llvm_version(&s->arena));
    tell(s, j, "Z3", z3_version(&s->arena));
    tell(s, j, "glibc", gnu_get_libc_version());
    tell(s, j, "compiler", BUILT_BY);
    if (!j)
        return EXIT_GOOD;
    json_end(j);
    return session_json_end(s, j) ? EXIT_GOOD : s->diag.status;
}
