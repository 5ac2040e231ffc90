/* A handler may run on another thread than the one before.
 *
 * Native: -
 * Explore: ok
 * Weaker: all handlers on one thread (gettid)
 */
#define _GNU_SOURCE
#include "troupe_short.h"
#include <assert.h>
#include <unistd.h>
TR_SIGNAL(first);
TR_SIGNAL(then);
TR_PROTOCOL(actor, first, then);
struct actor {
    long n;
    void *p;
};
TR_HANDLER(actor, first)
{
    self->n = gettid();
}
TR_HANDLER(actor, then)
{
    assert(self->n == gettid());
}
TR_BEHAVIOUR(actor, open, TR_ON(first), TR_ON(then));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, first);
    drain();
    send(a, then);
}
