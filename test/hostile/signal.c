/* A handler installs a signal handler for the whole process.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: signal() changes how the process takes signals, which all actors share
 */
#include "troupe_short.h"
#include <signal.h>

static void note(int number)
{
    (void)number;
}
TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    signal(SIGUSR1, note);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
