/* replica-read: a bank that reads what it wrote, too early.
 *
 * Source: read-your-writes lost to asynchronous replication, the stale read
 * that Jepsen-style tests keep finding.
 *
 * The test sends go to two clients, who ask the bank for 60 and for 30.  The
 * bank serves one request at a time: it reads the balance (100) from the
 * replica and, if it suffices, writes the new balance to the primary; on write
 * ok it has paid.  The primary answers at once and replicates meanwhile: the
 * next read may reach the replica before the replication does.
 *
 * Repaired: the replica acknowledges, and the primary answers only then.
 *
 * Kind of bug: assertion
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: the primary's balance and what was paid make 100.
 * Parameters a, b: the amounts (60, 30).
 * Find it: troupe explore programs/bugs/replica_read.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(replica, read, replicate);
TR_PROTOCOL(primary, write, replicated);
TR_PROTOCOL(bank, withdraw, value, write_ok);
TR_PROTOCOL(client, go, paid, refused);

TR_SIGNAL(go); /* to a client */
TR_SIGNAL(paid);
TR_SIGNAL(refused);
struct withdraw { /* to the bank */
    int amount;
    client_ref from;
};
TR_MESSAGE(withdraw);
struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(write_ok);
struct read { /* to the replica */
    bank_ref from;
};
TR_MESSAGE(read);
struct replicate {
    int v;
    primary_ref from;
};
TR_MESSAGE(replicate);
struct write { /* to the primary */
    int v;
    bank_ref from;
};
TR_MESSAGE(write);
TR_SIGNAL(replicated);

struct replica {
    int v;
};

TR_HANDLER(replica, read)
{
    send(msg->from, value, .v = self->v);
}

TR_HANDLER(replica, replicate)
{
    self->v = msg->v;
    if (repaired)
        send(msg->from, replicated);
}

TR_BEHAVIOUR(replica, open, TR_ON(read, replica_read),
             TR_ON(replicate, replica_replicate));
TR_CLASS(replica, .start = &replica_open);

struct primary {
    int v;
    replica_ref replica;
    bank_ref bank; /* who waits for write ok */
};

TR_HANDLER(primary, write)
{
    self->v = msg->v;
    self->bank = msg->from;
    send(self->replica, replicate, .v = msg->v, .from = me(primary));
    if (!repaired)
        send(self->bank, write_ok);
}

TR_HANDLER(primary, replicated)
{
    send(self->bank, write_ok);
}

TR_BEHAVIOUR(primary, open, TR_ON(write, primary_write),
             TR_ON(replicated, primary_replicated));
TR_CLASS(primary, .start = &primary_open);

struct request {
    int amount;
    client_ref from; /* NULL: no request */
};

struct bank {
    primary_ref primary;
    replica_ref replica;
    struct request now, next; /* two clients: one at most waits */
    int paid;
};

static void serve_next(tr_ctx *ctx, struct bank *self)
{
    self->now = self->next;
    self->next = (struct request){0};
    if (self->now.from)
        send(self->replica, read, .from = me(bank));
}

TR_HANDLER(bank, withdraw)
{
    assert(!self->next.from);
    self->next = (struct request){.amount = msg->amount, .from = msg->from};
    if (!self->now.from)
        serve_next(ctx, self);
}

TR_HANDLER(bank, value)
{
    if (msg->v >= self->now.amount) {
        send(self->primary, write, .v = msg->v - self->now.amount,
             .from = me(bank));
    } else {
        send(self->now.from, refused);
        serve_next(ctx, self);
    }
}

TR_HANDLER(bank, write_ok)
{
    self->paid += self->now.amount;
    send(self->now.from, paid);
    serve_next(ctx, self);
}

TR_BEHAVIOUR(bank, open, TR_ON(withdraw, bank_withdraw),
             TR_ON(value, bank_value), TR_ON(write_ok, bank_write_ok));
TR_CLASS(bank, .start = &bank_open);

struct client {
    bank_ref bank;
    int amount;
};

TR_HANDLER(client, go)
{
    send(self->bank, withdraw, .amount = self->amount, .from = me(client));
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_IGNORE(paid),
             TR_IGNORE(refused));
TR_CLASS(client, .start = &client_open);

TR_SYSTEM(replicated_bank)
{
    replica_ref replica = spawn(replica, .v = 100);
    primary_ref primary = spawn(primary, .v = 100, .replica = replica);
    bank_ref bank = spawn(bank, .primary = primary, .replica = replica);
    client_ref client1 = spawn(client, .bank = bank, .amount = 60);
    client_ref client2 = spawn(client, .bank = bank, .amount = 30);
    expose(client1);
    expose(client2);
}

TR_TEST(replica_read)
{
    int a = (int)param("a", 60), b = (int)param("b", 30);
    replica_ref replica = spawn(replica, .v = 100);
    primary_ref primary = spawn(primary, .v = 100, .replica = replica);
    bank_ref bank = spawn(bank, .primary = primary, .replica = replica);
    client_ref client1 = spawn(client, .bank = bank, .amount = a);
    client_ref client2 = spawn(client, .bank = bank, .amount = b);
    send(client1, go);
    send(client2, go);
    drain();
    int left = peek(primary, primary)->v;
    assert(left + peek(bank, bank)->paid == 100);
}
