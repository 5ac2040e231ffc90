/* Requests: what an answer may be, and what happens while one is awaited. */
#include "troupe_short.h"

TR_PROTOCOL(oracle, query);
TR_PROTOCOL(client, start, poke, hurry);
struct answer {
    int value;
};
struct query {
    int n;
};
TR_REQUEST(query, answer);
struct start {
    int n;
};
TR_MESSAGE(start);
TR_SIGNAL(poke);
TR_SIGNAL(hurry);

struct oracle {
    int asked;
};
TR_HANDLER(oracle, query)
{
    self->asked = 1;
    reply(query, .value = msg->n % 1000 * 2);
}
TR_BEHAVIOUR(oracle, open, TR_ON(query, oracle_query));
TR_CLASS(oracle, .start = &oracle_open);

struct client {
    oracle_ref oracle;
    int pokes, seen;
};
TR_HANDLER(client, start)
{
    int before = self->pokes;
    const struct answer *a = await(ask(self->oracle, query, .n = msg->n));
    if (!a)
        return; // TARGET nobody: impossible, oracles never stop and there is no limit
    if (a->value == 246)
        self->seen = 1; // TARGET value: reachable
    if (a->value % 2)
        self->seen = 2; // TARGET uneven: impossible, every answer is twice something
    if (self->pokes == before + 2)
        self->seen = 3; // TARGET meanwhile: reachable
}
TR_HANDLER(client, poke)
{
    self->pokes++;
}
TR_HANDLER(client, hurry)
{
    const struct answer *a = get(ask_within(5, self->oracle, query, .n = 1));
    if (!a)
        self->seen = 4; // TARGET limit: reachable
}
TR_BEHAVIOUR(client, open, TR_ON(start, client_start), TR_ON(poke, client_poke),
             TR_ON(hurry, client_hurry));
TR_CLASS(client, .start = &client_open);

static client_ref build(tr_ctx *ctx)
{
    oracle_ref oracle = spawn(oracle);
    return spawn(client, .oracle = oracle);
}
TR_SYSTEM(temple)
{
    client_ref client = build(ctx);
    expose(client);
}
TR_TEST(value)
{
    client_ref client = build(ctx);
    send(client, start, .n = 123);
    drain();
}
TR_TEST(meanwhile)
{
    client_ref client = build(ctx);
    send(client, start);
    send(client, poke);
    send(client, poke);
    drain();
}
TR_TEST(limit)
{
    client_ref client = build(ctx);
    send(client, hurry);
    drain();
}
