/* A handler starts a thread, and waits for it.
 *
 * Native: ok
 * Explore: limit
 * Says: pthread_create() in a handler is not supported
 */
#include "troupe_short.h"
#include <assert.h>
#include <pthread.h>

static void *count(void *n)
{
    ++*(int *)n;
    return NULL;
}

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    pthread_t t;
    if (!pthread_create(&t, NULL, count, &self->n))
        pthread_join(t, NULL);
    assert(self->n == 1);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
