// Time limits, timers, choices, actors that have stopped or that name each other,
// an index that leaves its array.
#include <troupe_short.h>

struct val {
    int v;
};
struct fetch {
    int n;
};
TR_REQUEST(fetch, val);
struct want {
    int n;
};
TR_REQUEST(want, val);
struct toss {
    int n;
};
TR_REQUEST(toss, val);
struct wake {
    int n;
};
TR_REQUEST(wake, val);
struct put {
    int at;
};
TR_MESSAGE(put);
TR_SIGNAL(tick);
TR_SIGNAL(halt);
TR_SIGNAL(ping);
TR_SIGNAL(pong);
TR_PROTOCOL(store, fetch, ping);
TR_PROTOCOL(man, want, toss, wake, tick, halt, put, ping, pong);

struct store {
    int n;
    man_ref owner;
};
TR_HANDLER(store, fetch) // does not always answer
{
    if (msg->n > self->n)
        return;
    self->n -= msg->n;
    reply(fetch, .v = self->n);
}
TR_HANDLER(store, ping)
{
    send(self->owner, pong);
}
TR_BEHAVIOUR(store, on, TR_ON(fetch, store_fetch), TR_ON(ping, store_ping));
TR_CLASS(store, .start = &store_on);

struct man {
    store_ref store;
    int lost, got, ticks, mode, slots[3];
    tr_timer timer;
};
TR_HANDLER(man, want)
{
    const struct val *v =
        await(ask_within(100, self->store, fetch, .n = msg->n));
    if (!v)
        self->lost++;
    reply(want, .v = v ? v->v : -1);
}
TR_HANDLER(man, toss)
{
    uint32_t a = choose(6), b = choose(6);
    if (a + b == 10)
        self->got = 10;
    else if (a == 7)
        self->got = 7;
    reply(toss, .v = (int)(a * 10 + b));
}
TR_HANDLER(man, wake)
{
    self->ticks = 0;
    self->timer = send_after(10, me(man), tick);
    await_until(self->ticks > 0 || self->mode == 3);
    if (self->mode == 3) {
        cancel(self->timer);
        reply(wake, .v = -1);
    } else {
        reply(wake, .v = self->ticks);
    }
}
TR_HANDLER(man, tick)
{
    self->ticks++;
}
TR_HANDLER(man, halt)
{
    self->mode = 3;
}
TR_HANDLER(man, put)
{
    self->slots[msg->at] = 1;
}
TR_HANDLER(man, ping) // the store answers whom its own state names
{
    send(self->store, ping);
}
TR_HANDLER(man, pong)
{
    self->got++;
}
TR_BEHAVIOUR(man, on, TR_ON(want, man_want), TR_ON(toss, man_toss),
             TR_ON(wake, man_wake), TR_ON(tick, man_tick), TR_ON(halt, man_halt),
             TR_ON(put, man_put), TR_ON(ping, man_ping), TR_ON(pong, man_pong));
TR_CLASS(man, .start = &man_on);
