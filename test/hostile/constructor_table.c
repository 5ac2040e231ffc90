/* A constructor fills a table, which handlers only read.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

static int *table;
__attribute__((constructor)) static void begin(void)
{
    table = calloc(4, sizeof *table);
    table[2] = 7;
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    self->n = table[2];
}
TR_HANDLER(actor, look)
{
    assert(table[2] == 7);
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, write);
    drain();
    send(b, look);
}
