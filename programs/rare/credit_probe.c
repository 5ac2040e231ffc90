/* credit-probe: credit that is granted and then reported once more.
 *
 * Source: windows of flow control, with a probe for windows that are closed.
 *
 * A producer may send while it has credit; a consumer has SLOTS slots, gives
 * one credit back for each item it has used, and uses items on a message to
 * itself. When the producer has had no credit for TICKS ticks it thinks that a
 * credit was lost and asks; the answer says how many slots are free, and the
 * producer takes that for its credit.  But slots that are free because their
 * credits are still on the way are counted twice, and the producer sends too
 * much.
 *
 * Repaired: the answer says how many items may be sent in all, since the
 * beginning, and so does a credit.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: no item comes when all slots are taken.
 * Find it: troupe explore programs/rare/credit_probe.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { SLOTS = 3, ITEMS = 8, TICKS = 18 };

TR_PROTOCOL(consumer, item, use, asked);
TR_PROTOCOL(producer, go, tick, credit, window);
TR_PROTOCOL(meter, join, used);

struct join {
    producer_ref producer;
};
TR_MESSAGE(join);
TR_SIGNAL(go);
TR_SIGNAL(item);
TR_SIGNAL(use);
TR_SIGNAL(tick);
TR_SIGNAL(used);
struct asked {
    producer_ref from;
};
TR_MESSAGE(asked);
struct credit {
    int limit; /* items in all */
};
TR_MESSAGE(credit);
struct window {
    int free, limit;
};
TR_MESSAGE(window);

/* Credits come from a meter, which is not the consumer. */
struct meter {
    producer_ref producer;
    int used;
};

TR_HANDLER(meter, join)
{
    self->producer = msg->producer;
}

TR_HANDLER(meter, used)
{
    self->used++;
    send(self->producer, credit, .limit = SLOTS + self->used);
}

TR_BEHAVIOUR(meter, open, TR_ON(join, meter_join), TR_ON(used, meter_used));
TR_CLASS(meter, .start = &meter_open);

struct consumer {
    meter_ref meter;
    int taken, used;
};

TR_HANDLER(consumer, item)
{
    assert(self->taken < SLOTS);
    self->taken++;
    send(me(consumer), use);
}

TR_HANDLER(consumer, use)
{
    self->taken--;
    self->used++;
    send(self->meter, used);
}

TR_HANDLER(consumer, asked)
{
    send(msg->from, window, .free = SLOTS - self->taken,
         .limit = SLOTS + self->used);
}

TR_BEHAVIOUR(consumer, open, TR_ON(item, consumer_item),
             TR_ON(use, consumer_use), TR_ON(asked, consumer_asked));
TR_CLASS(consumer, .start = &consumer_open);

struct producer {
    consumer_ref consumer;
    int sent, limit, ticks;
};

static void produce(tr_ctx *ctx, struct producer *self)
{
    while (self->sent < ITEMS && self->sent < self->limit) {
        self->sent++;
        self->ticks = 0;
        send(self->consumer, item);
    }
}

static void raise(struct producer *self, int limit)
{
    if (limit > self->limit)
        self->limit = limit;
}

TR_HANDLER(producer, go)
{
    produce(ctx, self);
    send(me(producer), tick);
}

TR_HANDLER(producer, tick)
{
    if (self->sent == ITEMS)
        return;
    if (++self->ticks == TICKS)
        send(self->consumer, asked, .from = me(producer));
    else
        send(me(producer), tick);
}

TR_HANDLER(producer, credit)
{
    if (repaired)
        raise(self, msg->limit);
    else
        self->limit++;
    produce(ctx, self);
}

TR_HANDLER(producer, window)
{
    if (repaired)
        raise(self, msg->limit);
    else
        self->limit = self->sent + msg->free;
    produce(ctx, self);
}

TR_BEHAVIOUR(producer, open, TR_ON(go, producer_go), TR_ON(tick, producer_tick),
             TR_ON(credit, producer_credit), TR_ON(window, producer_window));
TR_CLASS(producer, .start = &producer_open);

TR_TEST(credit_probe)
{
    meter_ref meter = spawn(meter);
    consumer_ref consumer = spawn(consumer, .meter = meter);
    producer_ref producer =
        spawn(producer, .consumer = consumer, .limit = SLOTS);
    send(meter, join, .producer = producer);
    drain();
    send(producer, go);
    drain();
}
