#include "base/temp.h"

#include "base/arena.h"
#include "base/diag.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_FOLDERS = 16 };

const char *temp_new(struct arena *a, struct diag *d)
{
    const char *in = getenv("TMPDIR");
    char *path = arena_format(a, "%s/troupe-XXXXXX", in && *in ? in : "/tmp");
    if (mkdtemp(path))
        return path;
    diag_set(d, EXIT_USAGE, "cannot make a temporary folder %s: %s", path,
             strerror(errno));
    return NULL;
}

static int remove_one(const char *path, const struct stat *s, int kind,
                      struct FTW *at)
{
    (void)s, (void)kind, (void)at;
    return remove(path);
}

void temp_remove(const char *path)
{
    assert(path && strstr(path, "/troupe-"));
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
