/* A handler maps memory and keeps it: a state that no image holds.
 *
 * Native: ok
 * Explore: limit
 * Says: mmap() in a handler is not supported
 */
#include "troupe_short.h"
#include <assert.h>
#include <sys/mman.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int *at;
};
TR_HANDLER(actor, go)
{
    if (!self->at)
        self->at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(++*self->at <= 2);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    send(a, go);
}
