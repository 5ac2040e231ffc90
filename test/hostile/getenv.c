/* A handler reads the environment it was started in.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    assert(getenv("PATH"));
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
