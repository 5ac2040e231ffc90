/* Actors get the address of a block of the test body as two halves.
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
    uint32_t high, low;
};
static int *block(const struct actor *a)
{
    return (int *)((uintptr_t)a->high << 32 | a->low);
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
    uintptr_t p = (uintptr_t)calloc(4, sizeof(int));
    uint32_t high = p >> 32, low = p & UINT32_MAX;
    actor_ref a = spawn(actor, .high = high, .low = low);
    actor_ref b = spawn(actor, .high = high, .low = low);
    send(a, write);
    drain();
    send(b, look);
}
