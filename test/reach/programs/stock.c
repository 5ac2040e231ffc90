// A row of conditions on what several messages have left: each must be met
// without the others being lost.  And conditions that no message meets, beside
// divisions that have nothing to do with them.
#include "troupe_short.h"

#include <stdint.h>

TR_PROTOCOL(shelf, refill, take, coin, order, done);
struct refill {
    int item, n;
};
TR_MESSAGE(refill);
struct take {
    int item;
};
TR_MESSAGE(take);

struct coin {
    int cents;
};
TR_MESSAGE(coin);
TR_SIGNAL(order);
TR_SIGNAL(done);

TR_STATES(shelf, on, paid);
struct shelf {
    int stock[3], sold, money, seen;
    uint32_t ordered, ready;
};
TR_HANDLER(shelf, refill)
{
    if (msg->item < 0 || msg->item >= 3 || msg->n < 0 || msg->n > 5)
        return;
    if (self->stock[msg->item] + msg->n <= 9)
        self->stock[msg->item] += msg->n;
    if (self->stock[msg->item] > 9)
        self->seen = 4; // too many
    if (self->stock[0] == 9 && self->stock[1] == 9 && self->stock[2] == 9)
        self->seen = 1; // all full
}
TR_HANDLER(shelf, take)
{
    static const int price[3] = {50, 120, 200};
    if (msg->item < 0 || msg->item >= 3 || !self->stock[msg->item])
        return;
    self->stock[msg->item]--;
    self->sold += price[msg->item];
    if (self->sold == 370)
        self->seen = 2; // one of each
}
TR_HANDLER(shelf, coin)
{
    if (msg->cents != 10 && msg->cents != 50 && msg->cents != 100)
        return;
    self->money += msg->cents;
    if (self->money % 7 == 3)
        self->seen = 3;
    become(shelf, paid);
}
TR_HANDLER_AS(shelf_pays, shelf, take)
{
    self->sold += self->money / 3;
    self->money = 0;
    become(shelf, on);
}
TR_HANDLER(shelf, order)
{
    if (self->money)
        self->seen = 5; // paid before
    if (self->ordered - self->ready == 4)
        return;
    self->ordered++;
    if (self->ordered - self->ready > 4)
        self->seen = 6; // five wait
}
TR_HANDLER(shelf, done)
{
    if (self->ordered != self->ready)
        self->ready++;
}
TR_BEHAVIOUR(shelf, on, TR_ON(refill), TR_ON(take), TR_ON(coin), TR_ON(order),
             TR_ON(done));
TR_BEHAVIOUR(shelf, paid, TR_IGNORE(refill), TR_ON(take, shelf_pays),
             TR_ON(coin), TR_DEFER(order), TR_ON(done));
TR_CLASS(shelf, .start = &shelf_on);

TR_SYSTEM(shop)
{
    shelf_ref shelf = spawn(shelf, .stock = {2, 2, 2});
    expose(shelf);
}
