// A file of ours begins with the hash of the rest: one that was edited by hand
// is told by it, and kept.
#include "unit/testfile.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void testfile_sign(const struct text *rest, struct text *to)
{
    text_format(to, "// Written by troupe unit, %016llx.\n%s",
                (unsigned long long)hash_bytes(text_get(rest), rest->n),
                text_get(rest));
}

// Was this file, which exists, written by us and not edited since?
enum state { NONE, OURS, EDITED };

static enum state state_of(const char *path)
{
    struct text t = {0};
    unsigned long long hash;
    int n = 0;
    enum state s = EDITED;
    if (access(path, F_OK) != 0)
        return NONE;
    if (file_read(path, &t) &&
        sscanf(text_get(&t), "// Written by troupe unit, %16llx.%n", &hash,
               &n) == 1 &&
        text_get(&t)[n] == '\n' &&
        hash == hash_bytes(text_get(&t) + n + 1, t.n - (size_t)n - 1))
        s = OURS;
    text_free(&t);
    return s;
}

// "tests/test_f.c" -> "tests/test_f.new.c".
static const char *beside(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    return arena_format(a, "%.*s.new.c", (int)(n - 2), path);
}

bool testfile_write(struct arena *a, const struct text *t, const char **path,
                    struct diag *d)
{
    if (state_of(*path) == EDITED)
        *path = beside(a, *path);
    return file_put(*path, t, d);
}

const char *testfile_relative(struct arena *a, const char *folder,
                              const char *file)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct text t = {0};
    if (!realpath(folder, from) || !realpath(file, to))
        return file;
    size_t same = 0;
    for (size_t i = 0; from[i] == to[i] || !from[i]; i++) {
        if (to[i] == '/')
            same = i;
        if (!from[i] || !to[i])
            break;
    }
    for (const char *s = from + same; *s; s++)
        if (*s == '/' && s[1])
            text_add(&t, "../");
    text_add(&t, to + same + 1);
    const char *out = arena_text(a, text_get(&t));
    text_free(&t);
    return out;
}
