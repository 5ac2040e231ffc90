/* A class in C, used from C++. */
#include "words.h"

struct adder {
    int n;
};

TR_HANDLER(adder, add)
{
    self->n += msg->n;
}

TR_HANDLER(adder, total)
{
    tr_reply(ctx, total, .value = self->n * msg->scale);
}

TR_HANDLER(adder, finish)
{
    tr_stop(ctx);
}

TR_BEHAVIOUR(adder, open, TR_ON(add, adder_add), TR_ON(total, adder_total),
             TR_ON(finish, adder_finish));
TR_CLASS(adder, .start = &adder_open);

adder_ref adder_new(tr_ctx *ctx, int start)
{
    return tr_spawn(ctx, adder, .n = start);
}
