/* Counters that a test reaches only after many messages. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(counter, tick, add);

TR_SIGNAL(tick);
struct add {
    int by;
};
TR_MESSAGE(add);

struct counter {
    uint32_t n;
    uint8_t small;
    int sum;
};

TR_HANDLER(counter, tick)
{
    self->n++;
    self->small += 7;
    self->sum += 2;
    if (self->n == 100)
        self->sum = 0; // hundred
    if (self->n == 1000000)
        self->sum = 1; // million
    if (self->small == 3 && self->n > 20)
        self->sum = 2; // wrap
}

TR_HANDLER(counter, add)
{
    self->sum += msg->by;
    if (self->sum == 77777 && self->n == 12)
        self->n = 1; // sum
}

TR_BEHAVIOUR(counter, open, TR_ON(tick, counter_tick), TR_ON(add, counter_add));
TR_CLASS(counter, .start = &counter_open);

TR_SYSTEM(counters)
{
    counter_ref c = spawn(counter);
    expose(c);
}
