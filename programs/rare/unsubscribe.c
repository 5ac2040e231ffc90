/* unsubscribe: news for one who has left and come again.
 *
 * Source: publish and subscribe with delivery by workers.
 *
 * A subscriber subscribes, leaves after the first news, and when the broker has
 * confirmed that, subscribes again, VISITS times in all.  The broker gives each
 * news to two workers to deliver.  The subscriber drops news of earlier visits;
 * but visits are numbered modulo NUMBERS.  News that stay at their worker while
 * the subscriber leaves and comes again so many times are taken for news of
 * this visit.
 *
 * Repaired: the broker confirms by way of the workers, behind the last news.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (relies on ordered channels)
 * Oracle: news that are taken were published in this visit.
 * Find it: troupe explore programs/rare/unsubscribe.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { VISITS = 4, NUMBERS = 3, WORKERS = 2 };

TR_PROTOCOL(subscriber, news, bye);
TR_PROTOCOL(worker, deliver, last);
TR_PROTOCOL(broker, publish, subscribe, unsubscribe);

struct news {
    int visit;
};
TR_MESSAGE(news);
TR_SIGNAL(bye);
struct deliver {
    subscriber_ref to;
    int visit;
};
TR_MESSAGE(deliver);
struct last {
    subscriber_ref to;
};
TR_MESSAGE(last);
TR_SIGNAL(publish);
struct subscribe {
    subscriber_ref from;
    int visit;
};
TR_MESSAGE(subscribe);
struct unsubscribe {
    subscriber_ref from;
};
TR_MESSAGE(unsubscribe);

struct subscriber {
    broker_ref broker;
    int visit, byes;
    bool leaving;
};

TR_HANDLER(subscriber, news)
{
    if (self->leaving || msg->visit % NUMBERS != self->visit % NUMBERS)
        return;
    assert(msg->visit == self->visit);
    self->leaving = true;
    send(self->broker, unsubscribe, .from = me(subscriber));
}

TR_HANDLER(subscriber, bye)
{
    if (repaired && ++self->byes % WORKERS)
        return;
    self->leaving = false;
    if (++self->visit < VISITS)
        send(self->broker, subscribe, .from = me(subscriber),
             .visit = self->visit);
}

TR_BEHAVIOUR(subscriber, open, TR_ON(news, subscriber_news),
             TR_ON(bye, subscriber_bye));
TR_CLASS(subscriber, .start = &subscriber_open);

struct worker {
    int delivered;
};

TR_HANDLER(worker, deliver)
{
    send(msg->to, news, .visit = msg->visit);
}

TR_HANDLER(worker, last)
{
    send(msg->to, bye);
}

TR_BEHAVIOUR(worker, open, TR_ON(deliver, worker_deliver),
             TR_ON(last, worker_last));
TR_CLASS(worker, .start = &worker_open);

struct broker {
    worker_ref worker[WORKERS];
    subscriber_ref subscriber; /* NULL: none */
    int visit;
};

TR_HANDLER(broker, publish)
{
    for (int i = 0; i < WORKERS && self->subscriber; i++)
        send(self->worker[i], deliver, .to = self->subscriber,
             .visit = self->visit);
}

/* There is always some news. */
TR_HANDLER(broker, subscribe)
{
    self->subscriber = msg->from;
    self->visit = msg->visit;
    send(me(broker), publish);
}

TR_HANDLER(broker, unsubscribe)
{
    self->subscriber = NULL;
    if (!repaired)
        send(msg->from, bye);
    for (int i = 0; i < WORKERS && repaired; i++)
        send(self->worker[i], last, .to = msg->from);
}

TR_BEHAVIOUR(broker, open, TR_ON(publish, broker_publish),
             TR_ON(subscribe, broker_subscribe),
             TR_ON(unsubscribe, broker_unsubscribe));
TR_CLASS(broker, .start = &broker_open);

TR_TEST(unsubscribe)
{
    worker_ref w[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        w[i] = spawn(worker);
    broker_ref broker = spawn(broker, .worker = {w[0], w[1]});
    subscriber_ref subscriber = spawn(subscriber, .broker = broker);
    send(broker, subscribe, .from = subscriber, .visit = 0);
    drain();
}
