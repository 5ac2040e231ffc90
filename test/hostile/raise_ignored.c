/* A handler sends itself signals that nobody minds.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <signal.h>

static void note(int number)
{
    (void)number;
}
__attribute__((constructor)) static void ignore(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGUSR1, note);
}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    assert(!raise(SIGPIPE));
    assert(!raise(SIGCHLD));
    assert(!raise(SIGUSR1));
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
