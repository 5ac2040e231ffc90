/* A handler loads a library.
 *
 * Native: ok
 * Explore: limit
 * Says: dlopen() in a handler is not supported
 */
#include "troupe_short.h"
#include <dlfcn.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    self->n += dlopen("libm.so.6", RTLD_NOW) != NULL;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
