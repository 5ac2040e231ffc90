/* A handler that never ends.
 *
 * Native: hangs
 * Explore: bug endless-handler
 * Options: --handler-time=200ms
 * Says: the handler ran for more than
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    for (volatile int i = 0;; i++)
        ;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t, .timeout_ms = 300)
{
    send(spawn(actor), go);
}
