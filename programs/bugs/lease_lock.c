/* lease-lock: a lease runs out while its holder still writes.
 *
 * Source: the double grant of distributed locks without fencing.
 *
 * The test sends go to two clients, who ask for the lock.  The lock grants a
 * fresh token and starts a timer for it; the release or the expiry of the
 * current token frees the lock for the next.  A client with a token reads the
 * store, writes the value plus one, and when that is acknowledged is done and
 * releases.  The timer is an actor that sends itself L ticks before it lets
 * the lease expire: expiry may fall between a client's read and its write, and
 * then both write the same value.
 *
 * Repaired: the store refuses tokens older than the newest it has seen.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: the store counts the clients that are done.
 * Parameter L: ticks of the timer (10).
 * Find it: troupe explore programs/bugs/lease_lock.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(timer, timer_start, tick);
TR_PROTOCOL(lock, acquire, release, expire);
TR_PROTOCOL(store, read, write);
TR_PROTOCOL(client, go, grant, value, ack, nak);

struct timer_start {
    int token;
    lock_ref from;
};
TR_MESSAGE(timer_start);
struct tick {
    int token, left;
    lock_ref from;
};
TR_MESSAGE(tick);
struct acquire { /* to the lock */
    client_ref from;
};
TR_MESSAGE(acquire);
struct release {
    int token;
};
TR_MESSAGE(release);
struct expire {
    int token;
};
TR_MESSAGE(expire);
struct read { /* to the store */
    int token;
    client_ref from;
};
TR_MESSAGE(read);
struct write {
    int token, v;
    client_ref from;
};
TR_MESSAGE(write);
TR_SIGNAL(go); /* to a client */
struct grant {
    int token;
};
TR_MESSAGE(grant);
struct value {
    int v;
};
TR_MESSAGE(value);
TR_SIGNAL(ack);
TR_SIGNAL(nak);

struct timer {
    int length;
};

static void count_down(tr_ctx *ctx, int token, int left, lock_ref lock)
{
    if (left == 0)
        send(lock, expire, .token = token);
    else
        send(me(timer), tick, .token = token, .left = left - 1, .from = lock);
}

TR_HANDLER(timer, timer_start)
{
    count_down(ctx, msg->token, self->length, msg->from);
}

TR_HANDLER(timer, tick)
{
    count_down(ctx, msg->token, msg->left, msg->from);
}

TR_BEHAVIOUR(timer, open, TR_ON(timer_start, timer_timer_start),
             TR_ON(tick, timer_tick));
TR_CLASS(timer, .start = &timer_open);

struct lock {
    timer_ref timer;
    int token; /* newest granted */
    bool held;
    client_ref waiting; /* two clients: one at most waits */
};

static void grant_to(tr_ctx *ctx, struct lock *self, client_ref client)
{
    self->held = client != NULL;
    if (!client)
        return;
    self->token++;
    send(client, grant, .token = self->token);
    send(self->timer, timer_start, .token = self->token, .from = me(lock));
}

static void free_lock(tr_ctx *ctx, struct lock *self, int token)
{
    client_ref next = self->waiting;
    if (!self->held || token != self->token)
        return;
    self->waiting = NULL;
    grant_to(ctx, self, next);
}

TR_HANDLER(lock, acquire)
{
    if (self->held)
        self->waiting = msg->from;
    else
        grant_to(ctx, self, msg->from);
}

TR_HANDLER(lock, release)
{
    free_lock(ctx, self, msg->token);
}

TR_HANDLER(lock, expire)
{
    free_lock(ctx, self, msg->token);
}

TR_BEHAVIOUR(lock, open, TR_ON(acquire, lock_acquire),
             TR_ON(release, lock_release), TR_ON(expire, lock_expire));
TR_CLASS(lock, .start = &lock_open);

struct store {
    int v;
    int newest; /* token seen; kept when repaired */
};

static bool too_old(struct store *self, int token)
{
    if (!repaired)
        return false;
    if (token > self->newest)
        self->newest = token;
    return token < self->newest;
}

TR_HANDLER(store, read)
{
    if (too_old(self, msg->token))
        send(msg->from, nak);
    else
        send(msg->from, value, .v = self->v);
}

TR_HANDLER(store, write)
{
    if (too_old(self, msg->token)) {
        send(msg->from, nak);
    } else {
        self->v = msg->v;
        send(msg->from, ack);
    }
}

TR_BEHAVIOUR(store, open, TR_ON(read, store_read), TR_ON(write, store_write));
TR_CLASS(store, .start = &store_open);

struct client {
    lock_ref lock;
    store_ref store;
    int token;
    bool done;
};

TR_HANDLER(client, go)
{
    send(self->lock, acquire, .from = me(client));
}

TR_HANDLER(client, grant)
{
    self->token = msg->token;
    send(self->store, read, .token = self->token, .from = me(client));
}

TR_HANDLER(client, value)
{
    send(self->store, write, .token = self->token, .v = msg->v + 1,
         .from = me(client));
}

TR_HANDLER(client, ack)
{
    self->done = true;
    send(self->lock, release, .token = self->token);
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(grant, client_grant),
             TR_ON(value, client_value), TR_ON(ack, client_ack),
             TR_IGNORE(nak));
TR_CLASS(client, .start = &client_open);

TR_SYSTEM(lease)
{
    timer_ref timer = spawn(timer, .length = (int)param("L", 10));
    lock_ref lock = spawn(lock, .timer = timer);
    store_ref store = spawn(store);
    client_ref client1 = spawn(client, .lock = lock, .store = store);
    client_ref client2 = spawn(client, .lock = lock, .store = store);
    expose(client1);
    expose(client2);
}

TR_TEST(lease_lock)
{
    timer_ref timer = spawn(timer, .length = (int)param("L", 10));
    lock_ref lock = spawn(lock, .timer = timer);
    store_ref store = spawn(store);
    client_ref client1 = spawn(client, .lock = lock, .store = store);
    client_ref client2 = spawn(client, .lock = lock, .store = store);
    send(client1, go);
    send(client2, go);
    drain();
    int done = peek(client, client1)->done + peek(client, client2)->done;
    assert(peek(store, store)->v == done);
}
