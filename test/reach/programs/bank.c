/* The bank of the TAP paper: a client passes on what it is told.  The server's
 * assertion fails only if withdraw overtakes deposit. */
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(server, deposit, withdraw);
TR_PROTOCOL(client, deposit, withdraw);

struct deposit {
    double amount;
};
TR_MESSAGE(deposit);
struct withdraw {
    double amount;
};
TR_MESSAGE(withdraw);

struct server {
    double balance;
};

TR_HANDLER(server, deposit)
{
    self->balance += msg->amount;
}

TR_HANDLER(server, withdraw)
{
    assert(self->balance >= msg->amount);
    self->balance -= msg->amount;
}

TR_BEHAVIOUR(server, open, TR_ON(deposit, server_deposit),
             TR_ON(withdraw, server_withdraw));
TR_CLASS(server, .start = &server_open);

struct client {
    double balance;
    server_ref server;
};

TR_HANDLER(client, deposit)
{
    if (!(msg->amount > 0) || msg->amount > 1e6)
        return;
    self->balance += msg->amount;
    send(self->server, deposit, .amount = msg->amount);
}

TR_HANDLER(client, withdraw)
{
    if (!(msg->amount > 0) || msg->amount > self->balance)
        return;
    self->balance -= msg->amount;
    send(self->server, withdraw, .amount = msg->amount);
}

TR_BEHAVIOUR(client, open, TR_ON(deposit, client_deposit),
             TR_ON(withdraw, client_withdraw));
TR_CLASS(client, .start = &client_open);

TR_SYSTEM(bank)
{
    server_ref server = spawn(server, .balance = 100);
    client_ref client = spawn(client, .balance = 100, .server = server);
    expose(client);
}
