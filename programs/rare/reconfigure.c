/* reconfigure: a write lands in the old group when the new one has been filled.
 *
 * Source: moving a replicated register to other servers without sealing it.
 *
 * Replicas 0 and 1 are the old group, 2 and 3 the new one.  A writer sends a
 * write to the old group and is done when both have it.  A manager pulls from
 * the old group, installs the newest of both answers in the new group, and does
 * that ROUNDS times to catch up; then the new group is ready.  When the writer
 * is done and the new group is ready, a reader reads from it and takes the
 * newest of both answers.  A write that reaches the old group after the last
 * pull is lost, though the writer was told that it is done.
 *
 * Repaired: the last pull seals; a sealed replica refuses the write, and the
 * writer goes to the new group.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: the reader reads what was written.
 * Find it: troupe explore programs/rare/reconfigure.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"
#include <assert.h>

enum { GROUP = 2, QUORUM = 2, ALL = 4, ROUNDS = 3 };
enum { OLD, NEW }; /* groups */

TR_PROTOCOL(reader, done, value);
TR_PROTOCOL(writer, go, ack, refusal);
TR_PROTOCOL(manager, go, value, ack);
TR_PROTOCOL(replica, write, pull, install, read);

TR_SIGNAL(go);
TR_SIGNAL(done);
TR_SIGNAL(refusal);
struct ack {
    int round; /* or group */
};
TR_MESSAGE(ack);
struct value {
    int version, round;
};
TR_MESSAGE(value);
struct write {
    writer_ref from;
    int group;
};
TR_MESSAGE(write);
struct pull {
    manager_ref from;
    int round;
    bool seal;
};
TR_MESSAGE(pull);
struct install {
    manager_ref from;
    int version, round;
};
TR_MESSAGE(install);
struct read {
    reader_ref from;
};
TR_MESSAGE(read);

struct replica {
    int version;
    bool sealed;
};

TR_HANDLER(replica, write)
{
    if (self->sealed && msg->group == OLD) {
        send(msg->from, refusal);
        return;
    }
    self->version = 1;
    send(msg->from, ack, .round = msg->group);
}

TR_HANDLER(replica, pull)
{
    self->sealed = self->sealed || msg->seal;
    send(msg->from, value, .version = self->version, .round = msg->round);
}

TR_HANDLER(replica, install)
{
    if (msg->version > self->version)
        self->version = msg->version;
    send(msg->from, ack, .round = msg->round);
}

TR_HANDLER(replica, read)
{
    send(msg->from, value, .version = self->version);
}

TR_BEHAVIOUR(replica, open, TR_ON(write, replica_write),
             TR_ON(pull, replica_pull), TR_ON(install, replica_install),
             TR_ON(read, replica_read));
TR_CLASS(replica, .start = &replica_open);

struct writer {
    replica_ref replica[ALL];
    reader_ref reader;
    int group, acks, refusals;
};

static void write_to(tr_ctx *ctx, struct writer *self, int group)
{
    int first = group == OLD ? 0 : ALL - GROUP;
    self->group = group;
    self->acks = 0;
    for (int i = first; i < first + GROUP; i++)
        send(self->replica[i], write, .from = me(writer), .group = group);
}

TR_HANDLER(writer, go)
{
    write_to(ctx, self, OLD);
}

TR_HANDLER(writer, ack)
{
    if (msg->round == self->group && ++self->acks == QUORUM)
        send(self->reader, done);
}

TR_HANDLER(writer, refusal)
{
    if (++self->refusals == GROUP - QUORUM + 1)
        write_to(ctx, self, NEW);
}

TR_BEHAVIOUR(writer, open, TR_ON(go, writer_go), TR_ON(ack, writer_ack),
             TR_ON(refusal, writer_refusal));
TR_CLASS(writer, .start = &writer_open);

struct manager {
    replica_ref replica[ALL];
    reader_ref reader;
    int round, values, version, acks;
};

static void next_round(tr_ctx *ctx, struct manager *self)
{
    self->round++;
    self->values = self->version = self->acks = 0;
    for (int i = 0; i < GROUP; i++)
        send(self->replica[i], pull, .from = me(manager), .round = self->round,
             .seal = repaired && self->round == ROUNDS);
}

TR_HANDLER(manager, go)
{
    next_round(ctx, self);
}

TR_HANDLER(manager, value)
{
    if (msg->round != self->round)
        return;
    if (msg->version > self->version)
        self->version = msg->version;
    if (++self->values != QUORUM)
        return;
    for (int i = ALL - GROUP; i < ALL; i++)
        send(self->replica[i], install, .from = me(manager),
             .version = self->version, .round = self->round);
}

TR_HANDLER(manager, ack)
{
    if (msg->round != self->round || ++self->acks != QUORUM)
        return;
    if (self->round < ROUNDS)
        next_round(ctx, self);
    else
        send(self->reader, done);
}

TR_BEHAVIOUR(manager, open, TR_ON(go, manager_go), TR_ON(value, manager_value),
             TR_ON(ack, manager_ack));
TR_CLASS(manager, .start = &manager_open);

struct reader {
    replica_ref replica[ALL];
    int done, values, version;
};

TR_HANDLER(reader, done)
{
    if (++self->done < 2)
        return;
    for (int i = ALL - GROUP; i < ALL; i++)
        send(self->replica[i], read, .from = me(reader));
}

TR_HANDLER(reader, value)
{
    if (msg->version > self->version)
        self->version = msg->version;
    if (++self->values == QUORUM)
        assert(self->version == 1);
}

TR_BEHAVIOUR(reader, open, TR_ON(done, reader_done),
             TR_ON(value, reader_value));
TR_CLASS(reader, .start = &reader_open);

TR_TEST(reconfigure)
{
    replica_ref r[ALL];
    for (int i = 0; i < ALL; i++)
        r[i] = spawn(replica);
    reader_ref reader = spawn(reader, .replica = {r[0], r[1], r[2], r[3]});
    writer_ref writer =
        spawn(writer, .replica = {r[0], r[1], r[2], r[3]}, .reader = reader);
    manager_ref manager =
        spawn(manager, .replica = {r[0], r[1], r[2], r[3]}, .reader = reader);
    send(writer, go);
    send(manager, go);
    drain();
}
