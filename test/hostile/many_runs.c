/* More runs of one kind than are all made twice.
 *
 * Native: ok
 * Explore: ok
 * Weaker: 86 of 600 handler runs made only once
 * Options: -j 1
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    for (int i = 0; i < 600; i++)
        send(a, go);
}
