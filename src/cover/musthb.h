// Which receives of a schedule must come before which.
//
// Bita, section IV-C, definitions 5-7.  Causality: who sent the message, who
// created the receiver, and every earlier receive of that same actor (it may
// have made the actor send).  Sender and receiver: what the delivery model
// promises.  Synchronous: an answer comes after its request, which causality
// says already; while an actor holds in get() it still receives and keeps
// messages, so nothing else follows.  Timers: not before what set them, and not
// before they fired the last time or another one of the actor that is certainly
// due earlier.
//
// Causes are prefixes: with a receive, all earlier ones of its actor.  So an
// event's causes are one number per actor, and the closure of a schedule of n
// receives by a actors costs n joins of a numbers, in the order of the
// schedule; 100,000 receives by 100 actors take 40 MB.  A query is one
// comparison, plus one for the delivery model.
#ifndef COVER_MUSTHB_H
#define COVER_MUSTHB_H

#include "cover/record.h"

#define CONSTRAINTS(X)                                                         \
    X(NONE, "", "free")                                                        \
    X(CAUSE, "causality", "one causes the other")                              \
    X(SENDER, "sender-receiver", "one sender, one receiver, in order")         \
    X(TIMER, "timer", "one timer is due before the other")                     \
    X(QUEUE, "queues", "no order of the queues has it")                        \
    X(NEVER, "explored", "no execution has it")

enum constraint {
#define CONSTRAINT_(name, id, text) CONSTRAINT_##name,
    CONSTRAINTS(CONSTRAINT_)
#undef CONSTRAINT_
        CONSTRAINTS_N
};

const char *constraint_id(enum constraint c);

// All zero is empty.
struct musthb {
    const struct record *record;
    uint32_t n, stride;   // actors; numbers per event, rounded up
    VEC(uint32_t) before; // per event and actor: how many events of that actor
    VEC(uint32_t) past;   // the same with the actor's own earlier events
};

void musthb_make(struct musthb *m, const struct record *r);
void musthb_free(struct musthb *m);

// Why event i must come before event j (i earlier in the schedule);
// CONSTRAINT_NONE if it need not.
enum constraint musthb_why(const struct musthb *m, uint32_t i, uint32_t j);
// The same, of what the delivery model and timers promise alone.
enum constraint musthb_promised(const struct musthb *m, uint32_t i, uint32_t j);
static inline bool musthb(const struct musthb *m, uint32_t i, uint32_t j)
{
    const struct event *a = &m->record->events.at[i];
    return a->at < m->before.at[(size_t)j * m->stride + a->actor] ||
           musthb_promised(m, i, j) != CONSTRAINT_NONE;
}

#endif
