/* A handler takes processor time, but not in exploration.
 *
 * Native: -
 * Explore: ok
 * Weaker: no processor time passes (clock)
 */
#define _GNU_SOURCE
#include "troupe_short.h"
#include <assert.h>
#include <time.h>
TR_SIGNAL(first);
TR_SIGNAL(then);
TR_PROTOCOL(actor, first, then);
struct actor {
    long n;
    void *p;
};
TR_HANDLER(actor, first)
{
    clock_t used = clock();
    assert(used == clock());
}
TR_HANDLER(actor, then)
{
    self->n = 1;
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
