// Thread ring: a token goes b steps around a ring of a actors.
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

TR_SYSTEM(threadring)
{
    int64_t size = param("a", 0);
    node_ref first = spawn(node), last = first;
    for (int64_t i = 1; i < size; i++)
        last = spawn(node, .next = last);
    send(first, next, .node = last);
    send(first, token, .left = param("b", 0));
}

BENCH_MAIN("threadring", threadring, 100, 1000000, b + a)
