// What a person, a TAP reader and a JUnit reader get to see.
#ifndef TESTLIB_OUTPUT_H
#define TESTLIB_OUTPUT_H

#include "testlib/testlib.h"

struct diag;

struct totals {
    uint32_t passed, failed, skipped;
};

void output_text(FILE *to, const tr_test *t, const struct report *r,
                 bool verbose);
void output_tap(FILE *to, uint32_t nr, const tr_test *t,
                const struct report *r);
// False with d set if the file cannot be written.
bool output_junit(const char *path, const char *program,
                  const tr_test *const *tests, const struct report *reports,
                  uint32_t n, struct diag *d);
void output_totals(FILE *to, const struct totals *t);
// Why the test failed, in one line without a position.
void output_reason(char *buf, size_t size, const tr_test *t,
                   const struct report *r);

#endif
