// A store of numbers, and two clients that count in it.  Each reads, adds
// one and writes back: with `put` alone the two may read the same number,
// and one update is lost.  `add` does it in one message.
//
//     troupe test
//
// To see a bug, let client_go send put instead of add:
//
//     send(self->store, put, .value = await(n)->value + 1);
#include <troupe_short.h>

#include <assert.h>

struct number { int value; };
struct query { int key; };
TR_REQUEST(query, number);
struct put { int value; };
TR_MESSAGE(put);
struct add { int value; };
TR_MESSAGE(add);
TR_SIGNAL(go);

TR_PROTOCOL(store, query, put, add);
TR_PROTOCOL(client, go);

struct store { int value; };
TR_HANDLER(store, query) { reply(query, .value = self->value); }
TR_HANDLER(store, put) { self->value = msg->value; }
TR_HANDLER(store, add) { self->value += msg->value; }
TR_BEHAVIOUR(store, open, TR_ON(query), TR_ON(put), TR_ON(add));
TR_CLASS(store, .start = &store_open);

struct client { store_ref store; };
TR_HANDLER(client, go)
{
    TR_FUTURE(query) n = ask(self->store, query);
    if (await(n)->value < 100)
        send(self->store, add, .value = 1);
}
TR_BEHAVIOUR(client, open, TR_ON(go));
TR_CLASS(client, .start = &client_open);

TR_TEST(no_update_is_lost)
{
    store_ref s = spawn(store);
    send(s, put, .value = 0);
    drain();
    for (int i = 0; i < 2; i++)
        send(spawn(client, .store = s), go);
    drain();
    assert(peek(store, s)->value == 2);
}
