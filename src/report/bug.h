// A bug as a person reads it: the line with its values, the schedule, the race
// behind it, a chart of the messages, and what to type next.
#ifndef REPORT_BUG_H
#define REPORT_BUG_H

#include "cases/confirm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct text;
struct trace;

struct bug_report {
    const struct trace *trace;
    const struct bug *bug; // NULL: none
    const char *id;        // "7f3a91c2"
    const char *test, *file;
    int line;
    const char *delivery;
    const char *test_params; // "n=3", "" if none
    uint64_t nth; // schedule of the search it was found in, 0: unknown
    struct trace_race race;
    const char *name; // by which commands find the case; NULL: not kept
    const char
        *told_of; // its bug was told in full of this test; NULL: it was not
    bool colour;
    uint32_t width; // of the terminal; 0: as wide as it is
    bool shortened; // shrinking was done
};

void bug_report_print(const struct bug_report *r, struct text *to);
// The report of an execution without a bug: its steps.
void pass_report_print(const struct bug_report *r, struct text *to);

// Parts of the report, for other renderers.
// width: of the terminal, 0: as wide as it is.
void report_chart(const struct trace *t, uint32_t width, struct text *to);
// The schedule, a line a receive.
void report_steps(const struct bug_report *r, struct text *to);
// The title of an actor that is given by its name.
const char *report_title(const struct trace *t, const char *name);
// What a step printed, each line indented by this text and "prints: ".
void report_output(const char *indent, const char *output, struct text *to);

#endif
