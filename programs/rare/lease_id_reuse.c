/* lease-id-reuse: a late release ends the lease of somebody else.
 *
 * Source: the ABA problem, in the ids of leases.
 *
 * Three clients acquire a lock ROUNDS times each and release it as soon as they
 * have it.  A lease that is not released in time runs out: the lock
 * sends itself a message for each, which may take any time.  A release names
 * its lease, and the lock heeds only the current one.  But ids are reused after
 * IDS leases: a release that is that late, because its lease ran out and all
 * the others came and went, names the lease that somebody else has now.
 *
 * Repaired: ids are never reused.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair (any is too large to walk)
 * Oracle: the lease that a release ends belongs to its sender.
 * Find it: troupe explore programs/rare/lease_id_reuse.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { CLIENTS = 3, IDS = 8, ROUNDS = 4 };

TR_PROTOCOL(lock, acquire, release, late);
TR_PROTOCOL(client, granted);

struct acquire {
    client_ref from;
};
TR_MESSAGE(acquire);
struct release {
    int id;
    client_ref from;
};
TR_MESSAGE(release);
struct late {
    int lease;
};
TR_MESSAGE(late);
struct granted {
    int id;
};
TR_MESSAGE(granted);

struct lock {
    client_ref holder, waiting[CLIENTS];
    int n_waiting, id;
    int leases; /* so far */
};

static void grant_next(tr_ctx *ctx, struct lock *self)
{
    self->holder = NULL;
    if (!self->n_waiting)
        return;
    self->holder = self->waiting[0];
    self->n_waiting--;
    for (int i = 0; i < self->n_waiting; i++)
        self->waiting[i] = self->waiting[i + 1];
    self->waiting[self->n_waiting] = NULL;
    self->id = repaired ? self->id + 1 : (self->id + 1) % IDS;
    send(me(lock), late, .lease = ++self->leases);
    send(self->holder, granted, .id = self->id);
}

TR_HANDLER(lock, acquire)
{
    self->waiting[self->n_waiting++] = msg->from;
    if (!self->holder)
        grant_next(ctx, self);
}

TR_HANDLER(lock, release)
{
    if (!self->holder || msg->id != self->id)
        return;
    assert(msg->from == self->holder);
    grant_next(ctx, self);
}

TR_HANDLER(lock, late)
{
    if (self->holder && msg->lease == self->leases)
        grant_next(ctx, self);
}

TR_BEHAVIOUR(lock, open, TR_ON(acquire, lock_acquire),
             TR_ON(release, lock_release), TR_ON(late, lock_late));
TR_CLASS(lock, .start = &lock_open);

struct client {
    lock_ref lock;
    int rounds;
};

TR_HANDLER(client, granted)
{
    send(self->lock, release, .id = msg->id, .from = me(client));
    if (++self->rounds < ROUNDS)
        send(self->lock, acquire, .from = me(client));
}

TR_BEHAVIOUR(client, open, TR_ON(granted, client_granted));
TR_CLASS(client, .start = &client_open);

TR_TEST(lease_id_reuse)
{
    lock_ref lock = spawn(lock);
    for (int i = 0; i < CLIENTS; i++) {
        client_ref client = spawn(client, .lock = lock);
        send(lock, acquire, .from = client);
    }
    drain();
}
