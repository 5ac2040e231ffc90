/* credit-wrap: a 16-bit credit counter wraps, and the producer stops short.
 *
 * Source: flow control with a small counter.
 *
 * The test gives credits a and b to one consumer and c to a relay, which makes
 * five hops to itself before it hands c to another consumer; consumers pass
 * credits in 1..30000 on to the producer.  The producer adds them up and, while
 * it has 10000 or more and has sent fewer than six, spends 10000 per data to
 * the sink, one per tick to itself.  When all three credits are in before
 * enough was spent and a + b + c >= 65536, the counter wraps.
 *
 * Repaired: the counter saturates.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: credits of 60000 or more have sent six.
 * Parameters a, b, c: the credits (20000, 20000, 30000).
 * Find it: troupe explore programs/bugs/credit_wrap.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { PRICE = 10000, ENOUGH = 6, LARGEST = 30000, HOPS = 5 };

TR_PROTOCOL(sink, data);
TR_PROTOCOL(producer, credit, tick);
TR_PROTOCOL(consumer, give);
TR_PROTOCOL(relay, give, hop);

TR_SIGNAL(data);
struct credit {
    uint16_t n;
};
TR_MESSAGE(credit);
TR_SIGNAL(tick);
struct give {
    int32_t n;
};
TR_MESSAGE(give);
struct hop {
    int left;
    int32_t n;
};
TR_MESSAGE(hop);

struct sink {
    int received;
};

TR_HANDLER(sink, data)
{
    self->received++;
}

TR_BEHAVIOUR(sink, open, TR_ON(data, sink_data));
TR_CLASS(sink, .start = &sink_open);

struct producer {
    sink_ref sink;
    uint16_t credit;
    bool busy;
    int sent;
};

TR_HANDLER(producer, credit)
{
    unsigned sum = (unsigned)self->credit + msg->n;
    if (repaired && sum > UINT16_MAX)
        sum = UINT16_MAX;
    self->credit = (uint16_t)sum;
    if (!self->busy && self->credit > 0) {
        self->busy = true;
        send(me(producer), tick);
    }
}

TR_HANDLER(producer, tick)
{
    if (self->credit < PRICE || self->sent == ENOUGH) {
        self->busy = false;
        return;
    }
    self->credit = (uint16_t)(self->credit - PRICE);
    self->sent++;
    send(self->sink, data);
    send(me(producer), tick);
}

TR_BEHAVIOUR(producer, open, TR_ON(credit, producer_credit),
             TR_ON(tick, producer_tick));
TR_CLASS(producer, .start = &producer_open);

struct consumer {
    producer_ref producer;
};

TR_HANDLER(consumer, give)
{
    if (msg->n >= 1 && msg->n <= LARGEST)
        send(self->producer, credit, .n = (uint16_t)msg->n);
}

TR_BEHAVIOUR(consumer, open, TR_ON(give, consumer_give));
TR_CLASS(consumer, .start = &consumer_open);

struct relay {
    consumer_ref consumer;
};

TR_HANDLER(relay, give)
{
    send(me(relay), hop, .left = HOPS - 1, .n = msg->n);
}

TR_HANDLER(relay, hop)
{
    if (msg->left > 0)
        send(me(relay), hop, .left = msg->left - 1, .n = msg->n);
    else
        send(self->consumer, give, .n = msg->n);
}

TR_BEHAVIOUR(relay, open, TR_ON(give, relay_give), TR_ON(hop, relay_hop));
TR_CLASS(relay, .start = &relay_open);

TR_SYSTEM(flow)
{
    sink_ref sink = spawn(sink);
    producer_ref producer = spawn(producer, .sink = sink);
    consumer_ref consumer = spawn(consumer, .producer = producer);
    consumer_ref other = spawn(consumer, .producer = producer);
    relay_ref relay = spawn(relay, .consumer = other);
    expose(consumer);
    expose(relay);
}

TR_TEST(credit_wrap)
{
    int32_t a = (int32_t)param("a", 20000), b = (int32_t)param("b", 20000),
            c = (int32_t)param("c", 30000);
    sink_ref sink = spawn(sink);
    producer_ref producer = spawn(producer, .sink = sink);
    consumer_ref consumer = spawn(consumer, .producer = producer);
    consumer_ref other = spawn(consumer, .producer = producer);
    relay_ref relay = spawn(relay, .consumer = other);
    send(consumer, give, .n = a);
    send(consumer, give, .n = b);
    send(relay, give, .n = c);
    drain();
    if (a + b + c >= ENOUGH * PRICE)
        assert(peek(producer, producer)->sent == ENOUGH);
}
