/* A store with front-ends and back-ends: Store(f, b, c, r) of the Eta paper.
 *
 * The test gives request i to client i mod c; the client asks front-end i mod
 * f; the front-end asks back-end (i div 2) mod b; the back-end answers the
 * front-end, and that the client.  Nobody keeps anything: only the orders
 * count.
 *
 * Parameters f, b, c, r: front-ends, back-ends, clients, requests (1 1 1 3).
 * Schedules under mailbox: 1 1 1 3: 1,946; 1 1 2 3: 10,933; 1 2 2 3: 18,275;
 * 2 2 2 3: 82,719; 2 2 3 3: 239,466.
 */
#include "troupe_short.h"
#include <assert.h>

enum { MAX = 8 }; /* front-ends, back-ends */

TR_PROTOCOL(client, request, answer);
TR_PROTOCOL(front, query, result);
TR_PROTOCOL(back, lookup);

struct request {
    int i;
};
TR_MESSAGE(request);
struct query {
    int i;
    client_ref client;
};
TR_MESSAGE(query);
struct lookup {
    int i;
    client_ref client;
    front_ref front;
};
TR_MESSAGE(lookup);
struct result {
    int i;
    client_ref client;
};
TR_MESSAGE(result);
struct answer {
    int i;
};
TR_MESSAGE(answer);

TR_STATELESS(back);

TR_HANDLER(back, lookup)
{
    send(msg->front, result, .i = msg->i, .client = msg->client);
}

TR_BEHAVIOUR(back, open, TR_ON(lookup, back_lookup));
TR_CLASS(back, .start = &back_open);

struct front {
    back_ref back[MAX];
    int backs;
};

TR_HANDLER(front, query)
{
    send(self->back[msg->i / 2 % self->backs], lookup, .i = msg->i,
         .client = msg->client, .front = me(front));
}

TR_HANDLER(front, result)
{
    send(msg->client, answer, .i = msg->i);
}

TR_BEHAVIOUR(front, open, TR_ON(query, front_query),
             TR_ON(result, front_result));
TR_CLASS(front, .start = &front_open);

struct client {
    front_ref front[MAX];
    int fronts;
};

TR_HANDLER(client, request)
{
    send(self->front[msg->i % self->fronts], query, .i = msg->i,
         .client = me(client));
}

TR_BEHAVIOUR(client, open, TR_ON(request, client_request), TR_IGNORE(answer));
TR_CLASS(client, .start = &client_open);

TR_TEST(store)
{
    struct front front = {.backs = (int)param("b", 1)};
    struct client client = {.fronts = (int)param("f", 1)};
    client_ref clients[MAX];
    int c = (int)param("c", 1), r = (int)param("r", 3);
    assert(front.backs <= MAX && client.fronts <= MAX && c <= MAX);
    for (int i = 0; i < front.backs; i++)
        front.back[i] = spawn(back);
    for (int i = 0; i < client.fronts; i++)
        client.front[i] = spawn_from(front, &front);
    for (int i = 0; i < c; i++)
        clients[i] = spawn_from(client, &client);
    for (int i = 0; i < r; i++)
        send(clients[i % c], request, .i = i);
}
