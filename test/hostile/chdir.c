/* A handler changes the working folder of the process.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: chdir() changes the working folder, which all actors share
 */
#include "troupe_short.h"
#include <unistd.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n += chdir("/");
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
