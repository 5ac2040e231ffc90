/* A constructor maps what a handler then writes and another one reads.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: byte 8 of a mapping of 4096 bytes, made before the test
 */
#include "troupe_short.h"
#include <assert.h>
#include <sys/mman.h>

static int *table;
__attribute__((constructor)) static void begin(void)
{
    table = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
