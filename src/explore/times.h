// Whether the steps of a schedule can have times at all.
//
// What an actor knows of time does not include what others read from the clock:
// two timers that were set in different receives may fire in an order that a
// value read by another actor in between rules out.  So before a finding is
// told, the times of all its steps are looked at together: what happens before
// what (explore/order.h), due times, which timer was first, and values read
// from the clock are bounds on differences, and there is a solution or there is
// none.
#ifndef EXPLORE_TIMES_H
#define EXPLORE_TIMES_H

#include "play/delivery.h"

#include <stdbool.h>

struct play;
struct schedule;

bool times_possible(struct play *p, enum delivery d, const struct schedule *s);

#endif
