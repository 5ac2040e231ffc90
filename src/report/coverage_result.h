// What came of covering one test, as a value, and its renderers: text and JSON.
// JUnit, SARIF and annotations are those of every result (report/result.h).
#ifndef REPORT_COVERAGE_RESULT_H
#define REPORT_COVERAGE_RESULT_H

#include "cover/cover.h"
#include "report/result.h"

struct survey;

struct coverage_result {
    struct result of;
    const struct cover_options *options;
    const struct cover_result *figures;
    const struct coverage *coverage;
    bool report;            // nothing was generated: --report
    const char *bound;      // the option that gave the number of schedules
    const char *const *odd; // schedules that could not be followed: why
    uint32_t n_odd;
};

// Is the part of the possible goals that was asked for covered?
bool coverage_result_reached(const struct coverage_result *r);
enum result_verdict coverage_result_verdict(const struct coverage_result *r);

// The lines that end the covering of a test; quiet: only what is wrong.
void coverage_result_text(const struct coverage_result *r, bool quiet,
                          bool verbose, struct text *to);
void coverage_result_json(const struct coverage_result *r, struct json *j);

#endif
