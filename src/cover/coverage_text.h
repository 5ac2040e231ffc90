// Coverage as text: kept between runs, sent between processes.
//
//     a writer#1                          actors, numbered from 0
//     r 00a1b2c3d4e5f607 0 write<action#1 places of receives, likewise: id,
//                                         actor, name
//     pr 3 0 0 1                          pairs: flags, constraint, places
//     e 01a2b3c4d5e6f708                  events, numbered from 0: id
//     +pr 3 0 0 1                         pairs: flags, constraint, events
//     full                                there were more pairs
#ifndef COVER_COVERAGE_TEXT_H
#define COVER_COVERAGE_TEXT_H

#include "cover/criteria.h"

struct text;

void coverage_print(const struct coverage *c, struct text *to);
// Add what the lines say.  0, or the number of the first line that is not of
// that form.
uint32_t coverage_read(struct coverage *c, const char *lines);

#endif
