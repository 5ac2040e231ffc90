/* The first number of a process that seeds nothing is always the same.
 *
 * Native: fails
 * Explore: ok
 * Weaker: random numbers are some of many (rand)
 */
#define _GNU_SOURCE
#include "troupe_short.h"
#include <assert.h>
#include <stdlib.h>
TR_SIGNAL(first);
TR_SIGNAL(then);
TR_PROTOCOL(actor, first, then);
struct actor {
    long n;
    void *p;
};
TR_HANDLER(actor, first)
{
    self->n = rand();
}
TR_HANDLER(actor, then)
{
    assert(self->n != 1804289383);
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
