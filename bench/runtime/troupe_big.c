// Big: a actors, each sends b pings to actors chosen at random and answers
// those it gets, one at a time.
#include "bench.h"

TR_PROTOCOL(node, go, ping, pong);
struct go {
    node_ref *all; // outlives the run
};
TR_MESSAGE(go);
struct ping {
    node_ref from;
};
TR_MESSAGE(ping);
TR_SIGNAL(pong);

struct node {
    node_ref *all;
    int64_t left;
    uint32_t size;
};
static void next(tr_ctx *ctx, struct node *self)
{
    if (self->left-- > 0)
        send(self->all[choose(self->size)], ping, .from = me(node));
}
TR_HANDLER(node, go)
{
    self->all = msg->all;
    next(ctx, self);
}
TR_HANDLER(node, ping)
{
    send(msg->from, pong);
}
TR_HANDLER(node, pong)
{
    next(ctx, self);
}
TR_BEHAVIOUR(node, on, TR_ON(go, node_go), TR_ON(ping, node_ping),
             TR_ON(pong, node_pong));
TR_CLASS(node, .start = &node_on);

static node_ref nodes[100000];

TR_SYSTEM(big)
{
    int64_t size = param("a", 0);
    for (int64_t i = 0; i < size; i++)
        nodes[i] = spawn(node, .left = param("b", 0), .size = (uint32_t)size);
    for (int64_t i = 0; i < size; i++)
        send(nodes[i], go, .all = nodes);
}

BENCH_MAIN("big", big, 120, 10000, 2 * a * b + 2 * a)
