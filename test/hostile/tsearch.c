/* A tree of the C library's lies in its own memory.
 *
 * Native: ok
 * Explore: limit
 * Says: tsearch() in a handler is not supported
 */
#define _GNU_SOURCE
#include "troupe_short.h"
#include <assert.h>
#include <search.h>

static int order(const void *a, const void *b)
{
    return (int)(*(const long *)a - *(const long *)b);
}
TR_SIGNAL(first);
TR_SIGNAL(then);
TR_PROTOCOL(actor, first, then);
struct actor {
    long n;
    void *p;
};
TR_HANDLER(actor, first)
{
    self->n = 5;
    tsearch(&self->n, &self->p, order);
}
TR_HANDLER(actor, then)
{
    long k = 5;
    assert(tfind(&k, &self->p, order));
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
