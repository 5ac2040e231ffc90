/* A constructor allocates 300 MB, and a handler writes to one of their pages.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: byte 160000 of a block of 314572800 bytes, allocated at
 * Says: constructor_huge.c:15 before the test
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>

static int *table;
__attribute__((constructor)) static void begin(void)
{
    table = calloc(300, 1 << 20);
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    table[40000] = 1;
}
TR_HANDLER(actor, look)
{
    assert(table[40000] == 0);
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
