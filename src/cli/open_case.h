// A kept case, by file or bug id, with its program built and loaded.
#ifndef CLI_OPEN_CASE_H
#define CLI_OPEN_CASE_H

#include "cli/trial.h"

struct open_case {
    struct test_case c;
    const char *path, *name; // of the file; as the user says it
    char id[9];
    struct trial trial;
};

// Read the case that the session's first word names, build its program and
// load it.  False with diag set.
bool open_case_load(struct open_case *k, struct session *s);
// Only read the case: no program is built.
bool open_case_read(struct open_case *k, struct session *s);
void open_case_close(struct open_case *k);

#endif
