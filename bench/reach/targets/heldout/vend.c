/* A vending machine: enum protocol, coins, stock, a table of function pointers
 * in a struct. */
#include "troupe_short.h"
#include <stdint.h>
#include <stdbool.h>
enum coin { PENNY = 1, NICKEL = 5, DIME = 10, QUARTER = 25 };
TR_PROTOCOL(vend, insert, choose_item, refund, service);
struct insert {
    enum coin coin;
};
TR_MESSAGE(insert);
struct choose_item {
    char row;
    uint8_t column;
};
TR_MESSAGE(choose_item);
TR_SIGNAL(refund);
struct service {
    uint32_t pin;
    uint8_t op;
    int16_t arg;
};
TR_MESSAGE(service);
struct vend;
struct ops {
    const char *name;
    int (*run)(struct vend *, int);
};
struct vend {
    int credit, till;
    uint8_t stock[3][4];
    uint16_t price[3];
    bool locked;
    int tries, seen;
};
static int op_fill(struct vend *v, int a)
{
    int n = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            if (v->stock[r][c] < a) {
                v->stock[r][c] = (uint8_t)a;
                n++;
            }
    return n;
}
static int op_price(struct vend *v, int a)
{
    if (a < 5 || a > 400)
        return -1;
    v->price[a % 3] = (uint16_t)a;
    return a;
}
static int op_empty(struct vend *v, int a)
{
    int t = v->till;
    if (a != 1)
        return 0;
    v->till = 0;
    return t;
}
static const struct ops ops[] = {
    {"fill", op_fill}, {"price", op_price}, {"empty", op_empty}};
TR_INIT(vend)
{
    self->price[0] = 50;
    self->price[1] = 75;
    self->price[2] = 120;
    op_fill(self, 2);
}
TR_HANDLER(vend, insert)
{
    switch (msg->coin) {
    case PENNY:
    case NICKEL:
    case DIME:
    case QUARTER:
        self->credit += msg->coin;
        break;
    default:
        self->seen = 1; // TARGET slug: reachable
        return;
    }
    if (self->credit == 41)
        self->seen = 2; // TARGET forty_one: reachable
}
TR_HANDLER(vend, choose_item)
{
    int r = msg->row - 'A';
    if (r < 0 || r > 2 || msg->column > 3 || self->locked)
        return;
    if (self->credit < self->price[r])
        return;
    if (!self->stock[r][msg->column]) {
        self->seen = 3; // TARGET sold_out: reachable
        return;
    }
    self->stock[r][msg->column]--;
    self->till += self->price[r];
    self->credit -= self->price[r];
    if (self->till == 240 && r == 2)
        self->seen = 4; // TARGET two_dear: reachable
    if (self->credit < 0)
        self->seen = 5; // TARGET debt: impossible, it had the price
}
TR_HANDLER(vend, refund)
{
    int c = self->credit, coins = 0;
    static const int worth[] = {25, 10, 5, 1};
    for (int i = 0; i < 4; i++)
        while (c >= worth[i]) {
            c -= worth[i];
            coins++;
        }
    if (coins == 7 && self->credit < 50)
        self->seen = 6; // TARGET seven_coins: reachable
    self->credit = 0;
}
TR_HANDLER(vend, service)
{
    if (msg->pin * 2654435761u >> 16 != 0xbeef) {
        if (++self->tries >= 3)
            self->locked = true;
        return;
    }
    if (self->locked)
        self->seen = 7; // TARGET unlock: reachable
    self->locked = false;
    if (msg->op >= 3)
        return;
    int got = ops[msg->op].run(self, msg->arg);
    if (got == 12)
        self->seen = 8; // TARGET twelve_filled: reachable
    if (ops[msg->op].run == op_empty && got > 100)
        self->seen = 9; // TARGET emptied: reachable
}
TR_BEHAVIOUR(vend, open, TR_ON(insert), TR_ON(choose_item), TR_ON(refund),
             TR_ON(service));
TR_CLASS(vend, .start = &vend_open, .init = vend_init_);
TR_SYSTEM(hall)
{
    vend_ref v = spawn(vend);
    expose(v);
}

TR_TEST(slug)
{
    vend_ref x = spawn(vend);
    send(x, insert, .coin = (enum coin)3);
    drain();
}
TR_TEST(forty_one)
{
    vend_ref x = spawn(vend);
    send(x, insert, .coin = QUARTER);
    send(x, insert, .coin = DIME);
    send(x, insert, .coin = NICKEL);
    send(x, insert, .coin = PENNY);
    drain();
}
TR_TEST(sold_out)
{
    vend_ref x = spawn(vend);
    for (int i = 0; i < 6; i++)
        send(x, insert, .coin = QUARTER);
    send(x, choose_item, .row = 'A', .column = 0);
    send(x, choose_item, .row = 'A', .column = 0);
    send(x, choose_item, .row = 'A', .column = 0);
    drain();
}
TR_TEST(two_dear)
{
    vend_ref x = spawn(vend);
    for (int i = 0; i < 10; i++)
        send(x, insert, .coin = QUARTER);
    send(x, choose_item, .row = 'C', .column = 0);
    send(x, choose_item, .row = 'C', .column = 0);
    drain();
}
TR_TEST(seven_coins)
{
    vend_ref x = spawn(vend);
    send(x, insert, .coin = QUARTER);
    send(x, insert, .coin = DIME);
    send(x, insert, .coin = NICKEL);
    for (int i = 0; i < 4; i++)
        send(x, insert, .coin = PENNY);
    send(x, refund);
    drain();
}
TR_TEST(unlock)
{
    vend_ref x = spawn(vend);
    for (int i = 0; i < 3; i++)
        send(x, service);
    send(x, service, .pin = 0x4a9f0000u, .op = 9, .arg = 0);
    drain();
}
TR_TEST(twelve_filled)
{
    vend_ref x = spawn(vend);
    send(x, service, .pin = 0x4a9f0000u, .op = 0, .arg = 3);
    drain();
}
TR_TEST(emptied)
{
    vend_ref x = spawn(vend);
    for (int i = 0; i < 5; i++)
        send(x, insert, .coin = QUARTER);
    send(x, choose_item, .row = 'C', .column = 0);
    send(x, service, .pin = 0x4a9f0000u, .op = 2, .arg = 1);
    drain();
}
