// A buyer who asks for a price and pays.  While it waits others may take its
// money: then the assertion fails.
#include <troupe_short.h>

#include <assert.h>
#include <stdlib.h>

struct ok {
    bool done;
};
struct price {
    int cents;
};
struct quote {
    int item;
};
TR_REQUEST(quote, price);
struct buy {
    int item, most;
};
TR_REQUEST(buy, ok);
struct pay {
    int amount;
};
TR_MESSAGE(pay);
TR_SIGNAL(lock);
TR_SIGNAL(unlock);
TR_PROTOCOL(shop, quote);
TR_PROTOCOL(man, buy, pay, lock, unlock);

struct shop {
    int prices[4], asked;
};
TR_HANDLER(shop, quote)
{
    self->asked++;
    if (msg->item < 0 || msg->item >= 4)
        reply(quote, .cents = -1);
    else
        reply(quote, .cents = self->prices[msg->item]);
}
TR_BEHAVIOUR(shop, open, TR_ON(quote, shop_quote));
TR_CLASS(shop, .start = &shop_open);

struct note {
    int item;
    struct note *next;
};
struct man {
    shop_ref shop;
    int money;
    struct note *bought;
};
TR_STATES(man, locked, free);
TR_HANDLER(man, buy)
{
    int before = self->money;
    const struct price *p = await(ask(self->shop, quote, .item = msg->item));
    if (p->cents < 0 || p->cents > msg->most || before < p->cents) {
        reply(buy, .done = false);
        return;
    }
    self->money -= p->cents;
    assert(self->money >= 0);
    struct note *n = malloc(sizeof *n);
    n->item = msg->item;
    n->next = self->bought;
    if (n->next && n->next->item == n->item)
        self->money++; // a second one is cheaper
    self->bought = n;
    reply(buy, .done = true);
}
TR_HANDLER(man, pay)
{
    self->money -= msg->amount;
}
TR_HANDLER(man, lock)
{
    become(man, locked);
}
TR_HANDLER(man, unlock)
{
    become(man, free);
}
TR_BEHAVIOUR(man, free, TR_ON(buy, man_buy), TR_ON(pay, man_pay),
             TR_ON(lock, man_lock), TR_IGNORE(unlock));
TR_BEHAVIOUR(man, locked, TR_DEFER(buy), TR_DEFER(pay), TR_IGNORE(lock),
             TR_ON(unlock, man_unlock));
TR_CLASS(man, .start = &man_free);
