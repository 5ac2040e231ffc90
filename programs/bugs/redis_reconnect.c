/* redis-reconnect: answers of the old connection to questions of the new.
 *
 * Source: Fyrie Redis (Bita's FR1 bugs), rebuilt from its description: replies
 * are matched to requests by position, across a reconnect.
 *
 * The test sends go to the client and to the net.  The client gets keys 1 and
 * 2, after key 1 also key 3, and asks again for what failed.  The connection
 * keeps the keys it has asked the server for in a queue, and gives each reply
 * to the oldest of them.  When the net drops it, it tells the client that all
 * pending keys failed, empties the queue and is in its next epoch; replies of
 * the old epoch still in flight are then matched to new keys.
 *
 * Repaired: replies of another epoch are dropped.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (any reorders replies of one epoch)
 * Oracle: the value of key k is 10k.
 * Find it: troupe explore programs/bugs/redis_reconnect.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 4 };

TR_PROTOCOL(server, query);
TR_PROTOCOL(connection, fetch, answer, cut);
TR_PROTOCOL(client, go, value, failed);
TR_PROTOCOL(net, go);

TR_SIGNAL(go);
struct fetch { /* to the connection */
    int key;
    client_ref from;
};
TR_MESSAGE(fetch);
struct answer {
    int value, epoch;
};
TR_MESSAGE(answer);
TR_SIGNAL(cut);
struct query { /* to the server */
    int key, epoch;
    connection_ref from;
};
TR_MESSAGE(query);
struct value { /* to the client */
    int key, value;
};
TR_MESSAGE(value);
struct failed {
    int key;
};
TR_MESSAGE(failed);

TR_STATELESS(server);

TR_HANDLER(server, query)
{
    send(msg->from, answer, .value = 10 * msg->key, .epoch = msg->epoch);
}

TR_BEHAVIOUR(server, open, TR_ON(query, server_query));
TR_CLASS(server, .start = &server_open);

struct connection {
    server_ref server;
    client_ref client;
    int epoch;
    int n, pending[MAX]; /* keys, oldest first */
};

TR_HANDLER(connection, fetch)
{
    assert(self->n < MAX);
    self->client = msg->from;
    self->pending[self->n++] = msg->key;
    send(self->server, query, .key = msg->key, .epoch = self->epoch,
         .from = me(connection));
}

static int oldest(struct connection *self)
{
    int key = self->pending[0];
    self->n--;
    for (int i = 0; i < self->n; i++)
        self->pending[i] = self->pending[i + 1];
    self->pending[self->n] = 0;
    return key;
}

TR_HANDLER(connection, answer)
{
    if (self->n == 0 || (repaired && msg->epoch != self->epoch))
        return;
    send(self->client, value, .key = oldest(self), .value = msg->value);
}

TR_HANDLER(connection, cut)
{
    self->epoch++;
    while (self->n > 0)
        send(self->client, failed, .key = oldest(self));
}

TR_BEHAVIOUR(connection, open, TR_ON(fetch, connection_fetch),
             TR_ON(answer, connection_answer), TR_ON(cut, connection_cut));
TR_CLASS(connection, .start = &connection_open);

struct client {
    connection_ref connection;
};

TR_HANDLER(client, go)
{
    send(self->connection, fetch, .key = 1, .from = me(client));
    send(self->connection, fetch, .key = 2, .from = me(client));
}

TR_HANDLER(client, value)
{
    assert(msg->value == 10 * msg->key);
    if (msg->key == 1)
        send(self->connection, fetch, .key = 3, .from = me(client));
}

TR_HANDLER(client, failed)
{
    send(self->connection, fetch, .key = msg->key, .from = me(client));
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(value, client_value),
             TR_ON(failed, client_failed));
TR_CLASS(client, .start = &client_open);

struct net {
    connection_ref connection;
};

TR_HANDLER(net, go)
{
    send(self->connection, cut);
}

TR_BEHAVIOUR(net, open, TR_ON(go, net_go));
TR_CLASS(net, .start = &net_open);

TR_SYSTEM(redis)
{
    server_ref server = spawn(server);
    connection_ref connection = spawn(connection, .server = server);
    client_ref client = spawn(client, .connection = connection);
    net_ref net = spawn(net, .connection = connection);
    expose(client);
    expose(net);
}

TR_TEST(redis_reconnect)
{
    server_ref server = spawn(server);
    connection_ref connection = spawn(connection, .server = server);
    client_ref client = spawn(client, .connection = connection);
    net_ref net = spawn(net, .connection = connection);
    send(client, go);
    send(net, go);
    drain();
}
