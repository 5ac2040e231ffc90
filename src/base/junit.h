// JUnit XML, as build servers read it: a suite, and one testcase a test.
#ifndef BASE_JUNIT_H
#define BASE_JUNIT_H

#include <stdbool.h>

struct diag;
struct junit; // opaque

struct junit_case {
    const char *program, *test, *file;
    int line;
    double seconds;
    const char *kind;    // of the failure, NULL: passed
    const char *message; // one line
    const char *report;  // all of it
    const char *skipped; // why, NULL: it ran
    const char *output;  // what the test printed, NULL: nothing
};

struct junit *junit_new(const char *suite);
void junit_add(struct junit *j, const struct junit_case *c);
// Write to a file, or to stdout if the path is "-", and free.  False with d set
// if it cannot be written.
bool junit_write(struct junit *j, const char *path, struct diag *d);

#endif
