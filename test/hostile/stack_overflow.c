/* A handler that calls itself without end.
 *
 * Native: fails
 * Explore: bug crash
 * Says: stack overflow
 */
#include "troupe_short.h"

static int deep(int n)
{
    volatile char frame[1000];
    frame[0] = (char)n;
    return deep(n + 1) + frame[0];
}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n = deep(self->n);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
