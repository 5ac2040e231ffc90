/* A handler closes standard output, which is everybody's.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: close() changes the standard descriptors, which all actors share
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
    self->n += close(1);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
