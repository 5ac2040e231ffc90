/* On a a timer of 100 ms, on b one of 60 ms: if b comes late, the first fires
 * first.  No order of receives without time in between shows that.
 * Bugs: assertion
 */
#include "troupe_short.h"

#include <assert.h>

TR_PROTOCOL(node, a, b, x, y);
TR_SIGNAL(a);
TR_SIGNAL(b);
TR_SIGNAL(x);
TR_SIGNAL(y);

struct node {
    bool both, any;
};
TR_HANDLER(node, a)
{
    send_after(100, me(node), x);
}
TR_HANDLER(node, b)
{
    send_after(60, me(node), y);
    self->both = true;
}
TR_HANDLER(node, x)
{
    assert(!self->both || self->any);
    self->any = true;
}
TR_HANDLER(node, y)
{
    self->any = true;
}
TR_BEHAVIOUR(node, open, TR_ON(a, node_a), TR_ON(b, node_b), TR_ON(x, node_x),
             TR_ON(y, node_y));
TR_CLASS(node, .start = &node_open);

TR_TEST(timers_set_apart)
{
    node_ref n = spawn(node);
    send(n, a);
    send(n, b);
}
