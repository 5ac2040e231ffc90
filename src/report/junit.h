// JUnit XML: one testcase a test.
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include <stdbool.h>
#include <stdio.h>

struct diag;

struct junit; // opaque

struct junit_case {
    const char *program, *test, *file;
    int line;
    double seconds;
    const char *kind;    // of the failure, NULL: passed
    const char *message; // one line
    const char *report;  // all of it
    bool skipped;
};

struct junit *junit_new(const char *suite);
void junit_add(struct junit *j, const struct junit_case *c);
// Write and free.
bool junit_write(struct junit *j, const char *path, struct diag *d);

#endif
