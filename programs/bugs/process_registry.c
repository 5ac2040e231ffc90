/* process-registry: a late clean-up throws out the new owner.
 *
 * Source: after the Erlang process registry of Claessen and others (PULSE),
 * where two processes race for the name of a dead one.
 *
 * The registry's name belongs to a dead process.  The test sends go to two
 * clients.  A client asks to register; told that the name is taken (it minds at
 * most twice), it asks the supervisor whether the owner lives, and if not has
 * the registry audit that owner, and then registers again.  The registry frees
 * the name on audit, whoever owns it by then: both clients hear that the dead
 * process is the owner; one audits and registers; the other's audit throws it
 * out, and the other registers as well.
 *
 * Repaired: the registry frees the name only if the audited one still owns it.
 *
 * Kind of bug: invariant
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: never two believers.
 * Find it: troupe explore programs/bugs/process_registry.c
 */
#include "repaired.h"
#include "troupe_short.h"

TR_PROTOCOL(registry, regi, audit);
TR_PROTOCOL(supervisor, alive_q);
TR_PROTOCOL(client, go, ok, taken, alive_a, audited);

enum { NOBODY, DEAD, CLIENT1, CLIENT2 }; /* processes by number */

TR_SIGNAL(go);
struct regi { /* register me */
    int who;
    client_ref from;
};
TR_MESSAGE(regi);
TR_SIGNAL(ok);
struct taken {
    int owner;
};
TR_MESSAGE(taken);
struct alive_q {
    int who;
    client_ref from;
};
TR_MESSAGE(alive_q);
struct alive_a {
    int who;
    bool alive;
};
TR_MESSAGE(alive_a);
struct audit {
    int who;
    client_ref from;
};
TR_MESSAGE(audit);
TR_SIGNAL(audited);

struct registry {
    int owner;
};

TR_HANDLER(registry, regi)
{
    if (self->owner == NOBODY) {
        self->owner = msg->who;
        send(msg->from, ok);
    } else {
        send(msg->from, taken, .owner = self->owner);
    }
}

TR_HANDLER(registry, audit)
{
    if (!repaired || self->owner == msg->who)
        self->owner = NOBODY;
    send(msg->from, audited);
}

TR_BEHAVIOUR(registry, open, TR_ON(regi, registry_regi),
             TR_ON(audit, registry_audit));
TR_CLASS(registry, .start = &registry_open);

TR_STATELESS(supervisor);

TR_HANDLER(supervisor, alive_q)
{
    send(msg->from, alive_a, .who = msg->who, .alive = msg->who != DEAD);
}

TR_BEHAVIOUR(supervisor, open, TR_ON(alive_q, supervisor_alive_q));
TR_CLASS(supervisor, .start = &supervisor_open);

struct client {
    int who;
    registry_ref registry;
    supervisor_ref supervisor;
    int refusals;
    bool believes; /* that it owns the name */
};

TR_HANDLER(client, go)
{
    send(self->registry, regi, .who = self->who, .from = me(client));
}

TR_HANDLER(client, audited)
{
    send(self->registry, regi, .who = self->who, .from = me(client));
}

TR_HANDLER(client, taken)
{
    if (msg->owner == self->who || self->refusals == 2)
        return;
    self->refusals++;
    send(self->supervisor, alive_q, .who = msg->owner, .from = me(client));
}

TR_HANDLER(client, alive_a)
{
    if (!msg->alive)
        send(self->registry, audit, .who = msg->who, .from = me(client));
}

TR_HANDLER(client, ok)
{
    self->believes = true;
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(audited, client_audited),
             TR_ON(taken, client_taken), TR_ON(alive_a, client_alive_a),
             TR_ON(ok, client_ok));
TR_CLASS(client, .start = &client_open);

TR_INVARIANT(one_owner)
{
    int believers = 0;
    for (each(client, c))
        believers += c->believes;
    return believers <= 1;
}

TR_SYSTEM(names)
{
    registry_ref registry = spawn(registry, .owner = DEAD);
    supervisor_ref supervisor = spawn(supervisor);
    client_ref client1 = spawn(client, .who = CLIENT1, .registry = registry,
                               .supervisor = supervisor);
    client_ref client2 = spawn(client, .who = CLIENT2, .registry = registry,
                               .supervisor = supervisor);
    expose(client1);
    expose(client2);
}

TR_TEST(process_registry)
{
    registry_ref registry = spawn(registry, .owner = DEAD);
    supervisor_ref supervisor = spawn(supervisor);
    client_ref client1 = spawn(client, .who = CLIENT1, .registry = registry,
                               .supervisor = supervisor);
    client_ref client2 = spawn(client, .who = CLIENT2, .registry = registry,
                               .supervisor = supervisor);
    send(client1, go);
    send(client2, go);
    drain();
}
