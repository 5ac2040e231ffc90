/* Lines that cannot be reached, each with a twin that can: wraps, other creators,
 * other senders, messages from outside, what happens during a wait. */
#include "troupe_short.h"
#include <stdbool.h>
#include <stdint.h>

TR_PROTOCOL(store, put, check);
TR_PROTOCOL(inner, level, price, quote);
TR_PROTOCOL(outer, start, level, mode, buy, waits, poke, late);
struct put {
    int v;
};
TR_MESSAGE(put);
TR_SIGNAL(check);
struct level {
    int v;
};
TR_MESSAGE(level);
struct price {
    int v;
};
TR_MESSAGE(price);
struct quoted {
    int v, w;
};
struct quote {
    int n;
};
TR_REQUEST(quote, quoted);
TR_SIGNAL(start);
struct mode {
    int v;
};
TR_MESSAGE(mode);
struct buy {
    int n;
};
TR_MESSAGE(buy);
TR_SIGNAL(waits);
TR_SIGNAL(poke);
TR_SIGNAL(late);

/* ---- numbers that wrap, two creators --------------------------------------- */
struct store {
    uint32_t steps;
    uint8_t bytes;
    int kind, low, high, seen;
};
TR_HANDLER(store, put)
{
    self->steps += 2;
    self->bytes += 3;
    if (msg->v >= 0 && msg->v <= 9)
        self->low = msg->v;
    if (msg->v >= 0 && msg->v <= 12)
        self->high = msg->v;
    if (self->steps % 2)
        self->seen = 1; // NEVER: steps are even
    if (self->bytes % 3 == 1)
        self->seen = 2; // TWIN: after 86 messages, 258 is 2 of 8 bits
}
TR_HANDLER(store, check)
{
    if (self->low > 9)
        self->seen = 3; // NEVER: low is at most 9
    if (self->high > 9)
        self->seen = 4; // TWIN
    if (self->kind == 4)
        self->seen = 5; // NEVER: kinds are 1, 2 and 3
    if (self->kind == 3)
        self->seen = 6; // TWIN: made by a handler
}
TR_BEHAVIOUR(store, open, TR_ON(put, store_put), TR_ON(check, store_check));
TR_CLASS(store, .start = &store_open);

/* ---- messages from inside and from outside --------------------------------- */
struct inner {
    int seen, top;
};
TR_HANDLER(inner, level)
{
    if (msg->v > 100)
        self->seen = 1; // NEVER: outer sends up to 100
    if (msg->v == 100)
        self->seen = 2; // TWIN
}
TR_HANDLER(inner, price)
{
    if (msg->v < 0)
        self->seen = 3; // TWIN: the late one is sent by a timer
    if (msg->v < -5)
        self->seen = 4; // NEVER: -5 is the least
}
TR_HANDLER(inner, quote)
{
    if (self->top < 7)
        self->top++;
    reply(quote, .v = self->top, .w = msg->n & 15);
}
TR_BEHAVIOUR(inner, open, TR_ON(level, inner_level), TR_ON(price, inner_price),
             TR_ON(quote, inner_quote));
TR_CLASS(inner, .start = &inner_open);

TR_STATES(outer, idle, busy);
struct outer {
    inner_ref inner;
    store_ref made;
    int mode, pokes, seen;
    bool begun;
};
TR_HANDLER(outer, start)
{
    self->begun = true;
    self->made = spawn(store, .kind = 3);
    send(self->made, check);
    become(outer, busy);
}
TR_HANDLER(outer, level)
{
    if (msg->v <= 100)
        send(self->inner, level, .v = msg->v);
    if (msg->v > 100)
        self->seen = 1; // TWIN: from outside anything comes
}
TR_HANDLER_AS(outer_busy_level, outer, level)
{
    if (!self->begun)
        self->seen = 2; // NEVER: busy comes after start
    if (self->mode == 2)
        self->seen = 3; // TWIN: set while idle
}
TR_HANDLER(outer, mode)
{
    if (msg->v == 1 || msg->v == 2)
        self->mode = msg->v;
    if (self->mode == 3)
        self->seen = 4; // NEVER
}
TR_HANDLER(outer, buy)
{
    const struct quoted *q = await(ask(self->inner, quote, .n = msg->n));
    if (q && q->v > 7)
        self->seen = 5; // NEVER: top stops at 7
    if (q && q->v == 7)
        self->seen = 6; // TWIN
    if (q && q->w > 15)
        self->seen = 7; // NEVER: four bits
}
TR_HANDLER(outer, waits)
{
    int before = self->pokes;
    const struct quoted *q = get(ask(self->inner, quote));
    if (q && self->pokes != before)
        self->seen = 8; // NEVER: get lets nobody in
    q = await(ask(self->inner, quote));
    if (q && self->pokes != before)
        self->seen = 9; // TWIN: await does
}
TR_HANDLER(outer, poke)
{
    self->pokes++;
}
TR_HANDLER(outer, late)
{
    send_after(10, self->inner, price, .v = -5);
    tr_timer t = send_after(20, self->inner, price, .v = -9);
    cancel(t);
}
TR_BEHAVIOUR(outer, idle, TR_ON(start, outer_start), TR_ON(level, outer_level),
             TR_ON(mode, outer_mode), TR_ON(buy, outer_buy),
             TR_ON(waits, outer_waits), TR_ON(poke, outer_poke),
             TR_ON(late, outer_late));
TR_BEHAVIOUR(outer, busy, TR_IGNORE(start), TR_ON(level, outer_busy_level),
             TR_ON(mode, outer_mode), TR_ON(buy, outer_buy),
             TR_ON(waits, outer_waits), TR_ON(poke, outer_poke),
             TR_ON(late, outer_late));
TR_CLASS(outer, .start = &outer_idle);

TR_SYSTEM(shop)
{
    inner_ref inner = spawn(inner);
    outer_ref outer = spawn(outer, .inner = inner);
    store_ref one = spawn(store, .kind = 1), two = spawn(store, .kind = 2);
    expose(outer);
    expose(one);
    expose(two);
}
