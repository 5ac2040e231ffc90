/* A handler looks at a local variable that is not set on one path.
 *
 * Native: -
 * Explore: ok
 * Weaker: locals that may not be set are zero (unset_local.c:22)
 */
#include "troupe_short.h"

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
    self->n = x & 3; // no failure, whatever it holds
}
TR_BEHAVIOUR(actor, open, TR_ON(set, actor_set));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, set, .n = 4);
    send(a, set, .n = -1);
}
