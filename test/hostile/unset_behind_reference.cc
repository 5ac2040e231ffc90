/* A function in C++ is given a reference to a local variable that it sets in
 * some cases only: no compiler warns of it.
 *
 * Native: -
 * Explore: ok
 * Weaker: assertion at unset_behind_reference.cc:28 if locals that are not set are not zero
 */
#include "troupe.h"
#include <cassert>

struct set {
    int n;
};
TR_MESSAGE(set);
TR_PROTOCOL(actor, set);
struct actor {
    int n;
};
__attribute__((noinline)) static void fill(int &x, int n)
{
    if (n > 0)
        x = n;
}
TR_HANDLER(actor, set)
{
    int x;
    fill(x, msg->n);
    assert(x >= 0 && x < 100);
    self->n = x;
}
TR_BEHAVIOUR(actor, open, TR_ON(set, actor_set));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = tr_spawn(ctx, actor);
    tr_send(ctx, a, set, .n = 4);
    tr_send(ctx, a, set, .n = -1);
}
