/* A handler divides by zero.
 *
 * Native: fails
 * Explore: bug crash
 * Says: SIGFPE
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    volatile int zero = 0;
    self->n = 7 / zero;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
