/* Two actors and a global variable. */
#include "troupe_short.h"

TR_PROTOCOL(one, hit);
TR_SIGNAL(hit);
static int hits;
struct one {
    int seen;
};
TR_HANDLER(one, hit)
{
    self->seen = ++hits;
}
TR_BEHAVIOUR(one, open, TR_ON(hit, one_hit));
TR_CLASS(one, .start = &one_open);

TR_SYSTEM(pair)
{
    one_ref a = spawn(one), b = spawn(one);
    expose(a);
    expose(b);
}
