/* A request that is sent again at each time-out.
 *
 * On go the client sends req to the server and sets a timer of 100 ms; late
 * sends it again, `tries` times in all, and then gives up.  The server answers
 * each request with rep, which ends the client's waiting.
 *
 * Parameter tries (2).  Schedules, classes, final states; any / the others:
 *   tries = 2  31, 9, 2 / 13, 3, 2
 *   tries = 3  766, 77, 3 / 66, 4, 3
 */
#include "troupe_short.h"

TR_PROTOCOL(server, req);
TR_PROTOCOL(client, go, rep, late);

struct req {
    client_ref from;
};
TR_MESSAGE(req);
TR_SIGNAL(go);
TR_SIGNAL(rep);
TR_SIGNAL(late);

struct server {
    int asked;
};

TR_HANDLER(server, req)
{
    self->asked++;
    send(msg->from, rep);
}

TR_BEHAVIOUR(server, open, TR_ON(req, server_req));
TR_CLASS(server, .start = &server_open);

enum how { IDLE, WAITS, DONE, GAVE_UP };

struct client {
    server_ref server;
    int tries, sent;
    enum how how;
    tr_timer limit;
};

static void attempt(tr_ctx *ctx, struct client *self)
{
    self->how = WAITS;
    self->sent++;
    send(self->server, req, .from = me(client));
    self->limit = send_after(100, me(client), late);
}

TR_HANDLER(client, go)
{
    attempt(ctx, self);
}

TR_HANDLER(client, rep)
{
    cancel(self->limit);
    self->limit = 0;
    self->how = DONE;
}

TR_HANDLER(client, late)
{
    self->limit = 0;
    if (self->sent == self->tries)
        self->how = GAVE_UP;
    else
        attempt(ctx, self);
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(rep, client_rep),
             TR_ON(late, client_late));
TR_CLASS(client, .start = &client_open);

TR_TEST(retry)
{
    server_ref server = spawn(server);
    client_ref c =
        spawn(client, .server = server, .tries = (int)param("tries", 2));
    send(c, go);
}
