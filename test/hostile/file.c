/* A handler writes a file, which no schedule puts back.
 *
 * Native: ok
 * Explore: ok
 * Weaker: uncontrolled calls fopen
 */
#include "troupe_short.h"
#include <stdio.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    FILE *f = fopen("written", "w");
    if (f)
        fclose(f);
    self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
