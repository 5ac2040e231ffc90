// Schedules that reach many goals of PR at once.
//
// A cut of the record, closed under what must come before, is run as recorded;
// then every actor receives what is in flight to it, in any order that the
// delivery model allows: no receive can keep another message of the same cut
// from being there.  One actor after the other is held back while the others
// run as far as the record takes them, which brings together what is far apart
// in the record; what is in flight to it then decides what the cut must hold.
// For the models `any`, `pair` and `causal`; mailbox.h has the fourth.
#ifndef COVER_IN_FLIGHT_H
#define COVER_IN_FLIGHT_H

#include "cover/generate.h"

// A schedule with event a before b and as many other wanted orders as this way
// finds; how many, and 0 if it does not lead there: timers are not in flight,
// and there are bounds on the effort.
uint32_t in_flight_schedule(const struct record *r, const struct musthb *m,
                            const struct coverage *c, uint32_t a, uint32_t b,
                            event_list *out);

#endif
