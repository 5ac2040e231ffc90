/* Actors that share a global: two clerks read it, then write it back. */
#include "troupe_short.h"

#include <assert.h>

static int balance = 100;

TR_SIGNAL(look);
TR_SIGNAL(write_back);
TR_PROTOCOL(clerk, look, write_back);
struct clerk {
    int seen;
};
TR_HANDLER(clerk, look)
{
    self->seen = balance;
    send(me(clerk), write_back);
}
TR_HANDLER(clerk, write_back)
{
    balance = self->seen + 10;
}
TR_BEHAVIOUR(clerk, open, TR_ON(look, clerk_look),
             TR_ON(write_back, clerk_write_back));
TR_CLASS(clerk, .start = &clerk_open);

TR_TEST(lost_update)
{
    for (int i = 0; i < 2; i++)
        send(spawn(clerk), look);
    drain();
    assert(balance == 120);
}
