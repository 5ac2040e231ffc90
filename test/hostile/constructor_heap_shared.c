/* With --shared, what a constructor allocated is a state that actors share.
 *
 * Native: fails
 * Explore: bug assertion
 * Options: --shared
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

static int *table;
__attribute__((constructor)) static void begin(void)
{
    table = calloc(4, sizeof *table);
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    table[2] = 1;
}
TR_HANDLER(actor, look)
{
    assert(table[2] == 0);
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
