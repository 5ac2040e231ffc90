/* Texts of errors are kept: those of unknown numbers lie in a buffer.
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
    const char *text;
};
TR_HANDLER(actor, go)
{
    if (!self->text) {
        self->text = strerror(9999);
        return;
    }
    strerror(8888);
    assert(strstr(self->text, "Unknown error"));
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    actor_ref a = spawn(actor);
    send(a, go);
    send(a, go);
}
