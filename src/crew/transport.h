// How a supervisor reaches its workers, which are numbered from 0.
//
// The first workers are near: they listen while they search.  The others are
// far: such a worker does its order alone, in a process of its own, until its
// slice of time is over.  Between two orders a far worker has no process.
#ifndef CREW_TRANSPORT_H
#define CREW_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

struct text;
struct wire_message;

enum crew_news {
    NEWS_NONE,    // nobody said anything in the time given
    NEWS_WORD,    // a worker said something
    NEWS_LOST,    // a worker ended, or what it says is damaged; of a far one,
                  // its machine cannot do orders
    NEWS_DIED,    // the process of a far worker ended without a result, though
                  // its machine is still there
    NEWS_DAMAGED, // the result of a far worker came, but cannot be read
};

// Where work can be done now.
struct crew_places {
    uint32_t near, far;      // orders that may be out at once
    uint32_t workers, cores; // of the far ones
    uint32_t gone;           // workers that went away so far
};

struct crew_transport {
    void *self;
    // Start worker i, which has no process now.  isolated: as in
    // crew_job.open().
    bool (*hire)(void *self, uint32_t i, bool isolated);
    // Send worker i a message.  False: the worker is lost.
    bool (*give)(void *self, uint32_t i, struct text *message);
    // Wait at most `ms` milliseconds for news of any worker.  The message is
    // valid until the next call.
    enum crew_news (*hear)(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m);
    // End worker i.
    void (*dismiss)(void *self, uint32_t i);
    // Where work can be done now.  left: units that no worker holds, by which a
    // factory decides how many machines to use.
    struct crew_places (*look)(void *self, uint32_t left);
};

#endif
