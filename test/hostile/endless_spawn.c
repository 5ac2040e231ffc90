/* A handler that creates actors for ever.
 *
 * Native: -
 * Explore: bug endless-handler
 * Options: --handler-time=200ms
 * Says: the handler ran for more than
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(maker, go);
struct maker {
    int n;
};
TR_HANDLER(maker, go)
{
    for (;;)
        spawn(maker);
}
TR_BEHAVIOUR(maker, open, TR_ON(go, maker_go));
TR_CLASS(maker, .start = &maker_open);
TR_TEST(t)
{
    send(spawn(maker), go);
}
