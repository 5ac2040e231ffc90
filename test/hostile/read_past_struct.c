/* A handler reads past the end of its actor's struct.
 *
 * Native: -
 * Explore: bug crash
 * Says: read past the end of a block or of the actor's struct
 */
#include "troupe_short.h"

struct at {
    int i;
};
TR_MESSAGE(at);
TR_PROTOCOL(actor, at);
struct actor {
    int n, row[4];
};
TR_HANDLER(actor, at)
{
    self->n = self->row[msg->i];
}
TR_BEHAVIOUR(actor, open, TR_ON(at, actor_at));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), at, .i = 5);
}
