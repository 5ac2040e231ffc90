/* x of 100 ms is set on a, y of 60 ms on b.  x is first if b comes late; but
 * what comes after b reads 0 from the clock, and then b came at once.
 * No schedule fails.
 */
#include "troupe_short.h"

#include <assert.h>

TR_PROTOCOL(node, a, b, x, y, early);
TR_PROTOCOL(other, look);
TR_SIGNAL(a);
TR_SIGNAL(b);
TR_SIGNAL(x);
TR_SIGNAL(y);
TR_SIGNAL(early);
struct look {
    node_ref from;
};
TR_MESSAGE(look);

struct other {
    int none;
};
TR_HANDLER(other, look)
{
    if (now() == 0)
        send(msg->from, early);
}
TR_BEHAVIOUR(other, open, TR_ON(look, other_look));
TR_CLASS(other, .start = &other_open);

struct node {
    other_ref other;
    bool a, b, early, y;
};
TR_HANDLER(node, a)
{
    send_after(100, me(node), x);
    self->a = true;
}
TR_HANDLER(node, b)
{
    send_after(60, me(node), y);
    if (self->a)
        send(self->other, look, .from = me(node));
    self->b = true;
}
TR_HANDLER(node, early)
{
    self->early = true;
}
TR_HANDLER(node, x)
{
    assert(!self->early || self->y);
}
TR_HANDLER(node, y)
{
    self->y = true;
}
TR_BEHAVIOUR(node, open, TR_ON(a, node_a), TR_ON(b, node_b), TR_ON(x, node_x),
             TR_ON(y, node_y), TR_ON(early, node_early));
TR_CLASS(node, .start = &node_open);

TR_TEST(rules_out)
{
    node_ref n = spawn(node, .other = spawn(other));
    send(n, a);
    send(n, b);
}
