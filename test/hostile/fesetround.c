/* A handler leaves the rounding mode changed: the next one on the thread,
 * of whatever actor, computes with it.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: the floating-point mode (rounding, traps) was left changed
 */
#include "troupe_short.h"
#include <fenv.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    fesetround(FE_UPWARD);
    self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
