/* Timers that bring the same message, and the limits of two asks: a case must
 * say which of them fires.  The client's second limit may pass first only if
 * the first ask is much older; its timers of one name are told apart by number.
 * Bugs: assertion
 */
#include "troupe_short.h"

#include <assert.h>

struct answer {
    int v;
};
TR_PROTOCOL(server, ask_it);
TR_PROTOCOL(client, a, b, tick);
struct ask_it {
    int v;
};
TR_REQUEST(ask_it, answer);
TR_SIGNAL(a);
TR_SIGNAL(b);
struct tick {
    int nr;
};
TR_MESSAGE(tick);

struct server {
    int n;
};
TR_HANDLER(server, ask_it)
{
    if (++self->n > 9)
        reply(ask_it, .v = msg->v);
}
TR_BEHAVIOUR(server, open, TR_ON(ask_it, server_ask_it));
TR_CLASS(server, .start = &server_open);

struct client {
    server_ref server;
    int last, limits;
};
TR_HANDLER(client, a)
{
    send_after(50, me(client), tick, .nr = 1);
    send_after(90, me(client), tick, .nr = 2);
    if (!await(ask_within(70, self->server, ask_it)))
        self->limits = self->limits * 10 + 1;
}
TR_HANDLER(client, b)
{
    send_after(20, me(client), tick, .nr = 3);
    if (!await(ask_within(40, self->server, ask_it)))
        self->limits = self->limits * 10 + 2;
    assert(self->limits != 12 || self->last != 3);
}
TR_HANDLER(client, tick)
{
    self->last = msg->nr;
}
TR_BEHAVIOUR(client, open, TR_ON(a, client_a), TR_ON(b, client_b),
             TR_ON(tick, client_tick));
TR_CLASS(client, .start = &client_open);

TR_TEST(timers_of_one_name)
{
    server_ref s = spawn(server);
    client_ref c = spawn(client, .server = s);
    send(c, a);
    send(c, b);
}
