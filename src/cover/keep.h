// Coverage as text: kept between runs, sent between processes.
//
//     pr 3 0 00a1b2... 0f3c4d... writer#1 <tab> write<action#1 <tab> ...
//     full
//
// A line is a pair: criterion, flags, constraint, the two events, and the names
// of the actor and of both receives.  `full` says that there were more.
#ifndef COVER_KEEP_H
#define COVER_KEEP_H

#include "cover/criteria.h"

struct text;

void coverage_print(const struct coverage *c, struct text *to);
// Add what the lines say.  0, or the number of the first line that is not of
// that form.
uint32_t coverage_read(struct coverage *c, const char *lines);

#endif
