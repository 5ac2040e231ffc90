// Counting: one actor sends a increments to another, then asks for the sum.
#include "bench.h"

TR_PROTOCOL(counter, increment, retrieve);
TR_PROTOCOL(producer, go, total);
TR_SIGNAL(increment);
TR_SIGNAL(go);
struct retrieve {
    producer_ref by;
};
TR_MESSAGE(retrieve);
struct total {
    int64_t n;
};
TR_MESSAGE(total);

struct counter {
    int64_t n;
};
TR_HANDLER(counter, increment)
{
    self->n++;
}
TR_HANDLER(counter, retrieve)
{
    send(msg->by, total, .n = self->n);
}
TR_BEHAVIOUR(counter, on, TR_ON(increment, counter_increment),
             TR_ON(retrieve, counter_retrieve));
TR_CLASS(counter, .start = &counter_on);

struct producer {
    counter_ref counter;
    int64_t n;
};
TR_HANDLER(producer, go)
{
    for (int64_t i = 0; i < self->n; i++)
        send(self->counter, increment);
    send(self->counter, retrieve, .by = me(producer));
}
TR_HANDLER(producer, total)
{
    if (msg->n != self->n)
        abort();
}
TR_BEHAVIOUR(producer, on, TR_ON(go, producer_go),
             TR_ON(total, producer_total));
TR_CLASS(producer, .start = &producer_on);

TR_SYSTEM(counting)
{
    counter_ref c = spawn(counter);
    producer_ref p = spawn(producer, .counter = c, .n = param("a", 0));
    send(p, go);
}

BENCH_MAIN("counting", counting, 1000000, 0, a + 2)
