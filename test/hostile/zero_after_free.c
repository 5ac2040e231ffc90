/* A zero is written to a block that another handler freed.
 *
 * Native: -
 * Explore: bug crash
 * Says: use after free: wrote to a block of 10 bytes that was freed at
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
    self->at[9] = 0;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go), TR_ON(use, actor_use));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    send(a, use);
}
