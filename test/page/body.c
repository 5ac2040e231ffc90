// Two tests: one that passes, and one whose body fails after drain().
#include "troupe_short.h"

#include <assert.h>

TR_SIGNAL(add);
TR_PROTOCOL(counter, add);
struct counter {
    int n;
};
TR_HANDLER(counter, add)
{
    self->n++;
}
TR_BEHAVIOUR(counter, on, TR_ON(add));
TR_CLASS(counter, .start = &counter_on);

TR_TEST(passes)
{
    send(spawn(counter), add);
}

TR_TEST(fails)
{
    counter_ref a = spawn(counter), b = spawn(counter);
    send(a, add);
    send(b, add);
    drain();
    assert(peek(counter, a)->n + peek(counter, b)->n == 3);
}
