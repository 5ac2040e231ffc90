/* A struct is copied of which some members are not set, and nobody looks.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>

struct note {
    int kind;
    long number;  // of kind 1
    char text[8]; // of kind 2
};
TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    struct note last;
    int n;
};
TR_HANDLER(actor, go)
{
    struct note n;
    n.kind = ++self->n % 2 + 1;
    if (n.kind == 1)
        n.number = self->n;
    self->last = n;
    assert(self->last.kind == 2 || self->last.number == self->n);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    for (int i = 0; i < 3; i++)
        send(a, go);
}
