/* A handler says what is to be done when the process ends, for all actors.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: atexit() changes what is done when the process ends
 */
#include "troupe_short.h"
#include <stdlib.h>

static void at_end(void) {}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n += atexit(at_end);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
}
