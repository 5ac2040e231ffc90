/* ThreadRing (TR): a token hops round a ring, then a wave of exits stops it.
 *
 * The driver creates n nodes, sends data (who is next) to each in turn, then
 * ping(r) to node 0.  A node sends the ping on with one hop less; the one that
 * gets ping(0) starts the wave: exit(n), sent on with one less at each node,
 * which stops.
 *
 * Entry points: all nodes (data), node 0 (ping).
 * Parameters n, r: nodes, hops (100, 100000; in tests 4, 2).
 * Expected: r + 1 pings are handled, and all nodes stop.
 *
 * Known defects:
 * TR-1  a ping comes before the node knows its next ([1n]): models pair, any
 * TR-2  the same for the last ping ([2n])
 * TR-3  the same for an exit ([3n])
 * TR-4  exit starts at n, so it makes n + 1 hops, and the node that stopped
 *       first gets a second one: a message to a stopped actor, in every run
 *       and model; [4] is therefore not reached
 * Repaired: ping and exit wait until data has come; exit starts at n - 1.
 *
 * Find them: troupe explore programs/savina/threadring.c -k
 * (TR-4 alone: --delivery=mailbox, as a warning)
 */
#include "savina.h"

enum { MAX = 1024 };

TR_PROTOCOL(node, data, ping, exit);

struct data {
    node_ref next;
};
TR_MESSAGE(data);
struct ping {
    int left;
};
TR_MESSAGE(ping);
struct exit {
    int left;
};
TR_MESSAGE(exit);

struct node {
    int size; /* of the ring */
    node_ref next;
};
TR_STATES(node, loose, wired);

TR_HANDLER(node, ping)
{
    if (msg->left > 0) { /* [1] */
        assert(self->next && "TR-1");
        send(self->next, ping, .left = msg->left - 1);
    } else { /* [2] */
        assert(self->next && "TR-2");
        send(self->next, exit, .left = repaired ? self->size - 1 : self->size);
    }
}

TR_HANDLER(node, exit)
{
    if (msg->left > 0) { /* [3] */
        assert(self->next && "TR-3");
        send(self->next, exit, .left = msg->left - 1);
    } /* else [4] */
    stop();
}

TR_HANDLER(node, data)
{
    self->next = msg->next; /* [5] */
    become(node, wired);
}

/* The faithful node takes everything at any time. */
TR_BEHAVIOUR(node, wired, TR_ON(ping, node_ping), TR_ON(exit, node_exit),
             TR_ON(data, node_data));
TR_BEHAVIOUR(node, loose, TR_DEFER(ping), TR_DEFER(exit),
             TR_ON(data, node_data));
TR_CLASS(node, .start = repaired ? &node_loose : &node_wired);
TR_HOT(node, wired);
TR_HOT(node, loose);

static void make(tr_ctx *ctx, int n, node_ref *nodes)
{
    assert(n >= 1 && n <= MAX);
    for (int i = 0; i < n; i++)
        nodes[i] = spawn(node, .size = n);
}

static void begin(tr_ctx *ctx, int n, node_ref *nodes, int hops)
{
    for (int i = 0; i < n; i++)
        send(nodes[i], data, .next = nodes[(i + 1) % n]);
    send(nodes[0], ping, .left = hops);
}

TR_SYSTEM(savina)
{
    int n = (int)param("n", 100);
    node_ref nodes[MAX];
    make(ctx, n, nodes);
    node_ref first = nodes[0];
    expose(first);
    if (starts())
        begin(ctx, n, nodes, (int)param("r", 100000));
}

TR_TEST(threadring)
{
    int n = (int)param("n", 4);
    node_ref nodes[MAX];
    make(ctx, n, nodes);
    begin(ctx, n, nodes, (int)param("r", 2));
    drain();
}

/* Cases that explore found, kept: they must go on to show the bug. */
#ifndef REPAIRED
TR_REPLAY(tr_1, "threadring", "pair",
          "node#1 data<test; "
          "node#1 ping<test; "
          "node#2 ping<node#1",
          .expect = "assertion")
{
}

TR_REPLAY(tr_2, "threadring", "pair",
          "node#1 data<test; "
          "node#1 ping<test; "
          "node#2 data<test; "
          "node#2 ping<node#1; "
          "node#3 ping<node#2",
          .expect = "assertion")
{
}

TR_REPLAY(tr_3, "threadring", "pair",
          "node#1 data<test; "
          "node#1 ping<test; "
          "node#2 data<test; "
          "node#2 ping<node#1; "
          "node#3 data<test; "
          "node#3 ping<node#2; "
          "node#4 exit<node#3",
          .expect = "assertion")
{
}

TR_REPLAY(tr_4, "threadring", "mailbox",
          "node#1 data<test; "
          "node#1 ping<test; "
          "node#2 data<test; "
          "node#2 ping<node#1; "
          "node#3 data<test; "
          "node#3 ping<node#2; "
          "node#4 data<test; "
          "node#4 exit<node#3; "
          "node#1 exit<node#4; "
          "node#2 exit<node#1; "
          "node#3 exit<node#2; "
          "node#4 exit<node#3",
          .expect = "stopped-actor")
{
}

#endif
