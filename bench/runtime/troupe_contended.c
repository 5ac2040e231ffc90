// Contended: two actors, one on each thread, send a/2 messages each to a third.
#include "bench.h"

TR_PROTOCOL(counter, increment);
TR_PROTOCOL(producer, go);
TR_SIGNAL(increment);
TR_SIGNAL(go);

struct counter {
    int64_t n;
};
TR_HANDLER(counter, increment)
{
    self->n++;
}
TR_BEHAVIOUR(counter, on, TR_ON(increment, counter_increment));
TR_CLASS(counter, .start = &counter_on);

struct producer {
    counter_ref counter;
    int64_t n;
};
TR_HANDLER(producer, go)
{
    for (int64_t i = 0; i < self->n; i++)
        send(self->counter, increment);
}
TR_BEHAVIOUR(producer, on, TR_ON(go, producer_go));
TR_CLASS(producer, .start = &producer_on);

TR_SYSTEM(contended)
{
    counter_ref c = spawn(counter);
    for (int i = 0; i < 2; i++)
        send(spawn(producer, .counter = c, .n = param("a", 0) / 2), go);
}

BENCH_MAIN("contended", contended, 1000000, 0, a)
