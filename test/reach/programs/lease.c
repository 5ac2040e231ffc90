/* Timers of two actors: the one that is due first was set last. */
#include "troupe_short.h"

TR_PROTOCOL(server, acquire, expire);
TR_PROTOCOL(client, begin, granted, lost, renewal);
struct acquire {
    client_ref who;
};
TR_MESSAGE(acquire);
TR_SIGNAL(expire);
TR_SIGNAL(begin);
TR_SIGNAL(granted);
TR_SIGNAL(lost);
TR_SIGNAL(renewal);

struct server {
    client_ref holder;
};

struct client {
    server_ref server;
    bool holds;
};

TR_HANDLER(server, acquire)
{
    self->holder = msg->who;
    send_after(100, me(server), expire);
    send(msg->who, granted);
}

TR_HANDLER(server, expire)
{
    send(self->holder, lost);
}

TR_HANDLER(client, begin)
{
    send(self->server, acquire, .who = me(client));
}

TR_HANDLER(client, granted)
{
    self->holds = true;
    send_after(60, me(client), renewal);
}

TR_HANDLER(client, lost)
{
    self->holds = false;
}

TR_HANDLER(client, renewal)
{
    if (self->holds)
        self->holds = false; // in time
}

TR_BEHAVIOUR(server, open, TR_ON(acquire), TR_ON(expire));
TR_CLASS(server, .start = &server_open);
TR_BEHAVIOUR(client, open, TR_ON(begin), TR_ON(granted), TR_ON(lost),
             TR_ON(renewal));
TR_CLASS(client, .start = &client_open);

TR_SYSTEM(leases)
{
    server_ref s = spawn(server);
    client_ref c = spawn(client, .server = s);
    expose(c);
}
