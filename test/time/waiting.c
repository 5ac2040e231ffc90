/* Who waits for ever although timers go on, and who may be helped by one tick
 * more than the bound allows. */
#include "troupe_short.h"

#include <assert.h>

struct answer {
    int v;
};
struct question {
    int v;
};
TR_REQUEST(question, answer);
TR_SIGNAL(tick);
TR_SIGNAL(go);

TR_STATES(server, busy, ready);
TR_PROTOCOL(server, question, tick);
struct server {
    int ticks, ready_after; // 0: never
};
TR_HANDLER(server, question)
{
    reply(question, .v = 1);
}
TR_HANDLER(server, tick)
{
    if (self->ready_after && ++self->ticks == self->ready_after)
        become(server, ready);
}
TR_BEHAVIOUR(server, busy, TR_DEFER(question), TR_ON(tick, server_tick));
TR_BEHAVIOUR(server, ready, TR_ON(question, server_question), TR_IGNORE(tick));
TR_INIT(server)
{
    every(10, me(server), tick);
}
TR_CLASS(server, .start = &server_busy, .init = server_init_);

TR_PROTOCOL(client, go, tick);
struct client {
    server_ref server;
    int ticks, wants; // 0: asks the server
};
TR_HANDLER(client, go)
{
    if (self->wants)
        await_until(self->ticks == self->wants);
    else
        get(ask(self->server, question));
}
TR_HANDLER(client, tick)
{
    if (self->ticks < 9)
        self->ticks++;
}
TR_BEHAVIOUR(client, on, TR_ON(go, client_go), TR_ON(tick, client_tick));
TR_INIT(client)
{
    if (self->wants)
        every(10, me(client), tick);
}
TR_CLASS(client, .start = &client_on, .init = client_init_);

TR_TEST(never_ready)
{
    server_ref s = spawn(server);
    send(spawn(client, .server = s), go);
}
TR_TEST(ready_later)
{
    server_ref s = spawn(server, .ready_after = 5);
    send(spawn(client, .server = s), go);
}
TR_TEST(condition_never)
{
    send(spawn(client, .wants = 20), go);
}
TR_TEST(condition_later)
{
    send(spawn(client, .wants = 7), go);
}

/* A body that asks: the reply comes after more ticks than the bound allows. */
TR_TEST(late_for_the_body)
{
    assert(get(ask(spawn(server, .ready_after = 5), question)));
}
TR_TEST(never_for_the_body)
{
    get(ask(spawn(server), question));
}
