/* An actor sends the address of its own block in disguise, and is written to.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: other#1 touches memory of actor#1
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct poke {
    uint64_t disguise;
};
TR_MESSAGE(poke);
TR_SIGNAL(go);
TR_SIGNAL(look);

TR_PROTOCOL(other, poke);
struct other {
    int n;
};
TR_HANDLER(other, poke)
{
    *(int *)(uintptr_t)~msg->disguise = 1;
}
TR_BEHAVIOUR(other, open, TR_ON(poke, other_poke));
TR_CLASS(other, .start = &other_open);

TR_PROTOCOL(actor, go, look);
struct actor {
    other_ref to;
    int *block;
};
TR_HANDLER(actor, go)
{
    self->block = calloc(4, sizeof *self->block);
    send(self->to, poke, .disguise = ~(uintptr_t)self->block);
}
TR_HANDLER(actor, look)
{
    assert(*self->block == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    other_ref o = spawn(other);
    actor_ref a = spawn(actor, .to = o);
    send(a, go);
    drain();
    send(a, look);
}
