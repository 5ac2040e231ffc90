/* A handler that takes a fifth of a second of computing, and ends.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    for (volatile long i = 0; i < 80000000; i++)
        ;
    self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
