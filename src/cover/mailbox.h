// Schedules for the model `mailbox`, proved before they are forced.
//
// One queue per actor, filled at the send: the order of two receives is that of
// the runs that sent them.  So a goal is an order of two runs.  What these runs
// need is kept as in the record: every actor's receives up to a number, so that
// they find the same states and send the same messages.  Orders to respect
// among kept runs: an actor's own, a message's sender before its receiver, and
// for each queue the senders in the order of the messages received, before
// the senders of what is left in it.  A linear extension of these and the goal
// exists, or the goal cannot be reached from this record.  When it has run, the
// queue of the goal's actor holds both messages in the wanted order whatever
// that actor does, so it alone runs on until it has received them.
//
// Two runs of one actor keep their order: the second may depend on the first.
// To swap them is a goal at that actor, and the record of a run that reached it
// shows what follows.
#ifndef COVER_MAILBOX_H
#define COVER_MAILBOX_H

#include "cover/generate.h"

// A schedule in which event a comes before b, for PCR and PMR directly before
// it; false if there is none that keeps what they need.  For PR as many other
// wanted orders as go with it.
bool mailbox_schedule(const struct record *r, const struct musthb *m,
                      const struct coverage *c, enum criterion cr, uint32_t a,
                      uint32_t b, event_list *out);

#endif
