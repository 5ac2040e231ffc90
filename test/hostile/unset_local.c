/* A handler looks at a local variable that is not set on one path.
 *
 * Native: -
 * Explore: ok
 * Weaker: locals that may not be set are zero (unset_local.c:23)
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
TR_HANDLER(actor, set)
{
    int x;
    if (msg->n > 0)
        x = msg->n;
    assert(x >= 0 && x < 100);
    self->n = x;
}
TR_BEHAVIOUR(actor, open, TR_ON(set, actor_set));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, set, .n = 4);
    send(a, set, .n = -1);
}
