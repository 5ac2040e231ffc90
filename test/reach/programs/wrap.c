/* A counter in steps of six that wraps at a number which is none. */
#include "troupe_short.h"
#include <stdint.h>

TR_PROTOCOL(counter, up);
TR_SIGNAL(up);

struct counter {
    uint16_t six;
    int seen;
};

TR_HANDLER(counter, up)
{
    self->six += 6;
    if (self->six % 3)
        self->seen = 1; // wrapped
}

TR_BEHAVIOUR(counter, open, TR_ON(up));
TR_CLASS(counter, .start = &counter_open);

TR_SYSTEM(counting)
{
    counter_ref counter = spawn(counter);
    expose(counter);
}
