// N messages to one actor, which adds them up.
#include "troupe_short.h"

#ifndef N
#define N 3000
#endif

struct item {
    int i;
};
TR_MESSAGE(item);
TR_PROTOCOL(adder, item);
struct adder {
    unsigned sum;
};
TR_HANDLER(adder, item)
{
    self->sum = self->sum * 31 + (unsigned)msg->i;
}
TR_BEHAVIOUR(adder, on, TR_ON(item, adder_item));
TR_CLASS(adder, .start = &adder_on);

TR_TEST(many)
{
    adder_ref a = spawn(adder);
    for (int i = 0; i < N; i++)
        send(a, item, .i = i);
}
