/* One handler frees a block, another one counts in it.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after free: wrote to a block of 4 bytes that was freed at
 * Says: use_after_free.c:24
 */
#include "troupe_short.h"
#include <stdlib.h>

TR_SIGNAL(go);
TR_SIGNAL(count);
TR_PROTOCOL(actor, go, count);
struct actor {
    int *p;
};
TR_HANDLER(actor, go)
{
    if (!self->p) {
        self->p = malloc(sizeof *self->p);
        *self->p = 1;
        return;
    }
    free(self->p);
}
TR_HANDLER(actor, count)
{
    if (self->p)
        ++*self->p;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(count, actor_count));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    send(a, go);
    send(a, count);
}
