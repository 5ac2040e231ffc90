#include "cli/helper.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/command.h"
#include "base/text.h"

const char *helper_path(struct arena *a, const char *name)
{
    static const char *const places[] = {"", "../libexec/troupe/"};
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    char *slash = strrchr(exe, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        const char *path =
            arena_format(a, "%.*s/%s%s", (int)(slash - exe), exe, places[i],
                         name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

const char *helper_version(struct arena *a, const char *library)
{
    const char *path = helper_path(a, "troupe-llvm"), *found = NULL;
    struct args argv = {0};
    struct text out = {0};
    vec_push(&argv, path ? path : "");
    vec_push(&argv, "version");
    if (path && command_run(&argv, true, &out) == 0) {
        const char *at =
            strstr(text_get(&out), arena_format(a, "\n  %s ", library));
        at = at ? at + 3 + strlen(library) : NULL;
        at = at ? at + strspn(at, " ") : NULL;
        if (at)
            found = arena_format(a, "%.*s", (int)strcspn(at, "\n"), at);
    }
    vec_free(&argv);
    text_free(&out);
    return found;
}
