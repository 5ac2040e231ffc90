/* A bank account in two places: the client keeps a copy of the balance and
 * tells the server of every change.  The server trusts the client never to
 * withdraw too much.  That holds as long as messages between the two keep
 * their order; without it, a withdrawal may overtake the deposit that paid for
 * it. */
#include "bank.h"

#include <assert.h>

struct server {
    double balance;
};

TR_HANDLER(server, withdraw)
{
    assert(self->balance >= msg->amount);
    self->balance -= msg->amount;
}

TR_HANDLER(server, deposit)
{
    self->balance += msg->amount;
}

TR_BEHAVIOUR(server, open, TR_ON(deposit, server_deposit),
             TR_ON(withdraw, server_withdraw));
TR_CLASS(server, .start = &server_open);

struct client {
    double balance;
    server_ref server;
};

TR_HANDLER(client, withdraw)
{
    if (self->balance >= msg->amount) {
        self->balance -= msg->amount;
        forward(self->server, withdraw);
    }
}

TR_HANDLER(client, deposit)
{
    self->balance += msg->amount;
    send(self->server, deposit, .amount = msg->amount);
}

TR_BEHAVIOUR(client, open, TR_ON(deposit, client_deposit),
             TR_ON(withdraw, client_withdraw));
TR_CLASS(client, .start = &client_open);

/* What runs in production, and where test generation starts. */
TR_SYSTEM(bank)
{
    server_ref server = spawn(server, .balance = 100);
    client_ref client = spawn(client, .server = server, .balance = 100);
    expose(client);
}

TR_TEST(deposit_then_withdraw, .timeout_ms = 1000)
{
    server_ref server = spawn(server, .balance = 100);
    client_ref client = spawn(client, .server = server, .balance = 100);
    send(client, deposit, .amount = 50);
    send(client, withdraw, .amount = 120);
    drain();
    assert(peek(server, server)->balance == peek(client, client)->balance);
}

TR_TEST(client_refuses_an_overdraft)
{
    server_ref server = spawn(server, .balance = 100);
    client_ref client = spawn(client, .server = server, .balance = 100);
    send(client, withdraw, .amount = 120);
    drain();
    assert(peek(client, client)->balance == 100);
    assert(peek(server, server)->balance == 100);
}

/* In every order of the messages: a deposit and a withdrawal by two clients. */
TR_TEST(two_clients, .explore = "pair")
{
    server_ref server = spawn(server, .balance = 200);
    client_ref first = spawn(client, .server = server, .balance = 100);
    client_ref second = spawn(client, .server = server, .balance = 100);
    send(first, deposit, .amount = 50);
    send(second, withdraw, .amount = 80);
    send(first, withdraw, .amount = 120);
    drain();
    assert(peek(server, server)->balance == 50);
}

/* Without order between client and server the assertion fails; this test keeps
 * that schedule, and passes because it expects so. */
TR_REPLAY(withdraw_overtakes_deposit, "bank", "any",
          "client deposit<test; client withdraw<test; "
          "server withdraw<client; server deposit<client",
          .expect = "assertion")
{
    client_ref client = receptionist(client, "client");
    send(client, deposit, .amount = 50);
    send(client, withdraw, .amount = 120);
}
