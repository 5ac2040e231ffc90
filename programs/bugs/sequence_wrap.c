/* sequence-wrap: a duplicate outlives the sequence space.
 *
 * Source: stop-and-wait with a small sequence number, right on ordered links
 * and wrong on datagrams.
 *
 * The test sends go to the sender, which has m+1 payloads to deliver.  It sends
 * data (number i mod m, payload i) and starts a timer; on the timeout for the
 * current i it sends the same data again, once in the run; on the
 * acknowledgement of i mod m it goes on to the next.  The receiver acknowledges
 * everything and delivers what has the number it expects.  A duplicate that
 * survives a whole turn of the sequence space is delivered as new data.
 *
 * Repaired: a sequence space larger than the run.
 *
 * Kind of bug: assertion
 * Models with the bug: any
 * Models without it: mailbox causal pair
 * Repaired, clean in: mailbox causal pair any
 * Oracle: payloads come out in order.  Parameter m: the modulus (4).
 * Find it: troupe explore programs/bugs/sequence_wrap.c --delivery=any
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(timer, timer_start);
TR_PROTOCOL(sender, go, ack, timeout);
TR_PROTOCOL(receiver, data);

TR_SIGNAL(go);
struct timer_start {
    int i;
    sender_ref from;
};
TR_MESSAGE(timer_start);
struct timeout {
    int i;
};
TR_MESSAGE(timeout);
struct data {
    int seq, payload;
    sender_ref from;
};
TR_MESSAGE(data);
struct ack {
    int seq;
};
TR_MESSAGE(ack);

TR_STATELESS(timer);

TR_HANDLER(timer, timer_start)
{
    send(msg->from, timeout, .i = msg->i);
}

TR_BEHAVIOUR(timer, open, TR_ON(timer_start, timer_timer_start));
TR_CLASS(timer, .start = &timer_open);

struct receiver {
    int modulus;
    int expected;
};

TR_HANDLER(receiver, data)
{
    send(msg->from, ack, .seq = msg->seq);
    if (msg->seq != self->expected % self->modulus)
        return;
    assert(msg->payload == self->expected);
    self->expected++;
}

TR_BEHAVIOUR(receiver, open, TR_ON(data, receiver_data));
TR_CLASS(receiver, .start = &receiver_open);

struct sender {
    receiver_ref receiver;
    timer_ref timer;
    int modulus, messages;
    int i; /* current payload */
    bool resent;
};

static void send_data(tr_ctx *ctx, struct sender *self)
{
    send(self->receiver, data, .seq = self->i % self->modulus,
         .payload = self->i, .from = me(sender));
}

static void send_current(tr_ctx *ctx, struct sender *self)
{
    if (self->i == self->messages)
        return;
    send_data(ctx, self);
    send(self->timer, timer_start, .i = self->i, .from = me(sender));
}

TR_HANDLER(sender, go)
{
    send_current(ctx, self);
}

TR_HANDLER(sender, ack)
{
    if (self->i == self->messages || msg->seq != self->i % self->modulus)
        return;
    self->i++;
    send_current(ctx, self);
}

TR_HANDLER(sender, timeout)
{
    if (msg->i != self->i || self->resent)
        return;
    self->resent = true;
    send_data(ctx, self);
}

TR_BEHAVIOUR(sender, open, TR_ON(go, sender_go), TR_ON(ack, sender_ack),
             TR_ON(timeout, sender_timeout));
TR_CLASS(sender, .start = &sender_open);

static sender_ref make_link(tr_ctx *ctx)
{
    int m = (int)param("m", 4);
    int modulus = repaired ? m + 2 : m;
    timer_ref timer = spawn(timer);
    receiver_ref receiver = spawn(receiver, .modulus = modulus);
    return spawn(sender, .receiver = receiver, .timer = timer,
                 .modulus = modulus, .messages = m + 1);
}

TR_SYSTEM(stop_and_wait)
{
    sender_ref sender = make_link(ctx);
    expose(sender);
}

TR_TEST(sequence_wrap)
{
    sender_ref sender = make_link(ctx);
    send(sender, go);
    drain();
}
