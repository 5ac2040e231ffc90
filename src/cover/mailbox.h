// Schedules for the model `mailbox`, proved before they are forced.
//
// One queue per actor, filled at the send: an actor receives two messages in
// the order of the runs that sent them.  So a goal, "a before b", is an order
// of two runs.  A record where A's run came first:
//
//       test --go--> A --x--> C          queue of C:  x y
//       test --go--> B --y--> C
//
// For the goal "y before x" at C the schedule has two parts.
//
//   1. A *prefix* of the record: of every actor its first receives, as many as
//      the runs of A and B need, with all that these need.  They find the
//      same states and send the same messages if they are put in an order, an
//      *extension*, that keeps
//        - each actor's own order,
//        - a message's sender before its receiver,
//        - in each queue the senders of what the prefix receives from it, in
//          the order of the messages, before those of what is left in it,
//      and the goal, B's run before A's:
//
//         go(B) go(A)                    queue of C:  y x
//
//   2. The goal's actor alone runs on until it has received both messages.
//      They lie in its queue in the wanted order, whatever it does.
//
// An extension exists, or the goal cannot be reached from this record by
// keeping what its runs need.  Two runs of one actor keep their order, because
// the second may depend on the first: to swap them is a goal at that actor, and
// the record of a schedule that reaches it shows what follows.
//
// This is for `mailbox` what section IV of Bita is for the other models.
#ifndef COVER_MAILBOX_H
#define COVER_MAILBOX_H

#include "cover/generate.h"

// A schedule in which event a comes before b, for PCR and PMR directly before
// it; false if there is none that keeps what they need.  For PR as many other
// wanted orders as go with it.
bool mailbox_schedule(const struct making *g, uint32_t a, uint32_t b,
                      event_list *out);

#endif
