/* A handler goes on with the text that an earlier one began to cut into words.
 *
 * Native: fails
 * Explore: bug isolation
 * Says: strtok(NULL) goes on with a text of an earlier handler
 */
#include "troupe_short.h"
#include <assert.h>
#include <string.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    char text[8];
    int n;
};
TR_HANDLER(actor, go)
{
    if (self->n++ == 0)
        strtok(strcpy(self->text, "a,b,c"), ",");
    else
        assert(strtok(NULL, ",") == self->text + 2);
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor), b = spawn(actor);
    send(a, go);
    drain();
    send(b, go);
    drain();
    send(a, go);
}
