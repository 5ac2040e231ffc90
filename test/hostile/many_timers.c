/* 300 timers of one actor.
 *
 * Native: ok
 * Explore: limit
 * Says: more than 254 timers of one actor are pending
 */
#include "troupe_short.h"

TR_SIGNAL(go);
TR_SIGNAL(tick);
TR_PROTOCOL(setter, go, tick);
struct setter {
    int n;
};
TR_HANDLER(setter, go)
{
    for (int i = 0; i < 300; i++)
        send_after(1, me(setter), tick);
}
TR_BEHAVIOUR(setter, open, TR_ON(go, setter_go), TR_IGNORE(tick));
TR_CLASS(setter, .start = &setter_open);
TR_TEST(t)
{
    send(spawn(setter), go);
}
