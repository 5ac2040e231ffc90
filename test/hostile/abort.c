/* A handler aborts.
 *
 * Native: fails
 * Explore: bug crash
 * Says: abort()
 */
#include "troupe_short.h"
#include <stdlib.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    abort();
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
