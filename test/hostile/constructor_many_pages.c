/* A handler writes to a hundred pages of what a constructor allocated.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: memory that all actors share was changed
 */
#include "troupe_short.h"
#include <stdlib.h>

enum { SIZE = 100 * 4096 };
static char *table;
__attribute__((constructor)) static void begin(void)
{
    table = malloc(SIZE);
}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    for (int i = 0; i < SIZE; i += 4096)
        table[i]++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
