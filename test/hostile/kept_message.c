/* A handler keeps a pointer to its message; another handler reads it.
 *
 * Native: -
 * Explore: bug crash
 * Says: use of a message that is gone
 */
#include "troupe_short.h"

struct data {
    int x;
};
TR_MESSAGE(data);
TR_SIGNAL(use);
TR_PROTOCOL(actor, data, use);
struct actor {
    const struct data *kept;
    int n;
};
TR_HANDLER(actor, data)
{
    self->kept = msg;
}
TR_HANDLER(actor, use)
{
    self->n = self->kept->x;
}
TR_BEHAVIOUR(actor, open, TR_ON(data, actor_data), TR_ON(use, actor_use));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, data, .x = 42);
    send(a, use);
}
