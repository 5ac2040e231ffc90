/* A handler cuts a text into words, and leaves nothing behind.
 *
 * Native: ok
 * Explore: ok
 */
#include "troupe_short.h"
#include <assert.h>
#include <string.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int words;
};
TR_HANDLER(actor, go)
{
    char text[] = "one,two,,three";
    for (char *p = strtok(text, ","); p; p = strtok(NULL, ","))
        self->words++;
    assert(self->words % 3 == 0);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, go);
    send(b, go);
    send(a, go);
}
