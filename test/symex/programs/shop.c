// A shop that asks its store, waits, makes clerks and changes behaviour.
#include "troupe_short.h"

TR_PROTOCOL(store, take, close);
TR_PROTOCOL(shop, buy, close, wait);
TR_PROTOCOL(clerk, hello);

struct taken {
    int left;
};
struct take {
    int n;
};
TR_REQUEST(take, taken);
struct buy {
    int n;
    store_ref from;
};
TR_MESSAGE(buy);
TR_SIGNAL(close);
TR_SIGNAL(wait);
TR_SIGNAL(hello);

struct store {
    int stock;
};
TR_HANDLER(store, take)
{
    if (msg->n > self->stock)
        reply(take, .left = -1);
    else {
        self->stock -= msg->n;
        reply(take, .left = self->stock);
    }
}
TR_HANDLER(store, close)
{
    stop();
}
TR_BEHAVIOUR(store, open, TR_ON(take, store_take), TR_ON(close, store_close));
TR_CLASS(store, .start = &store_open);

struct clerk {
    int desk, ready;
    shop_ref of;
};
TR_INIT(clerk)
{
    self->ready = self->desk + 1;
    send(self->of, wait);
}
TR_HANDLER(clerk, hello) {}
TR_BEHAVIOUR(clerk, open, TR_ON(hello, clerk_hello));
TR_CLASS(clerk, .start = &clerk_open, .init = clerk_init_);

struct shop {
    int sold;
    clerk_ref clerk;
};
TR_HANDLER(shop, buy)
{
    int before = self->sold;
    const struct taken *t = await(ask(msg->from, take, .n = msg->n));
    if (!t)
        return;
    if (t->left >= 0)
        self->sold += msg->n;
    if (self->sold != before)
        send(me(shop), wait);
}
extern const tr_behaviour shop_closed;
TR_HANDLER(shop, close)
{
    become(shop, closed);
    if (choose(3) == 2)
        self->sold = 0;
}
TR_HANDLER(shop, wait)
{
    self->clerk = spawn(clerk, .desk = self->sold, .of = me(shop));
    send(self->clerk, hello);
}
TR_BEHAVIOUR(shop, open, TR_ON(buy, shop_buy), TR_ON(close, shop_close),
             TR_ON(wait, shop_wait));
TR_BEHAVIOUR(shop, closed, TR_IGNORE(buy), TR_IGNORE(close), TR_IGNORE(wait));
TR_CLASS(shop, .start = &shop_open);
