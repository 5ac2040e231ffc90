/* Handlers that expose actors and look for them: what they find depends on who
 * came first. */
#include "troupe_short.h"
#include <assert.h>

TR_SIGNAL(lead);
TR_SIGNAL(look);
TR_PROTOCOL(node, lead, look);
struct node {
    int found; /* 1: nobody, 2: itself, 3: another */
};
TR_HANDLER(node, lead)
{
    expose_as(me(node), "leader");
}
TR_HANDLER(node, look)
{
    node_ref leader = receptionist(node, "leader");
    self->found = !leader ? 1 : leader == me(node) ? 2 : 3;
}
TR_BEHAVIOUR(node, on, TR_ON(lead, node_lead), TR_ON(look, node_look));
TR_CLASS(node, .start = &node_on);

/* Three orders: each of a and b is the last to lead, and b finds either. */
TR_TEST(last_leader)
{
    node_ref a = spawn(node), b = spawn(node);
    send(a, lead);
    send(b, lead);
    send(b, look);
    drain();
    assert(receptionist(node, "leader") == b);
}

/* The body alone: no order matters. */
TR_TEST(by_the_body)
{
    node_ref a = spawn(node), b = spawn(node);
    expose(a);
    drain();
    expose_as(b, "a");
    expose_as((node_ref)NULL, "a");
    drain();
    assert(receptionist(node, "a") == b);
    assert(!receptionist(node, "b"));
}
