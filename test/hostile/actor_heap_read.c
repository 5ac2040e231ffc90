/* As actor_heap.c, and another actor reads there, with a message that is not the
 * first of its kind: on threads one writes while the other reads.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: other#1 touches memory of actor#1
 */
#include "troupe_short.h"
#include <stdint.h>
#include <stdlib.h>

struct poke {
    uint64_t disguise;
};
TR_MESSAGE(poke);
TR_SIGNAL(go);

TR_PROTOCOL(other, poke);
struct other {
    int n;
};
TR_HANDLER(other, poke)
{
    if (self->n++ == 1)
        self->n += *(int *)(uintptr_t)~msg->disguise;
}
TR_BEHAVIOUR(other, open, TR_ON(poke, other_poke));
TR_CLASS(other, .start = &other_open);

TR_PROTOCOL(actor, go);
struct actor {
    other_ref to;
    int *block;
};
TR_HANDLER(actor, go)
{
    self->block = calloc(4, sizeof *self->block);
    send(self->to, poke);
    send(self->to, poke, .disguise = ~(uintptr_t)self->block);
    *self->block = 1;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    other_ref o = spawn(other);
    actor_ref a = spawn(actor, .to = o);
    send(a, go);
}
