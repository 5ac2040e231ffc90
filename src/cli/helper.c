#include "cli/helper.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

const char *helper_path(struct arena *a)
{
    static const char *const places[] = {"troupe-llvm",
                                         "../libexec/troupe/troupe-llvm"};
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    char *slash = strrchr(exe, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        const char *path =
            arena_format(a, "%.*s/%s", (int)(slash - exe), exe, places[i]);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}
