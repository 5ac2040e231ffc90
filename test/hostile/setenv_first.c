/* The test body sets a variable before it sends anything: all handlers see it.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    assert(getenv("COLOUR") && !strcmp(getenv("COLOUR"), "red"));
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    setenv("COLOUR", "red", 1);
    send(spawn(actor), go);
    send(spawn(actor), go);
}
