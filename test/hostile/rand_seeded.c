/* Numbers after srand() are those of the C library, in every run.
 *
 * Native: ok
 * Explore: ok
 * Weaker: random numbers are some of many (rand, lrand48)
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
    srand(7);
    srand48(7);
    self->n = rand() + lrand48();
}
TR_HANDLER(actor, then)
{
    srand(7);
    srand48(7);
    assert(self->n == rand() + lrand48());
    srand(1);
    assert(rand() == 1804289383);
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
