/* 20,000 actors created by one handler.
 *
 * Native: ok
 * Explore: limit
 * Says: creates more than 16384 actors
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(maker, go);
struct maker {
    int n;
};
TR_HANDLER(maker, go)
{
    for (int i = 0; i < 20000; i++)
        spawn(maker);
}
TR_BEHAVIOUR(maker, open, TR_ON(go, maker_go));
TR_CLASS(maker, .start = &maker_open);
TR_TEST(t)
{
    send(spawn(maker), go);
}
