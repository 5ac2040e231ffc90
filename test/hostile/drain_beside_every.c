/* The body does not wait for the ticks of `every`, so it may look before the
 * first one.
 *
 * Native: fails
 * Explore: bug assertion
 */
#include "troupe_short.h"

#include <assert.h>

TR_SIGNAL(go);
TR_SIGNAL(tick);
TR_PROTOCOL(actor, go, tick);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    every(10000, me(actor), tick);
}
TR_HANDLER(actor, tick)
{
    self->n++;
    stop();
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(tick, actor_tick));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    drain();
    assert(!peek(actor, a)); // it has stopped
}
