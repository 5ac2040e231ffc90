// troupe.ini: found in the working directory or above.
//
//     [build]    cc = clang, flags = -O2 -lm, program = bank.c test_bank.c
//     [COMMAND]  options of that command: [explore] delivery = any
//     [profile.NAME]  used with --profile=NAME, stronger than [COMMAND]
//     [test.NAME]     for one test, stronger still
#ifndef CLI_SHELL_CONFIG_H
#define CLI_SHELL_CONFIG_H

#include <stdbool.h>

#include "base/command.h"

struct arena;
struct diag;
struct options;

// A line of a section [test.NAME].
struct config_line {
    const char *test, *name, *value, *where;
};

struct config {
    const char *path;     // NULL: there is none
    const char *dir;      // names in [build] are relative to it
    struct args flags;    // of [build]
    struct args program;  // likewise
    const char *commands; // compile_commands
    bool reach, unit;     // there are sections for these
    bool profiled;        // there is one for the profile asked for
    VEC(struct config_line) tests;
};

// Read the file --config names, or the nearest troupe.ini, and set options
// from it.  Strings live in a.
bool config_read(struct config *c, struct arena *a, struct options *o,
                 const char *command, struct diag *d);
// Set what [test.NAME] says for this test.
bool config_apply_test(const struct config *c, struct options *o,
                       const char *test, struct diag *d);
void config_free(struct config *c);

#endif
