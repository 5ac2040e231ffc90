/* An actor keeps a stream: another one in each run, and no schedule opens what
 * another one has closed.
 *
 * Native: ok
 * Explore: limit
 * Says: the state, field f differs when the handler is run again
 */
#include "troupe_short.h"
#include <assert.h>
#include <stdio.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    FILE *f;
};
TR_HANDLER(actor, go)
{
    if (self->f) {
        assert(!fclose(self->f));
        self->f = NULL;
    } else {
        assert((self->f = fopen("/dev/null", "r")));
    }
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    for (int i = 0; i < 2; i++) {
        send(a, go);
        send(b, go);
    }
}
