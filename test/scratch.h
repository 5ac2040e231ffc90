// A folder of its own for a test, with files written from strings; the test
// works inside it, and it is removed at the end.
#ifndef TEST_SCRATCH_H
#define TEST_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_dir_[64];

static inline void scratch_leave(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch_dir_);
    if (chdir("/") != 0 || system(command) != 0)
        perror(scratch_dir_);
}

static inline void scratch_enter(void)
{
    strcpy(scratch_dir_, "/tmp/troupe-test-XXXXXX");
    if (!mkdtemp(scratch_dir_) || chdir(scratch_dir_) != 0) {
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
