// Coverage over executions and over time: points are added, then drawn.
#ifndef COVER_CURVE_H
#define COVER_CURVE_H

#include "cover/cover.h"

struct text;

struct curve_point {
    uint64_t executions;
    double seconds;
    uint64_t covered[CRITERIA_N], possible[CRITERIA_N];
};

// All zero is empty.
struct curve {
    VEC(struct curve_point) points;
};

void curve_add(struct curve *c, const struct cover_result *r);
// A header line and a line per execution.
void curve_csv(const struct curve *c, struct text *to);
// Two panels with logarithmic axes: what is covered of each criterion (solid)
// and what is possible (dashed).
void curve_svg(const struct curve *c, const char *title, struct text *to);

#endif
