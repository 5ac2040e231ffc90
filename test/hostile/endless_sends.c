/* A handler that sends for ever.
 *
 * Native: -
 * Explore: bug endless-handler
 * Options: --handler-time=200ms
 * Says: the handler ran for more than
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(source, go);
struct source {
    int n;
};
TR_HANDLER(source, go)
{
    for (;;)
        send(me(source), go);
}
TR_BEHAVIOUR(source, open, TR_ON(go, source_go));
TR_CLASS(source, .start = &source_open);
TR_TEST(t)
{
    send(spawn(source), go);
}
