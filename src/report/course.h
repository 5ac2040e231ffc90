// The course of a search: its figures over time, as few points as a picture
// needs.
#ifndef REPORT_COURSE_H
#define REPORT_COURSE_H

#include "base/vec.h"

#include <stdint.h>

struct json;

struct course_point {
    double seconds;
    uint64_t schedules, receives, bugs;
    double estimate;            // of schedules in all, < 0: unknown
    double low, high;           // and between which it lies, <= 0: unknown
    uint64_t covered, possible; // goals; 0 of 0: not measured
};

// All zero is empty.
struct course {
    VEC(struct course_point) points;
    uint32_t every; // only each 2^every-th point is taken
    uint32_t n;     // points seen
};

void course_add(struct course *c, const struct course_point *p);
// Add the last point, which is never left out.
void course_end(struct course *c, const struct course_point *p);
void course_free(struct course *c);
// An array of arrays: seconds, schedules, receives, bugs, estimate or null,
// covered, possible, and between which numbers the estimate lies, or nulls.
void course_json(const struct course *c, const char *key, struct json *j);

#endif
