// Tests run natively, each in a process of its own (run.c).
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/session.h"

struct report;

// Run these once under the manager of the options and fill in a report each;
// failures are printed.  *stopped: somebody interrupted it.  False with the
// session's diag set.
bool run_natively(struct session *s, const struct tests *tests, FILE *out,
                  struct report *reports, bool *stopped);

#endif
