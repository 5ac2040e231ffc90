/* A handler writes to descriptors that it never opened.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <unistd.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    for (int fd = 3; fd < 1024; fd++)
        self->n += write(fd, "READY=1\n", 8) > 0;
    assert(self->n == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
