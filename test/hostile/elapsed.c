/* While a handler computes time passes, but not in exploration.
 *
 * Native: -
 * Explore: ok
 * Weaker: time passes only by timers and sleeps
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
    time_t now = time(NULL);
    assert(now == time(NULL));
}
TR_HANDLER(actor, then)
{
    assert(time(NULL) > 1600000000); /* well after 2020 */
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
