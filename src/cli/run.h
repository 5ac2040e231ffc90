// Tests run natively, each in a process of its own (run.c).
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/session.h"

struct report;
struct tr_test;

// Run these once under the manager of the options and fill in a report each;
// failures are printed.  *stopped: somebody interrupted it.  False with the
// session's diag set.
bool run_natively(struct session *s, const struct tests *tests, FILE *out,
                  struct report *reports, bool *stopped);

// Run one more often in random orders on one thread, where a message to a full
// mailbox is lost, as exploring does not show it.  Its report, of a run that
// passed, is replaced.
bool run_losing(struct session *s, const struct tr_test *test, FILE *out,
                struct report *report, bool *stopped);

#endif
