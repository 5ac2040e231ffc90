/* Actors get the address of a block of the test body in a packed struct.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: field 'block' of 'actor' points into the test body's memory
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct __attribute__((packed)) actor {
    char c;
    int *block;
};
TR_HANDLER(actor, write)
{
    *self->block = 1;
}
TR_HANDLER(actor, look)
{
    assert(*self->block == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    int *block = calloc(4, sizeof *block);
    actor_ref a = spawn(actor, .block = block);
    actor_ref b = spawn(actor, .block = block);
    send(a, write);
    drain();
    send(b, look);
}
