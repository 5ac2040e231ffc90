// A recorded schedule: receives that can be recognised in other executions.
//
// Identity follows Bita (Tasharofi and others, ASE 2013), section III-B: the
// hash of a message comes from its type, the receive that sent it and how many
// that receive had sent before; that of an actor from its class, the receive
// that created it and how many it had created before; that of a receive from
// sender, receiver and message.  A timer is told by the receive that set it,
// which of those it was, and how often it fired before.  The test body is the
// entry: an artificial actor whose segments are events too, as external sources
// are in VI-A.
//
// So the same message is another event in another past.  What a user means by
// "the second unlock of client#1" is the place of a receive: its actor, the
// sender, the message's name and how many of that name the sender had sent to
// that actor before.
#ifndef COVER_RECORD_H
#define COVER_RECORD_H

#include "base/vec.h"
#include "explore/explore.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_EVENT 0xffffffffu

// What only the stage knows of a state.  Any member may be NULL.
struct look {
    void *self;
    // Tells behaviours apart: equal for states in the same behaviour.
    uint64_t (*behaviour)(void *self, uint32_t state);
    // The actor whose answer the state waits for in get(), PLAY_NONE if none.
    uint32_t (*held_by)(void *self, uint32_t state);
};

struct event {
    uint64_t id;            // the same in every execution
    uint64_t message;       // hash of the message
    uint64_t kind;          // of the receiver's class and the message's name
    uint32_t actor, sender; // in record.actors
    uint32_t at;            // how many receives its actor made before
    uint32_t source;  // event that sent the message; NO_EVENT: timer, body
    uint32_t nth;     // which of its sends; of a timer, as struct step has it
    uint32_t ordinal; // which of this name from this sender to this actor, or
                      // which timer of the actor in the order of setting;
                      // from 1
    uint32_t creator; // event that created the receiver
    uint32_t set_by;  // timer: event that set it
    uint32_t ready;   // timer: event since which it may fire before others
    bool body;        // a segment of the test body: not a receive
    bool quiet;       // body: it waited until nothing was left to receive
    bool timer;
    bool beside;  // a tick of every(), or it comes of one: the body need not
                  // wait for it
    bool sync;    // the answer to an ask that is waited for with get()
    bool changes; // the actor's behaviour: cmh of definition 3
};

struct record_actor {
    uint32_t id;   // the play's
    uint64_t hash; // the same in every execution
    uint32_t creator;
    uint32_t receives; // events of it
};

// All zero is empty.
struct record {
    enum delivery delivery;
    VEC(struct event) events;        // the first is the body's first segment
    VEC(struct record_actor) actors; // the first is the test body
    VEC(const char *) names; // per event: the message's name, the play's
    // Where coverage has the pairs of receives by one actor: criteria.c.
    const void *pairs_of;     // the coverage it was added to, or NULL
    VEC(uint32_t) rank;       // per event: which of its actor's that count
    VEC(uint32_t) first_pair; // per actor
    VEC(uint32_t) pairs;
};

void record_free(struct record *r);
// Record a schedule of this play.
void record_make(struct record *r, struct play *p, enum delivery d,
                 const struct schedule *s, const struct look *look);
// Does the event count for the criteria: an asynchronous receive?
static inline bool event_counts(const struct event *e)
{
    return !e->body && !e->sync;
}

#endif
