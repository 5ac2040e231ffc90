/* A request that is sent again after 100, 200, 400 ms..., with a look at the
 * clock: a limit never passes early.
 *
 * As retry.c, but the client notes when it began, and asserts at each time-out
 * that all its limits have passed.  Where reading the clock decides nothing it
 * costs nothing: the figures are those of retry.c.
 *
 * Parameter tries (2).  Schedules, classes, final states; any / the others:
 *   tries = 2  31, 9, 2 / 13, 3, 2
 *   tries = 3  766, 77, 3 / 66, 4, 3
 */
#include "troupe_short.h"

#include <assert.h>

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
    tr_time began;
};

static void attempt(tr_ctx *ctx, struct client *self)
{
    self->how = WAITS;
    send(self->server, req, .from = me(client));
    self->limit = send_after(100u << self->sent, me(client), late);
    self->sent++;
}

static void end(struct client *self, enum how how)
{
    self->limit = 0;
    self->began = 0;
    self->how = how;
}

TR_HANDLER(client, go)
{
    self->began = now();
    attempt(ctx, self);
}

TR_HANDLER(client, rep)
{
    cancel(self->limit);
    end(self, DONE);
}

TR_HANDLER(client, late)
{
    assert(now() - self->began >= (100u << self->sent) - 100);
    if (self->sent == self->tries)
        end(self, GAVE_UP);
    else
        attempt(ctx, self);
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(rep, client_rep),
             TR_ON(late, client_late));
TR_CLASS(client, .start = &client_open);

TR_TEST(backoff)
{
    server_ref server = spawn(server);
    client_ref c =
        spawn(client, .server = server, .tries = (int)param("tries", 2));
    send(c, go);
}
