/* A test in C++20 that explores by itself. */
#include <troupe.h>

#include <cassert>

struct add {
    int n;
};
TR_MESSAGE(add);
TR_PROTOCOL(counter, add);
TR_PROTOCOL(sender, add);

struct counter {
    int *sum;
    int total;
};
TR_HANDLER(counter, add)
{
#ifdef NEW
    if (!self->sum)
        self->sum = new int(0);
    *self->sum += msg->n;
#endif
    self->total += msg->n;
}
TR_FINI(counter)
{
#ifdef NEW
    delete self->sum;
#endif
}
TR_BEHAVIOUR(counter, on, TR_ON(add, counter_add));
TR_CLASS(counter, .start = &counter_on, .fini = counter_fini_);

struct sender {
    counter_ref to;
};
TR_HANDLER(sender, add)
{
    tr_forward(ctx, self->to, add, msg);
}
TR_BEHAVIOUR(sender, on, TR_ON(add, sender_add));
TR_CLASS(sender, .start = &sender_on);

TR_TEST(counts, .explore = "pair")
{
    counter_ref c = tr_spawn(ctx, counter);
    for (int i = 1; i <= 3; i++) {
        sender_ref s = tr_spawn(ctx, sender, .to = c);
        tr_send(ctx, s, add, .n = i);
    }
    tr_drain_(ctx);
    assert(tr_peek(ctx, counter, c)->total == 6);
}
