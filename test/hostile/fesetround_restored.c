/* A handler changes the rounding mode for itself.
 *
 * Native: ok
 * Explore: ok
 * Options: -- -lm
 */
#include "troupe_short.h"
#include <assert.h>
#include <fenv.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    int before = fegetround();
    volatile double third = 1;
    fesetround(FE_UPWARD);
    third /= 3;
    fesetround(before);
    assert(third * 3 >= 1);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
