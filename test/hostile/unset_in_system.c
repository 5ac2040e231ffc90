/* As unset_behind_pointer.c, but what is explored is a system.
 *
 * Native: -
 * Explore: ok
 * Weaker: assertion at unset_in_system.c:27 if locals that are not set are not zero
 */
#include "troupe_short.h"
#include <assert.h>

struct set {
    int n;
};
TR_MESSAGE(set);
TR_PROTOCOL(actor, set);
struct actor {
    int n;
};
__attribute__((noinline)) static void fill(int *x, int n)
{
    if (n > 0)
        *x = n;
}
TR_HANDLER(actor, set)
{
    int x;
    fill(&x, msg->n);
    assert(x >= 0 && x < 100);
    self->n = x;
}
TR_BEHAVIOUR(actor, open, TR_ON(set, actor_set));
TR_CLASS(actor, .start = &actor_open);
TR_SYSTEM(s)
{
    actor_ref a = spawn(actor);
    send(a, set, .n = 4);
    send(a, set, .n = -1);
}
