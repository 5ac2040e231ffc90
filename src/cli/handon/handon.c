#include "cli/handon/handon.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/helper.h"
#include "cli/session.h"

int hand_on(struct session *s)
{
    const char *path = helper_path(&s->arena);
    fflush(NULL);
    if (path)
        execv(path, s->argv);
    diag_set(&s->diag, EXIT_FAULT, "%s needs troupe-llvm beside the tool: %s",
             s->command->name, path ? strerror(errno) : "it is not there");
    return EXIT_FAULT;
}
