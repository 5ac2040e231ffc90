// An endless chain of creations.
#include "troupe_short.h"

TR_SIGNAL(go);
TR_PROTOCOL(link, go);
struct link {
    int n;
};
TR_HANDLER(link, go);
TR_BEHAVIOUR(link, on, TR_ON(go, link_go));
TR_CLASS(link, .start = &link_on);

TR_HANDLER(link, go)
{
    (void)self;
    link_ref next = spawn(link);
    send(next, go);
}

TR_TEST(chain)
{
    link_ref first = spawn(link);
    send(first, go);
}
