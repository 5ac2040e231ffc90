#include "base/temp.h"

#include "base/arena.h"
#include "base/command.h"
#include "base/diag.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *in_tmpdir(void)
{
    const char *in = getenv("TMPDIR");
    return in && *in ? in : "/tmp";
}

static const char *new_in(const char *in, struct arena *a, struct diag *d)
{
    char *path = arena_format(a, "%s/troupe-XXXXXX", in);
    if (mkdtemp(path))
        return path;
    diag_set(d, EXIT_USAGE, "cannot make a temporary folder %s: %s", path,
             strerror(errno));
    return NULL;
}

const char *temp_new(struct arena *a, struct diag *d)
{
    return new_in(in_tmpdir(), a, d);
}

const char *temp_new_plain(struct arena *a, struct diag *d)
{
    const char *in = in_tmpdir();
    return new_in(command_is_plain(in) ? in : "/tmp", a, d);
}

void temp_remove(const char *path)
{
    assert(path && strstr(path, "/troupe-"));
    file_remove_all(path);
}
