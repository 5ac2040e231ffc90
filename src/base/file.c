#include "base/file.h"

#include "base/diag.h"
#include "base/text.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(const char *path, struct text *to)
{
    FILE *f = fopen(path, "r");
    char buffer[4096];
    if (!f)
        return false;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_bytes(to, buffer, n);
    int error = ferror(f) ? errno : 0;
    fclose(f);
    errno = error;
    return !error;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    int error = errno;
    if (f && fclose(f) != 0 && ok) {
        error = errno;
        ok = false;
    }
    errno = error;
    return ok;
}

bool file_replace(const char *path, const void *bytes, size_t size)
{
    struct text made = {0};
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_file(path, bytes, size); // no regular file: /dev/stdout
    text_format(&made, "%s.%ld", path, (long)getpid());
    bool ok = write_file(text_get(&made), bytes, size) &&
              rename(text_get(&made), path) == 0;
    int error = errno;
    if (!ok)
        unlink(text_get(&made));
    text_free(&made);
    errno = error;
    return ok;
}

static bool note_unless(bool written, const char *path, struct diag *d)
{
    return written || diag_set(d, EXIT_USAGE, "cannot write '%s': %s", path,
                               strerror(errno));
}

bool file_put(const char *path, const struct text *t, struct diag *d)
{
    return note_unless(file_replace(path, text_get(t), t->n), path, d);
}

bool file_write(const char *path, const struct text *t, struct diag *d)
{
    bool written = strcmp(path, "-") != 0
                       ? write_file(path, text_get(t), t->n)
                       : fwrite(text_get(t), 1, t->n, stdout) == t->n &&
                             fflush(stdout) == 0;
    return note_unless(written, path, d);
}

enum { OPEN_FOLDERS = 16 };

static int remove_one(const char *path, const struct stat *s, int kind,
                      struct FTW *at)
{
    (void)s, (void)kind, (void)at;
    return remove(path);
}

bool file_remove_all(const char *path)
{
    return nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}
