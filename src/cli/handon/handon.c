#include "cli/handon/handon.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/session.h"

int hand_on(struct session *s)
{
    // beside the tool in the build tree, in libexec where it is installed
    static const char *const places[] = {"troupe-llvm",
                                         "../libexec/troupe/troupe-llvm"};
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    char *slash = strrchr(exe, '/');
    fflush(NULL);
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++)
        execv(arena_format(&s->arena, "%.*s/%s", (int)(slash - exe), exe,
                           places[i]),
              s->argv);
    diag_set(&s->diag, EXIT_FAULT, "%s needs troupe-llvm beside the tool: %s",
             s->command->name, strerror(errno));
    return EXIT_FAULT;
}
