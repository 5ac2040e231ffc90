/* raft-duplicate-vote: votes are counted, voters are not.
 *
 * Source: the Raft sample of the Coyote test suite, and issue 45 of akka-raft.
 *
 * One term, five nodes; the test sends elect to nodes A and B and starts A's
 * timer.  On elect a node that has not voted votes for itself and asks the
 * others for their votes; on retry, from the timer, a candidate that does not
 * lead asks them again.  A node votes for the first that asks, and answers
 * that one again when asked again; three votes make a leader.  One supporter
 * that answers twice is two votes: C votes for A; D and E vote for B, who
 * leads; A asks again; C answers again, and A leads too.
 *
 * Repaired: a candidate remembers who has voted.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair any
 * Oracle: at most one leader.
 * Parameter L: ticks of the timer (6).
 * Find it: troupe explore programs/bugs/raft_duplicate_vote.c
 */
#include "repaired.h"
#include "troupe_short.h"

enum { NODES = 5, MAJORITY = 3 };

TR_PROTOCOL(node, elect, retry, request_vote, vote);
TR_PROTOCOL(timer, timer_start, tick);

struct peers {
    node_ref node[NODES];
};

struct elect {
    struct peers peers; /* all nodes, the receiver among them */
};
TR_MESSAGE(elect);
TR_SIGNAL(retry);
struct request_vote {
    int candidate;
    node_ref from;
};
TR_MESSAGE(request_vote);
struct vote {
    int voter;
};
TR_MESSAGE(vote);
struct timer_start {
    node_ref node;
};
TR_MESSAGE(timer_start);
struct tick {
    int left;
    node_ref node;
};
TR_MESSAGE(tick);

struct timer {
    int length;
};

static void count_down(tr_ctx *ctx, int left, node_ref node)
{
    if (left == 0)
        send(node, retry);
    else
        send(me(timer), tick, .left = left - 1, .node = node);
}

TR_HANDLER(timer, timer_start)
{
    count_down(ctx, self->length, msg->node);
}

TR_HANDLER(timer, tick)
{
    count_down(ctx, msg->left, msg->node);
}

TR_BEHAVIOUR(timer, open, TR_ON(timer_start, timer_timer_start),
             TR_ON(tick, timer_tick));
TR_CLASS(timer, .start = &timer_open);

enum { NOBODY = -1 };

struct node {
    int number, voted_for;
    struct peers peers; /* of a candidate */
    int votes;
    bool heard[NODES]; /* who voted; kept when repaired */
    bool candidate, leader;
};

static void ask_for_votes(tr_ctx *ctx, struct node *self)
{
    for (int i = 0; i < NODES; i++)
        if (i != self->number)
            send(self->peers.node[i], request_vote, .candidate = self->number,
                 .from = me(node));
}

TR_HANDLER(node, elect)
{
    if (self->voted_for != NOBODY)
        return;
    self->voted_for = self->number;
    self->candidate = true;
    self->votes = 1;
    self->peers = msg->peers;
    ask_for_votes(ctx, self);
}

TR_HANDLER(node, retry)
{
    if (self->candidate && !self->leader)
        ask_for_votes(ctx, self);
}

TR_HANDLER(node, request_vote)
{
    if (self->voted_for == NOBODY)
        self->voted_for = msg->candidate;
    if (self->voted_for == msg->candidate)
        send(msg->from, vote, .voter = self->number);
}

TR_HANDLER(node, vote)
{
    if (repaired && self->heard[msg->voter])
        return;
    if (repaired)
        self->heard[msg->voter] = true;
    self->votes++;
    if (self->votes >= MAJORITY)
        self->leader = true;
}

TR_BEHAVIOUR(node, open, TR_ON(elect, node_elect), TR_ON(retry, node_retry),
             TR_ON(request_vote, node_request_vote), TR_ON(vote, node_vote));
TR_CLASS(node, .start = &node_open);

TR_INVARIANT(one_leader)
{
    int leaders = 0;
    for (each(node, n))
        leaders += n->leader;
    return leaders <= 1;
}

static struct peers make_nodes(tr_ctx *ctx)
{
    struct peers peers;
    for (int i = 0; i < NODES; i++)
        peers.node[i] = spawn(node, .number = i, .voted_for = NOBODY);
    return peers;
}

TR_SYSTEM(raft)
{
    struct peers peers = make_nodes(ctx);
    node_ref a = peers.node[0], b = peers.node[1];
    timer_ref timer = spawn(timer, .length = (int)param("L", 6));
    expose(a);
    expose(b);
    expose(timer);
}

TR_TEST(raft_duplicate_vote)
{
    struct peers peers = make_nodes(ctx);
    timer_ref timer = spawn(timer, .length = (int)param("L", 6));
    send(peers.node[0], elect, .peers = peers);
    send(peers.node[1], elect, .peers = peers);
    send(timer, timer_start, .node = peers.node[0]);
    drain();
}
