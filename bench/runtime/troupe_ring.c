// Thread ring: a token goes n steps around a ring of `size` actors.
#include "bench.h"

TR_PROTOCOL(node, token, next);
struct token {
    int64_t left;
};
TR_MESSAGE(token);
struct next {
    node_ref node;
};
TR_MESSAGE(next);

struct node {
    node_ref next;
};
TR_HANDLER(node, next)
{
    self->next = msg->node;
}
TR_HANDLER(node, token)
{
    if (msg->left > 0)
        send(self->next, token, .left = msg->left - 1);
}
TR_BEHAVIOUR(node, on, TR_ON(next, node_next), TR_ON(token, node_token));
TR_CLASS(node, .start = &node_on);

TR_SYSTEM(ring)
{
    int64_t size = param("size", 0);
    node_ref first = spawn(node), last = first;
    for (int64_t i = 1; i < size; i++)
        last = spawn(node, .next = last);
    send(first, next, .node = last);
    send(first, token, .left = param("n", 0));
}

BENCH_MAIN("ring", ring, 5000000, 100, n)
