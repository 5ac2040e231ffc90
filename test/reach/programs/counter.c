/* A sum that stays within bounds.  The test leaves out two blocks. */
#include "troupe_short.h"

TR_PROTOCOL(counter, add, reset);

struct add {
    int by;
};
TR_MESSAGE(add);
TR_SIGNAL(reset);

struct counter {
    int sum;
};

TR_HANDLER(counter, add)
{
    if (msg->by < 0)
        return;
    self->sum += msg->by;
    if (self->sum > 1000)
        self->sum = 1000;
}

TR_HANDLER(counter, reset)
{
    self->sum = 0;
}

TR_BEHAVIOUR(counter, open, TR_ON(add, counter_add),
             TR_ON(reset, counter_reset));
TR_CLASS(counter, .start = &counter_open);

TR_SYSTEM(counting)
{
    counter_ref c = spawn(counter);
    expose(c);
}

TR_TEST(adds)
{
    counter_ref c = spawn(counter);
    send(c, add, .by = 1);
    send(c, add, .by = 2);
    drain();
}

TR_TEST(resets)
{
    counter_ref c = spawn(counter);
    send(c, add, .by = 3);
    send(c, reset);
    drain();
}
