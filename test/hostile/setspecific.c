/* A handler sets a value of the thread, which another one finds.
 *
 * Native: -
 * Explore: bug isolation
 * Says: pthread_setspecific() changes a value of the thread
 */
#include "troupe_short.h"
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
__attribute__((constructor)) static void begin(void)
{
    pthread_key_create(&key, NULL);
}

TR_SIGNAL(write);
TR_SIGNAL(look);
TR_PROTOCOL(actor, write, look);
struct actor {
    int n;
};
TR_HANDLER(actor, write)
{
    pthread_setspecific(key, "set");
}
TR_HANDLER(actor, look)
{
    assert(!pthread_getspecific(key));
}
TR_BEHAVIOUR(actor, open, TR_ON(write, actor_write), TR_ON(look, actor_look));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, write);
    drain();
    send(b, look);
}
