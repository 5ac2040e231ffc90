// The parameters of tests.  A parameter is declared nowhere: it is a name that
// the test's code asks for, so running it tells which there are.
#ifndef CLI_PARAMS_H
#define CLI_PARAMS_H

#include "base/vec.h"
#include "cli/session.h"

#include <stdbool.h>
#include <stdint.h>

struct param {
    const char *name;
    int64_t otherwise; // its value unless one is given
};

struct params {
    VEC(struct param) list;
    bool unknown; // the test could not be run
};

// Add what the test asks for in a few random schedules; the session's.
void params_of(struct params *p, struct session *s, const struct tr_test *t);
void params_free(struct params *p);

// False, with diag set, if a --param is one that no test asks for.
bool params_check(struct session *s, const struct tests *tests);

#endif
