/* paxos-amnesia: an acceptor forgets its promise when it restarts.
 *
 * Source: single-decree Paxos where only what was accepted is written to disk.
 *
 * Two proposers with ballots 1 and 2, three acceptors; a watchdog restarts
 * acceptor 0 at its last tick.  An acceptor promises to ignore earlier ballots
 * and tells what it has accepted; a proposer with two promises sends accept
 * with the value it heard of, or its own.  The bug: acceptor 0 promises ballot
 * 2, restarts, and accepts ballot 1.  It shows if proposer 1 has its two
 * promises before that, proposer 2 its own from acceptor 0 and from another
 * that has not accepted, and if each of them gets two acceptances.  So the
 * watchdog must have come far before any of that is done.
 *
 * Repaired: the promise is on disk too.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair any
 * Oracle: never two values each accepted by two acceptors.
 * Find it: troupe explore programs/rare/paxos_amnesia.c
 */
#include "../bugs/repaired.h"
#include "troupe_short.h"

enum { ACCEPTORS = 3, PROPOSERS = 2, MAJORITY = 2, TICKS = 9 };

TR_PROTOCOL(acceptor, prepare, accept, restart);
TR_PROTOCOL(proposer, go, promise);
TR_PROTOCOL(watchdog, tick);

TR_SIGNAL(go);
TR_SIGNAL(restart);
TR_SIGNAL(tick);
struct prepare {
    int ballot;
    proposer_ref from;
};
TR_MESSAGE(prepare);
struct promise {
    int accepted, value; /* ballot 0: none */
};
TR_MESSAGE(promise);
struct accept {
    int ballot, value;
};
TR_MESSAGE(accept);

struct acceptor {
    int promised;
    int value[PROPOSERS + 1]; /* accepted at each ballot, 0: none */
};

static int newest(const struct acceptor *self)
{
    for (int ballot = PROPOSERS; ballot; ballot--)
        if (self->value[ballot])
            return ballot;
    return 0;
}

TR_HANDLER(acceptor, restart)
{
    if (!repaired)
        self->promised = newest(self);
}

TR_HANDLER(acceptor, prepare)
{
    if (msg->ballot <= self->promised)
        return;
    self->promised = msg->ballot;
    send(msg->from, promise, .accepted = newest(self),
         .value = self->value[newest(self)]);
}

TR_HANDLER(acceptor, accept)
{
    if (msg->ballot < self->promised)
        return;
    self->promised = msg->ballot;
    self->value[msg->ballot] = msg->value;
}

TR_BEHAVIOUR(acceptor, open, TR_ON(prepare, acceptor_prepare),
             TR_ON(accept, acceptor_accept), TR_ON(restart, acceptor_restart));
TR_CLASS(acceptor, .start = &acceptor_open);

struct watchdog {
    acceptor_ref acceptor;
    int ticks;
};

TR_HANDLER(watchdog, tick)
{
    if (++self->ticks < TICKS)
        send(me(watchdog), tick);
    else
        send(self->acceptor, restart);
}

TR_BEHAVIOUR(watchdog, open, TR_ON(tick, watchdog_tick));
TR_CLASS(watchdog, .start = &watchdog_open);

struct proposer {
    acceptor_ref acceptor[ACCEPTORS];
    int ballot, promises, adopted, value;
};

TR_HANDLER(proposer, go)
{
    for (int i = 0; i < ACCEPTORS; i++)
        send(self->acceptor[i], prepare, .ballot = self->ballot,
             .from = me(proposer));
}

TR_HANDLER(proposer, promise)
{
    if (msg->accepted > self->adopted) {
        self->adopted = msg->accepted;
        self->value = msg->value;
    }
    if (++self->promises != MAJORITY)
        return;
    for (int i = 0; i < ACCEPTORS; i++)
        send(self->acceptor[i], accept, .ballot = self->ballot,
             .value = self->adopted ? self->value : self->ballot);
}

TR_BEHAVIOUR(proposer, open, TR_ON(go, proposer_go),
             TR_ON(promise, proposer_promise));
TR_CLASS(proposer, .start = &proposer_open);

TR_INVARIANT(one_value_is_chosen)
{
    int votes[PROPOSERS + 1] = {0}, value[PROPOSERS + 1] = {0};
    for (each(acceptor, a))
        for (int ballot = 1; ballot <= PROPOSERS; ballot++)
            if (a->value[ballot]) {
                votes[ballot]++;
                value[ballot] = a->value[ballot];
            }
    return votes[1] < MAJORITY || votes[2] < MAJORITY || value[1] == value[2];
}

TR_TEST(paxos_amnesia)
{
    acceptor_ref a[ACCEPTORS];
    for (int i = 0; i < ACCEPTORS; i++)
        a[i] = spawn(acceptor);
    for (int p = 1; p <= PROPOSERS; p++) {
        proposer_ref proposer =
            spawn(proposer, .ballot = p, .acceptor = {a[0], a[1], a[2]});
        send(proposer, go);
    }
    watchdog_ref watchdog = spawn(watchdog, .acceptor = a[0]);
    send(watchdog, tick);
    drain();
}
