/* A handler changes the locale of the process.
 *
 * Native: ok
 * Explore: bug isolation
 * Says: setlocale() changes the locale, which all actors share
 */
#include "troupe_short.h"
#include <locale.h>

TR_SIGNAL(go);
TR_PROTOCOL(actor, go);
struct actor {
    int n;
};
TR_HANDLER(actor, go)
{
    if (setlocale(LC_ALL, "C"))
        self->n++;
}
TR_BEHAVIOUR(actor, open, TR_ON(go, actor_go));
TR_CLASS(actor, .start = &actor_open);
TR_TEST(t)
{
    send(spawn(actor), go);
}
