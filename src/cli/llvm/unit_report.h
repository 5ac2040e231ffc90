// What `troupe unit` says: a line per function, its traps and open sides, the
// sum; the same as JSON and JUnit.
#ifndef CLI_LLVM_UNIT_REPORT_H
#define CLI_LLVM_UNIT_REPORT_H

#include "unit/search.h"

struct json;
struct session;

struct unit_file {
    struct unit_result *of;
    const char *path; // of the test, NULL: none was written
    bool beside;      // a file that was edited by hand is kept
    const char *why;  // it could not be written
    const char *warned;
};

struct unit_report {
    struct session *session;
    const struct unit_subject *subject;
    VEC(struct unit_file) files;
    uint32_t left_out; // functions of actors that nobody named
    bool interrupted;
};

// Words on standard output, unless that is quiet or JSON.
void unit_report_text(const struct unit_report *r, const char *text);
void unit_report_function(struct unit_report *r, const struct unit_file *f);
// The last line, JSON and JUnit; returns the exit status.
int unit_report_end(struct unit_report *r);
void unit_report_free(struct unit_report *r);

// The array "sides": lines, conditions, and what is known of each side.
void unit_report_sides(const struct sides *sides, const struct side_result *of,
                       struct json *j);

#endif
