/* bank-two-routes: a withdrawal overtakes the deposit that covers it.
 *
 * Source: the running example of TAP (Li, Hariri, Agha), with the routes made
 * explicit so that it fails under ordered channels too.
 *
 * The test sends deposit(x) and withdraw(y) to the client, which mirrors the
 * balance (100 at first), drops what is not in 1..20000 or not covered, and
 * sends large deposits through audit, large withdrawals through risk, the rest
 * straight to the server.  The server's own balance must never be negative.
 * With 100 < y <= 100 + x the withdrawal may come first: under pair if x >
 * 10000 or y > 5000 (else both travel on one channel), under mailbox if x >
 * 10000 (a direct deposit is in the server's queue at once).
 *
 * Repaired: both always go straight to the server.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (any reorders the one channel)
 * Oracle: the balance is not negative.
 * Parameters x, y: the amounts (15000, 12000).
 * Find it: troupe explore programs/bugs/bank_two_routes.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(server, deposit, withdraw);
TR_PROTOCOL(audit, deposit);
TR_PROTOCOL(risk, withdraw);
TR_PROTOCOL(client, deposit, withdraw);

struct deposit {
    int32_t amount;
};
TR_MESSAGE(deposit);
struct withdraw {
    int32_t amount;
};
TR_MESSAGE(withdraw);

struct server {
    int32_t balance;
};

TR_HANDLER(server, deposit)
{
    self->balance += msg->amount;
    assert(self->balance >= 0);
}

TR_HANDLER(server, withdraw)
{
    self->balance -= msg->amount;
    assert(self->balance >= 0);
}

TR_BEHAVIOUR(server, open, TR_ON(deposit, server_deposit),
             TR_ON(withdraw, server_withdraw));
TR_CLASS(server, .start = &server_open);

struct audit {
    server_ref server;
};

TR_HANDLER(audit, deposit)
{
    forward(self->server, deposit);
}

TR_BEHAVIOUR(audit, open, TR_ON(deposit, audit_deposit));
TR_CLASS(audit, .start = &audit_open);

struct risk {
    server_ref server;
};

TR_HANDLER(risk, withdraw)
{
    forward(self->server, withdraw);
}

TR_BEHAVIOUR(risk, open, TR_ON(withdraw, risk_withdraw));
TR_CLASS(risk, .start = &risk_open);

struct client {
    int32_t mirror; /* the server's balance when all has arrived */
    audit_ref audit;
    risk_ref risk;
    server_ref server;
};

static bool in_range(int32_t amount)
{
    return amount >= 1 && amount <= 20000;
}

TR_HANDLER(client, deposit)
{
    if (!in_range(msg->amount))
        return;
    self->mirror += msg->amount;
    if (!repaired && msg->amount > 10000)
        forward(self->audit, deposit);
    else
        forward(self->server, deposit);
}

TR_HANDLER(client, withdraw)
{
    if (!in_range(msg->amount) || msg->amount > self->mirror)
        return;
    self->mirror -= msg->amount;
    if (!repaired && msg->amount > 5000)
        forward(self->risk, withdraw);
    else
        forward(self->server, withdraw);
}

TR_BEHAVIOUR(client, open, TR_ON(deposit, client_deposit),
             TR_ON(withdraw, client_withdraw));
TR_CLASS(client, .start = &client_open);

static client_ref open_account(tr_ctx *ctx)
{
    server_ref server = spawn(server, .balance = 100);
    audit_ref audit = spawn(audit, .server = server);
    risk_ref risk = spawn(risk, .server = server);
    return spawn(client, .mirror = 100, .audit = audit, .risk = risk,
                 .server = server);
}

TR_SYSTEM(bank)
{
    client_ref client = open_account(ctx);
    expose(client);
}

TR_TEST(bank_two_routes)
{
    client_ref client = open_account(ctx);
    send(client, deposit, .amount = (int32_t)param("x", 15000));
    send(client, withdraw, .amount = (int32_t)param("y", 12000));
    drain();
}
