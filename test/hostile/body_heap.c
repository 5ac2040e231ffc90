/* Actors get the address of a block of the test body in disguise.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: touches memory of the test body
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    uint64_t disguise;
};
static int *block(const struct actor *a)
{
    return (int *)(uintptr_t)~a->disguise;
}
TR_HANDLER(actor, write)
{
    *block(self) = 1;
}
TR_HANDLER(actor, look)
{
    assert(*block(self) == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    uint64_t disguise = ~(uintptr_t)calloc(4, sizeof(int));
    actor_ref a = spawn(actor, .disguise = disguise);
    actor_ref b = spawn(actor, .disguise = disguise);
    send(a, write);
    drain();
    send(b, look);
}
