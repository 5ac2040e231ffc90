// Folders for a test's files, in $TMPDIR or /tmp: scratch_new() and
// scratch_remove(); or one in which the test works, scratch_enter() and
// scratch_leave().
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH = 128 };
typedef char scratch_path[SCRATCH];

static inline const char *scratch_new(scratch_path out)
{
    const char *in = getenv("TMPDIR");
    snprintf(out, SCRATCH, "%.90s/troupe-test-XXXXXX", in ? in : "/tmp");
    if (!mkdtemp(out)) {
        perror(out);
        exit(1);
    }
    return out;
}

static inline void scratch_remove(const char *path)
{
    char command[SCRATCH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (system(command) != 0)
        perror(path);
}

static scratch_path scratch_dir_ __attribute__((unused));

static inline void scratch_leave(void)
{
    if (chdir("/") != 0)
        perror("/");
    scratch_remove(scratch_dir_);
}

static inline void scratch_enter(void)
{
    if (chdir(scratch_new(scratch_dir_)) != 0) {
        perror(scratch_dir_);
        exit(1);
    }
}

static inline void scratch_write(const char *name, const char *contents)
{
    FILE *f = fopen(name, "w");
    if (!f || fputs(contents, f) < 0 || fclose(f) != 0) {
        perror(name);
        exit(1);
    }
}

#endif
