/* A handler changes the environment: other handlers on other threads see it.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: setenv() changes the environment, which all actors share
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
    setenv("COLOUR", "red", 1);
    if (getenv("COLOUR"))
        self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
