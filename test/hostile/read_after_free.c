/* One handler frees a block, another one reads it.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after free: read a block of 10 bytes that was freed at
 * Says: read_after_free.c:
 */
#include "troupe_short.h"
#include <stdlib.h>
#include <string.h>

TR_SIGNAL(go);
TR_SIGNAL(use);
TR_PROTOCOL(actor, go, use);
struct actor {
    char *at;
    int n;
};
TR_HANDLER(actor, go)
{
    self->at = malloc(10);
    memset(self->at, 7, 10);
    free(self->at);
}
TR_HANDLER(actor, use)
{
    self->n = self->at[4];
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(use, actor_use));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    send(a, use);
}
