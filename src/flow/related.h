// Which messages can matter to a handler while it waits: related(m) of Albert
// and others, "Test case generation by symbolic execution", section 4.3.
#ifndef FLOW_RELATED_H
#define FLOW_RELATED_H

#include "flow/flow.h"

// Prunings, as bits:
//   1  handlers are left out that change no state: neither that of their own
//      actor nor, by what they send, that of others
//   2  ... and those that change it only by what they send to their own actor
//   3  ... and those that write no field which the handler uses before a wait
//      and reads after one.  What other handlers of the class do because the
//      handler asked or sent counts as its own, before and after a wait.  A
//      field that is written so before a wait counts, too, if a handler that is
//      kept for its writes reads it.
// A handler that sends what changes another actor is kept by 2 and 3: that
// actor's answers may depend on it.  To become another behaviour and to stop
// count as writes of a field that every handler uses.
enum { FLOW_PRUNE_1 = 1, FLOW_PRUNE_2 = 2, FLOW_PRUNE_3 = 4 };

// The messages of the class's rows that are left, in the order of the rows;
// returns how many, fills up to `room`.  The graph is an open one.
uint32_t flow_related(const struct flow *f, uint32_t cls, uint32_t fn,
                      unsigned prunings, uint32_t *msgs, uint32_t room);

// May an actor of one class send, directly or by others, to one of the other?
// By what is sent, not to whom: [from * classes + to], in a.
const bool *flow_causes(const struct flow *f, struct arena *a);

#endif
