/* An actor whose state begins where a page does, which is no place on the stage.
 *
 * Native: ok
 * Explore: limit
 * Says: struct actor is aligned to 4096
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    _Alignas(4096) char page[4096];
};
TR_HANDLER(actor, go)
{
    assert((uintptr_t)self % 4096 == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    assert(a);
    send(a, go);
}
