/* A handler becomes something and then holds its actor in get: what the old
 * behaviour deferred is handled as soon as the reply has come.
 *
 * Bugs: assertion
 */
#include "troupe_short.h"
#include <assert.h>

struct answer {
    int v;
};
struct question {
    int v;
};
TR_REQUEST(question, answer);
TR_SIGNAL(early);
TR_SIGNAL(change);
TR_SIGNAL(late);
TR_PROTOCOL(server, question);
TR_PROTOCOL(client, early, change, late);

struct server {
    int n;
};
TR_HANDLER(server, question)
{
    reply(question, .v = 5);
}
TR_BEHAVIOUR(server, open, TR_ON(question, server_question));
TR_CLASS(server, .start = &server_open);

TR_STATES(client, first, second);
struct client {
    server_ref server;
    int late;
};
TR_HANDLER(client, early)
{
    assert(self->late == 1);
}
TR_HANDLER(client, change)
{
    become(client, second);
    get(ask(self->server, question));
}
TR_HANDLER(client, late)
{
    self->late++;
    become(client, second);
}
TR_BEHAVIOUR(client, first, TR_DEFER(early), TR_ON(change, client_change),
             TR_ON(late, client_late));
TR_BEHAVIOUR(client, second, TR_ON(early, client_early), TR_IGNORE(change),
             TR_ON(late, client_late));
TR_CLASS(client, .start = &client_first);

TR_TEST(kept_while_held)
{
    client_ref c = spawn(client, .server = spawn(server));
    send(c, early);
    send(c, change);
    drain();
    send(c, late);
}
