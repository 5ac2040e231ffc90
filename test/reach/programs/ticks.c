/* Counters that stand in the way: of a hundred, and of a million. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(counter, tick, kick);
TR_SIGNAL(tick);
struct kick {
    int leg;
};
TR_MESSAGE(kick);

struct counter {
    uint32_t n;
};

TR_HANDLER(counter, tick)
{
    self->n++;
}

TR_HANDLER(counter, kick)
{
    if (self->n == 100)
        self->n = 0; // a hundred
    if (self->n == 1000000)
        self->n = 1; // a million
}

TR_BEHAVIOUR(counter, open, TR_ON(tick, counter_tick),
             TR_ON(kick, counter_kick));
TR_CLASS(counter, .start = &counter_open);

TR_SYSTEM(counting)
{
    counter_ref counter = spawn(counter);
    expose(counter);
}
