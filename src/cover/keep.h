// Coverage as text: kept between runs, sent between processes, shown.
#ifndef COVER_KEEP_H
#define COVER_KEEP_H

#include "cover/cover.h"

struct text;

// One line a pair; coverage_read adds what the lines say.  False if a line is
// not of that form.
void coverage_print(const struct coverage *c, struct text *to);
bool coverage_read(struct coverage *c, const char *lines);

// Numbers per criterion and actor.
void coverage_numbers(const struct coverage *c, const bool *criteria,
                      struct text *to);
// Per actor, which receive was seen before which, which order is impossible and
// by which constraint.  False if that would be more than a few small tables.
bool coverage_is_small(const struct coverage *c);
void coverage_matrices(const struct coverage *c, struct text *to);
// What is left, and why; ended says why the search ended, for goals that it
// did not come to.
void coverage_left(const struct coverage *c, const bool *criteria,
                   const char *ended, struct text *to);

// Coverage over executions: points are added, then drawn.
struct curve_point {
    uint64_t executions;
    double seconds;
    uint64_t covered[CRITERIA_N];
};
struct curve {
    VEC(struct curve_point) points;
};
void curve_add(struct curve *c, const struct cover_result *r);
void curve_csv(const struct curve *c, struct text *to);
void curve_svg(const struct curve *c, const char *title, struct text *to);

#endif
