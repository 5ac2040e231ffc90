/* cache-coherence: a shared copy granted while an exclusive one is on its way.
 *
 * Source: German's directory protocol, a standard subject of model checking,
 * with a tempting shortcut.
 *
 * The test tells client 1 and client 3 to want a shared copy, then client 2 and
 * client 1 an exclusive one; they ask home for it.  Home serves one request at
 * a time: it invalidates every other holder (for exclusive) or the exclusive
 * owner (for shared), waits for their acknowledgements, grants the copy and
 * turns to the next in its queue.  The shortcut: while busy, a request for a
 * shared copy that finds no exclusive owner is granted at once, also when the
 * request being served is about to make one.
 *
 * Repaired: while busy, home queues every request.
 *
 * Kind of bug: invariant
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (any: invalidate may pass a grant)
 * Oracle: an exclusive copy excludes all others.
 * Find it: troupe explore programs/bugs/cache_coherence.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { CLIENTS = 3, QUEUE = 4 };

TR_PROTOCOL(home, request, inv_ack);
TR_PROTOCOL(client, want, grant, invalidate);

struct want { /* to a client */
    bool exclusive;
};
TR_MESSAGE(want);
struct grant {
    bool exclusive;
};
TR_MESSAGE(grant);
TR_SIGNAL(invalidate);
struct request { /* to home */
    int who;
    bool exclusive;
    client_ref from;
};
TR_MESSAGE(request);
struct inv_ack {
    int who;
};
TR_MESSAGE(inv_ack);

struct home {
    client_ref sharer[CLIENTS]; /* holders of a shared copy, else NULL */
    client_ref owner;           /* of the exclusive copy */
    int owner_number;
    struct request now; /* from is NULL: not busy */
    int acks;           /* to wait for */
    int n;
    struct request queue[QUEUE];
};

static void give(tr_ctx *ctx, struct home *self, const struct request *r)
{
    if (r->exclusive) {
        self->sharer[r->who] = NULL;
        self->owner = r->from;
        self->owner_number = r->who;
    } else {
        self->sharer[r->who] = r->from;
    }
    send(r->from, grant, .exclusive = r->exclusive);
}

static void revoke(tr_ctx *ctx, struct home *self, client_ref holder)
{
    self->acks++;
    send(holder, invalidate);
}

/* Take back what stands against the current request. */
static void serve(tr_ctx *ctx, struct home *self)
{
    const struct request *r = &self->now;
    if (r->exclusive)
        for (int i = 0; i < CLIENTS; i++)
            if (i != r->who && self->sharer[i])
                revoke(ctx, self, self->sharer[i]);
    if (self->owner && self->owner != r->from)
        revoke(ctx, self, self->owner);
}

/* Grant what is ready, and turn to the next, until one has to wait. */
static void go_on(tr_ctx *ctx, struct home *self)
{
    while (self->now.from && self->acks == 0) {
        give(ctx, self, &self->now);
        self->now = self->queue[0];
        for (int i = 1; i < QUEUE; i++)
            self->queue[i - 1] = self->queue[i];
        self->queue[QUEUE - 1] = (struct request){0};
        if (self->now.from) {
            self->n--;
            serve(ctx, self);
        }
    }
}

TR_HANDLER(home, request)
{
    if (!self->now.from) {
        self->now = *msg;
        serve(ctx, self);
        go_on(ctx, self);
    } else if (!repaired && !msg->exclusive && !self->owner) {
        give(ctx, self, msg);
    } else {
        assert(self->n < QUEUE);
        self->queue[self->n++] = *msg;
    }
}

TR_HANDLER(home, inv_ack)
{
    self->sharer[msg->who] = NULL;
    if (self->owner && self->owner_number == msg->who)
        self->owner = NULL;
    self->acks--;
    go_on(ctx, self);
}

TR_BEHAVIOUR(home, open, TR_ON(request, home_request),
             TR_ON(inv_ack, home_inv_ack));
TR_CLASS(home, .start = &home_open);

struct client {
    int number;
    home_ref home;
    enum { INVALID, SHARED, EXCLUSIVE } copy;
};

TR_HANDLER(client, want)
{
    send(self->home, request, .who = self->number, .exclusive = msg->exclusive,
         .from = me(client));
}

TR_HANDLER(client, grant)
{
    self->copy = msg->exclusive ? EXCLUSIVE : SHARED;
}

TR_HANDLER(client, invalidate)
{
    self->copy = INVALID;
    send(self->home, inv_ack, .who = self->number);
}

TR_BEHAVIOUR(client, open, TR_ON(want, client_want), TR_ON(grant, client_grant),
             TR_ON(invalidate, client_invalidate));
TR_CLASS(client, .start = &client_open);

TR_INVARIANT(exclusive_is_alone)
{
    int copies = 0, exclusive = 0;
    for (each(client, c)) {
        copies += c->copy != INVALID;
        exclusive += c->copy == EXCLUSIVE;
    }
    return exclusive == 0 || copies == 1;
}

TR_SYSTEM(caches)
{
    home_ref home = spawn(home);
    client_ref client1 = spawn(client, .number = 0, .home = home);
    client_ref client2 = spawn(client, .number = 1, .home = home);
    client_ref client3 = spawn(client, .number = 2, .home = home);
    expose(client1);
    expose(client2);
    expose(client3);
}

TR_TEST(cache_coherence)
{
    home_ref home = spawn(home);
    client_ref client1 = spawn(client, .number = 0, .home = home);
    client_ref client2 = spawn(client, .number = 1, .home = home);
    client_ref client3 = spawn(client, .number = 2, .home = home);
    send(client1, want, .exclusive = false);
    send(client3, want, .exclusive = false);
    send(client2, want, .exclusive = true);
    send(client1, want, .exclusive = true);
    drain();
}
