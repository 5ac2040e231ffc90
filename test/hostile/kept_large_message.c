/* A handler keeps a pointer to a large message; another handler reads it.
 *
 * Native: -
 * Explore: bug crash
 * Says: memory that is not allocated
 */
#include "troupe_short.h"

struct data {
    int x, more[5000];
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
