/* A handler sends itself a signal that ends the process.
 *
 * Native: fails
 * Explore: bug crash
 * Says: SIGTERM, sent by itself
 */
#include "troupe_short.h"
#include <signal.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    raise(SIGTERM);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
