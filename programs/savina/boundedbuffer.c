/* Bounded buffer (BND): producers and consumers around one manager.
 *
 * The manager creates p producers and c consumers and sends produce to each
 * producer.  A producer answers with data (an item); the manager gives it to a
 * free consumer or keeps it, and sends produce again unless b - p items are
 * kept: then the producer is parked until a consumer becomes available.  A
 * producer that has made its quota sends producer_exit; when all have and all
 * consumers are free, the manager stops the consumers and itself.
 *
 * No entry points: all follows from the creation of the manager.
 * Parameters b, p, c, i, cost: buffer, producers, consumers, items of each
 * producer, work per item (50, 40, 40, 1000, 25; in the test 3, 1, 1, 3, 0).
 * Expected: p * i items are consumed, never more than b are kept, none is left,
 * and all stop; nothing is lost.  The order decides which consumer gets which
 * item and who is parked.
 *
 * Known defects: none of order, in any model.
 * BND-P1  b <= p: all producers are parked at once, for ever (b=1).
 */
#include "savina.h"

#include <math.h>

enum { MAX = 128 };

TR_PROTOCOL(manager, data, producer_exit, consumer_available);
TR_PROTOCOL(producer, produce);
TR_PROTOCOL(consumer, data, consumer_exit);

struct data {
    double value;
    producer_ref producer;
};
TR_MESSAGE(data);
TR_SIGNAL(produce);
TR_SIGNAL(producer_exit);
struct consumer_available {
    consumer_ref consumer;
};
TR_MESSAGE(consumer_available);
TR_SIGNAL(consumer_exit);

static double burn(double x, int cost)
{
    for (int i = 0; i < cost * 100; i++)
        x += log(fabs(x) + 0.01);
    return x;
}

struct producer {
    manager_ref manager;
    int quota, cost;
    double item;
    int made;
};

TR_HANDLER(producer, produce)
{
    if (self->made == self->quota) { /* [14] */
        send(self->manager, producer_exit);
        stop();
    } else { /* [15] */
        self->item = burn(self->item + 1, self->cost);
        send(self->manager, data, .value = self->item,
             .producer = me(producer));
        self->made++;
    }
}

TR_BEHAVIOUR(producer, open, TR_ON(produce, producer_produce));
TR_CLASS(producer, .start = &producer_open);
TR_HOT(producer, open);

struct consumer {
    manager_ref manager;
    int cost;
    double sum;
};

TR_HANDLER(consumer, data)
{
    self->sum = burn(self->sum + msg->value, self->cost); /* [16] */
    send(self->manager, consumer_available, .consumer = me(consumer));
}

TR_HANDLER(consumer, consumer_exit)
{
    stop(); /* [17] */
}

TR_BEHAVIOUR(consumer, open, TR_ON(data, consumer_data),
             TR_ON(consumer_exit, consumer_consumer_exit));
TR_CLASS(consumer, .start = &consumer_open);
TR_HOT(consumer, open);

struct manager {
    int buffer, producers, consumers, items, cost;
    LIST(producer_ref) free_producers;
    LIST(consumer_ref) free_consumers;
    LIST(struct data) pending;
    consumer_ref consumer[MAX];
    int ended, taken;
};

TR_INIT(manager)
{
    assert(self->consumers <= MAX);
    for (int i = 0; i < self->consumers; i++) {
        self->consumer[i] =
            spawn(consumer, .manager = me(manager), .cost = self->cost);
        list_add(&self->free_consumers, self->consumer[i]);
    }
    for (int i = 0; i < self->producers; i++)
        send(spawn(producer, .manager = me(manager), .quota = self->items,
                   .cost = self->cost),
             produce);
}

TR_FINI(manager)
{
    list_free(&self->free_producers);
    list_free(&self->free_consumers);
    list_free(&self->pending);
}

static void give(tr_ctx *ctx, struct manager *self, consumer_ref to,
                 const struct data *item)
{
    self->taken++;
    tr_forward(ctx, to, data, item);
}

TR_HANDLER(manager, data)
{
    if (list_length(&self->free_consumers) == 0) { /* [1] */
        list_add(&self->pending, *msg);
    } else { /* [2] */
        give(ctx, self, list_first(&self->free_consumers), msg);
        list_drop(&self->free_consumers);
    }
    assert((int)list_length(&self->pending) <= self->buffer);
    if ((int)list_length(&self->pending) >=
        self->buffer - self->producers) /* [3] */
        list_add(&self->free_producers, msg->producer);
    else /* [4] */
        send(msg->producer, produce);
}

static void try_exit(tr_ctx *ctx, struct manager *self)
{
    if (self->ended != self->producers) /* [11], else [10] */
        return;
    if ((int)list_length(&self->free_consumers) !=
        self->consumers) /* [13], else [12] */
        return;
    assert(list_length(&self->pending) == 0);
    assert(self->taken == self->producers * self->items);
    for (int i = 0; i < self->consumers; i++)
        send(self->consumer[i], consumer_exit);
    result("%d items", self->taken);
    stop();
}

TR_HANDLER(manager, consumer_available)
{
    if (list_length(&self->pending) == 0) { /* [5] */
        list_add(&self->free_consumers, msg->consumer);
        try_exit(ctx, self);
        return;
    }
    give(ctx, self, msg->consumer, &list_first(&self->pending)); /* [6] */
    list_drop(&self->pending);
    if (list_length(&self->free_producers) > 0) { /* [7] */
        send(list_first(&self->free_producers), produce);
        list_drop(&self->free_producers);
    } /* else [8] */
}

TR_HANDLER(manager, producer_exit)
{
    self->ended++; /* [9] */
    try_exit(ctx, self);
}

TR_BEHAVIOUR(manager, open, TR_ON(data, manager_data),
             TR_ON(consumer_available, manager_consumer_available),
             TR_ON(producer_exit, manager_producer_exit));
TR_CLASS(manager, .start = &manager_open, .init = manager_init_,
         .fini = manager_fini_);
TR_HOT(manager, open);

TR_SYSTEM(savina)
{
    spawn(manager, .buffer = (int)param("b", 50),
          .producers = (int)param("p", 40), .consumers = (int)param("c", 40),
          .items = (int)param("i", 1000), .cost = (int)param("cost", 25));
}

TR_TEST(boundedbuffer)
{
    spawn(manager, .buffer = (int)param("b", 3),
          .producers = (int)param("p", 1), .consumers = (int)param("c", 1),
          .items = (int)param("i", 3), .cost = (int)param("cost", 0));
    drain();
}
