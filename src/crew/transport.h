// How a supervisor reaches its workers, which are numbered from 0.
#ifndef CREW_TRANSPORT_H
#define CREW_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

struct text;
struct wire_message;

enum crew_news {
    NEWS_NONE, // nobody said anything in the time given
    NEWS_WORD, // a worker said something
    NEWS_LOST, // a worker ended, or what it says is damaged
};

struct crew_transport {
    void *self;
    // Start worker i, which is not there.  isolated: as in crew_job.open().
    bool (*hire)(void *self, uint32_t i, bool isolated);
    // Send it a message.  False: it is lost.
    bool (*give)(void *self, uint32_t i, struct text *message);
    // Wait at most so long for news of any worker.  The message is valid until
    // the next call.
    enum crew_news (*hear)(void *self, uint32_t ms, uint32_t *i,
                           struct wire_message *m);
    // End worker i.
    void (*dismiss)(void *self, uint32_t i);
};

#endif
