/* A handler writes past the end of its actor's struct.
 *
 * Native: -
 * Explore: bug crash
 * Says: wrote past the end of 'struct actor', which has 20 bytes
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
    self->row[msg->i] = 7;
}
TR_BEHAVIOUR(actor, open, TR_ON(at, actor_at));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), at, .i = 5);
}
