/* Handlers share a file in memory, which the C library keeps.
 *
 * Native: fails
 * Explore: bug assertion
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdio.h>

static FILE *file;
__attribute__((constructor)) static void begin(void)
{
    file = fmemopen(NULL, 64, "w+");
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    fputc('x', file);
}
TR_HANDLER(actor, look)
{
    assert(ftell(file) == 0);
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
