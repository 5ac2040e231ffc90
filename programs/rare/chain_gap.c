/* chain-gap: a node is cut out of a chain that was only slow.
 *
 * Source: chain replication, repair after a false suspicion.
 *
 * A client sends UPDATES updates to the head, which passes them along the chain
 * head, middle, tail; the tail applies them in the order they come.  A master
 * pings the middle and ticks; after TICKS ticks without an answer it tells the
 * head to send to the tail directly, beginning with what has not been
 * acknowledged.  If the middle was only slow, what it had passed on arrives at
 * the tail after what the head sends, and the tail goes back in time.
 *
 * Repaired: the tail drops updates that are not the next one.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: the tail applies updates in order.
 * Find it: troupe explore programs/rare/chain_gap.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { UPDATES = 3, TICKS = 14 };

TR_PROTOCOL(master, tick, pong);
TR_PROTOCOL(head, update, ack, bypass);
TR_PROTOCOL(middle, update, ping);
TR_PROTOCOL(tail, join, update);

struct join {
    head_ref head;
};
TR_MESSAGE(join);
struct update {
    int n;
};
TR_MESSAGE(update);
struct ack {
    int n;
};
TR_MESSAGE(ack);
TR_SIGNAL(bypass);
TR_SIGNAL(tick);
TR_SIGNAL(pong);
struct ping {
    master_ref from;
};
TR_MESSAGE(ping);

struct tail {
    head_ref head;
    int applied;
};

TR_HANDLER(tail, join)
{
    self->head = msg->head;
}

TR_HANDLER(tail, update)
{
    if (repaired && msg->n != self->applied + 1)
        return;
    assert(msg->n > self->applied);
    self->applied = msg->n;
    send(self->head, ack, .n = msg->n);
}

TR_BEHAVIOUR(tail, open, TR_ON(join, tail_join), TR_ON(update, tail_update));
TR_CLASS(tail, .start = &tail_open);

struct middle {
    tail_ref tail;
};

TR_HANDLER(middle, update)
{
    forward(self->tail, update);
}

TR_HANDLER(middle, ping)
{
    send(msg->from, pong);
}

TR_BEHAVIOUR(middle, open, TR_ON(update, middle_update),
             TR_ON(ping, middle_ping));
TR_CLASS(middle, .start = &middle_open);

struct head {
    middle_ref middle;
    tail_ref tail;
    int newest, acked;
    bool direct;
};

TR_HANDLER(head, update)
{
    self->newest = msg->n;
    if (self->direct)
        forward(self->tail, update);
    else
        forward(self->middle, update);
}

TR_HANDLER(head, ack)
{
    if (msg->n > self->acked)
        self->acked = msg->n;
}

TR_HANDLER(head, bypass)
{
    self->direct = true;
    for (int n = self->acked + 1; n <= self->newest; n++)
        send(self->tail, update, .n = n);
}

TR_BEHAVIOUR(head, open, TR_ON(update, head_update), TR_ON(ack, head_ack),
             TR_ON(bypass, head_bypass));
TR_CLASS(head, .start = &head_open);

struct master {
    head_ref head;
    int ticks;
    bool alive; /* the middle is */
};

TR_HANDLER(master, tick)
{
    if (self->alive)
        return;
    if (++self->ticks == TICKS)
        send(self->head, bypass);
    else
        send(me(master), tick);
}

TR_HANDLER(master, pong)
{
    self->alive = true;
}

TR_BEHAVIOUR(master, open, TR_ON(tick, master_tick), TR_ON(pong, master_pong));
TR_CLASS(master, .start = &master_open);

TR_TEST(chain_gap)
{
    tail_ref tail = spawn(tail);
    middle_ref middle = spawn(middle, .tail = tail);
    head_ref head = spawn(head, .middle = middle, .tail = tail);
    master_ref master = spawn(master, .head = head);
    send(tail, join, .head = head);
    drain();
    for (int n = 1; n <= UPDATES; n++)
        send(head, update, .n = n);
    send(middle, ping, .from = master);
    send(master, tick);
    drain();
}
