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

// The session's first word names the case.  False with diag set.
bool kept_open(struct open_case *k, struct session *s);
// Only read it: no program is built.
bool kept_read(struct open_case *k, struct session *s);
void kept_close(struct open_case *k);

#endif
