/* failure-detector: a late answer brings a dead node back to life.
 *
 * Source: after the failure detector of the P tutorial, which does carry a
 * trial number; here it is carried and ignored.
 *
 * The test sends go to the detector and crash to node 1.  In each of three
 * rounds the detector forgets the answers, sends ping(r) to the nodes not yet
 * down and starts a timer; at the timeout, a node without an answer has missed
 * once more and is down at two misses in a row.  A pong of round 1 that comes
 * in round 2 clears the miss of a node that has died in between.
 *
 * Repaired: pongs of another round are ignored.
 *
 * Kind of bug: assertion
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: a node silent in rounds 2 and 3 is down.
 * Find it: troupe explore programs/bugs/failure_detector.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { NODES = 2, ROUNDS = 3 };

TR_PROTOCOL(timer, timer_start);
TR_PROTOCOL(node, ping, crash);
TR_PROTOCOL(detector, go, pong, timeout);

TR_SIGNAL(go);
TR_SIGNAL(crash);
struct ping {
    int round;
    detector_ref from;
};
TR_MESSAGE(ping);
struct pong {
    int node, round;
};
TR_MESSAGE(pong);
struct timer_start {
    int round;
    detector_ref from;
};
TR_MESSAGE(timer_start);
struct timeout {
    int round;
};
TR_MESSAGE(timeout);

TR_STATELESS(timer);

TR_HANDLER(timer, timer_start)
{
    send(msg->from, timeout, .round = msg->round);
}

TR_BEHAVIOUR(timer, open, TR_ON(timer_start, timer_timer_start));
TR_CLASS(timer, .start = &timer_open);

struct node {
    int number;
    int silent; /* rounds 2 and 3 without an answer */
};
TR_STATES(node, alive, dead);

TR_HANDLER(node, ping)
{
    send(msg->from, pong, .node = self->number, .round = msg->round);
}

TR_HANDLER(node, crash)
{
    become(node, dead);
}

TR_HANDLER_AS(node_silent, node, ping)
{
    if (msg->round >= 2)
        self->silent++;
}

TR_BEHAVIOUR(node, alive, TR_ON(ping, node_ping), TR_ON(crash, node_crash));
TR_BEHAVIOUR(node, dead, TR_ON(ping, node_silent));
TR_CLASS(node, .start = &node_alive);

struct detector {
    timer_ref timer;
    node_ref node[NODES];
    bool answered[NODES];
    int misses[NODES]; /* in a row; 2: down */
    int round;         /* 0: not started, ROUNDS + 1: over */
};

static bool is_down(const struct detector *d, int node)
{
    return d->misses[node] == 2;
}

static void start_round(tr_ctx *ctx, struct detector *self)
{
    self->round++;
    for (int i = 0; i < NODES; i++)
        self->answered[i] = false;
    if (self->round > ROUNDS)
        return;
    for (int i = 0; i < NODES; i++)
        if (!is_down(self, i))
            send(self->node[i], ping, .round = self->round,
                 .from = me(detector));
    send(self->timer, timer_start, .round = self->round, .from = me(detector));
}

TR_HANDLER(detector, go)
{
    start_round(ctx, self);
}

TR_HANDLER(detector, pong)
{
    if (!repaired || msg->round == self->round)
        self->answered[msg->node] = true;
}

TR_HANDLER(detector, timeout)
{
    for (int i = 0; i < NODES; i++) {
        if (is_down(self, i))
            continue;
        self->misses[i] = self->answered[i] ? 0 : self->misses[i] + 1;
    }
    start_round(ctx, self);
}

TR_BEHAVIOUR(detector, watching, TR_ON(go, detector_go),
             TR_ON(pong, detector_pong), TR_ON(timeout, detector_timeout));
TR_CLASS(detector, .start = &detector_watching);

TR_SYSTEM(cluster)
{
    timer_ref timer = spawn(timer);
    node_ref node1 = spawn(node, .number = 0);
    node_ref node2 = spawn(node, .number = 1);
    detector_ref detector =
        spawn(detector, .timer = timer, .node = {node1, node2});
    expose(detector);
    expose(node1);
}

TR_TEST(failure_detector)
{
    timer_ref timer = spawn(timer);
    node_ref node1 = spawn(node, .number = 0);
    node_ref node2 = spawn(node, .number = 1);
    detector_ref detector =
        spawn(detector, .timer = timer, .node = {node1, node2});
    send(detector, go);
    send(node1, crash);
    drain();
    if (peek(node, node1)->silent == 2)
        assert(is_down(peek(detector, detector), 0));
}
