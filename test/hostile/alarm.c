/* A handler sets an alarm.
 *
 * Native: ok
 * Explore: limit
 * Says: alarm() in a handler is not supported
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
    self->n += (int)alarm(1000);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
