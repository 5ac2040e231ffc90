/* A handler writes to address 0.
 *
 * Native: fails
 * Explore: bug crash
 * Says: SIGSEGV at 0
 */
#include "troupe_short.h"
#include <stddef.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
