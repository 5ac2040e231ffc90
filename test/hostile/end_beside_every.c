/* Nor does the end: a fini hook may run before the first tick.
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
}
TR_FINI(actor)
{
    assert(self->n > 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(tick, actor_tick));
TR_CLASS(actor, .start = &actor_open, .fini = actor_fini_);
TR_TEST(t)
{
    send(spawn(actor), go);
}
