/* A global vector of C++, which a handler writes and another one reads.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: byte 8 of a block of 40 bytes
 */
#include "troupe.h"
#include <cassert>
#include <vector>

static std::vector<int> table(10);

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    table[2] = 1;
}
TR_HANDLER(actor, look)
{
    assert(table[2] == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = tr_spawn(ctx, actor), b = tr_spawn(ctx, actor);
    tr_send(ctx, a, write);
    tr_drain_(ctx);
    tr_send(ctx, b, look);
}
