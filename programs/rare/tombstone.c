/* tombstone: what was deleted comes back.
 *
 * Source: stores that repair replicas when they are read, and purge the marks
 * of what was deleted.
 *
 * Three replicas hold a value.  A delete goes to all; a replica that gets it
 * keeps a tombstone, a version without a value, and purges that TICKS ticks
 * later.  A repair reads all replicas and sends the newest version to those
 * that have an older one.  If the delete is so slow to one replica that another
 * has purged its tombstone already, the repair finds nothing there and brings
 * the value back.
 *
 * Repaired: a replica remembers the version that it purged.
 *
 * Kind of bug: assertion
 * Models with the bug: pair any
 * Models without it: mailbox causal
 * Repaired, clean in: mailbox causal pair any
 * Oracle, at the end: the value is nowhere.
 * Find it: troupe explore programs/rare/tombstone.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { REPLICAS = 3, TICKS = 10 };

TR_PROTOCOL(repairer, go, copy);
TR_PROTOCOL(replica, remove, read, repair, tick);

TR_SIGNAL(go);
TR_SIGNAL(tick);
struct copy {
    int from, version, value;
};
TR_MESSAGE(copy);
struct remove {
    int version;
};
TR_MESSAGE(remove);
struct read {
    repairer_ref from;
};
TR_MESSAGE(read);
struct repair {
    int version, value;
};
TR_MESSAGE(repair);

struct replica {
    int id, version, value; /* value 0: none */
    int purged;             /* version */
    int ticks;
};

/* A version that it had not seen; if it has no value it is purged in time. */
static void take(tr_ctx *ctx, struct replica *self, int version, int value)
{
    if (version <= self->version || version <= self->purged)
        return;
    self->version = version;
    self->value = value;
    if (!value)
        send(me(replica), tick);
}

TR_HANDLER(replica, remove)
{
    take(ctx, self, msg->version, 0);
}

TR_HANDLER(replica, repair)
{
    take(ctx, self, msg->version, msg->value);
}

TR_HANDLER(replica, tick)
{
    if (++self->ticks < TICKS) {
        send(me(replica), tick);
        return;
    }
    if (repaired)
        self->purged = self->version;
    self->version = 0;
}

TR_HANDLER(replica, read)
{
    send(msg->from, copy, .from = self->id, .version = self->version,
         .value = self->value);
}

TR_BEHAVIOUR(replica, open, TR_ON(remove, replica_remove),
             TR_ON(read, replica_read), TR_ON(repair, replica_repair),
             TR_ON(tick, replica_tick));
TR_CLASS(replica, .start = &replica_open);

struct repairer {
    replica_ref replica[REPLICAS];
    struct copy seen[REPLICAS];
    int n;
};

TR_HANDLER(repairer, go)
{
    for (int i = 0; i < REPLICAS; i++)
        send(self->replica[i], read, .from = me(repairer));
}

TR_HANDLER(repairer, copy)
{
    int newest = 0;
    self->seen[msg->from] = *msg;
    if (++self->n < REPLICAS)
        return;
    for (int i = 1; i < REPLICAS; i++)
        if (self->seen[i].version > self->seen[newest].version)
            newest = i;
    for (int i = 0; i < REPLICAS; i++)
        if (self->seen[i].version < self->seen[newest].version)
            send(self->replica[i], repair,
                 .version = self->seen[newest].version,
                 .value = self->seen[newest].value);
}

TR_BEHAVIOUR(repairer, open, TR_ON(go, repairer_go),
             TR_ON(copy, repairer_copy));
TR_CLASS(repairer, .start = &repairer_open);

TR_TEST(tombstone)
{
    replica_ref r[REPLICAS];
    for (int i = 0; i < REPLICAS; i++)
        r[i] = spawn(replica, .id = i, .version = 1, .value = 7);
    repairer_ref repairer = spawn(repairer, .replica = {r[0], r[1], r[2]});
    for (int i = 0; i < REPLICAS; i++)
        send(r[i], remove, .version = 2);
    send(repairer, go);
    drain();
    for (int i = 0; i < REPLICAS; i++)
        assert(peek(replica, r[i])->value == 0);
}
