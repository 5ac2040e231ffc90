/* paxos-last-value: a proposer adopts the last value it hears, not the newest.
 *
 * Source: single-decree Paxos with the usual slip in phase two.
 *
 * The test sends go to proposers 1, 2, 3; proposer p has ballot p and value p.
 * It sends prepare to three acceptors; an acceptor that has promised no later
 * ballot promises this one and tells what it has accepted.  At the second
 * promise the proposer sends accept with the adopted value, or its own if it
 * heard of none; acceptors accept unless they have promised a later ballot.  A
 * proposer must adopt the value of the highest ballot it hears of; this one
 * adopts the last.  The bug needs three ballots: 1 accepted at one acceptor, 2
 * chosen by the two others, and proposer 3 hears of 2 first, of 1 second.
 *
 * Repaired: adopt a value only if its ballot is the highest heard of so far.
 *
 * Kind of bug: invariant
 * Models with the bug: causal pair any
 * Models without it: mailbox
 * Repaired, clean in: mailbox causal pair (any is too large to walk)
 * Oracle: never two values each accepted by two acceptors at one ballot.
 * Find it: troupe explore programs/bugs/paxos_last_value.c --strategy=random
 */
#include "repaired.h"
#include "troupe_short.h"

enum { ACCEPTORS = 3, PROPOSERS = 3, MAJORITY = 2 };

TR_PROTOCOL(acceptor, prepare, accept);
TR_PROTOCOL(proposer, go, promise);

TR_SIGNAL(go);
struct prepare {
    int ballot;
    proposer_ref from;
};
TR_MESSAGE(prepare);
struct promise {
    int accepted; /* ballot, 0: none */
    int value;
};
TR_MESSAGE(promise);
struct accept {
    int ballot, value;
};
TR_MESSAGE(accept);

struct acceptor {
    int promised;
    int accepted;             /* latest ballot accepted, 0: none */
    int value[PROPOSERS + 1]; /* accepted at each ballot, 0: none */
};

TR_HANDLER(acceptor, prepare)
{
    if (msg->ballot <= self->promised)
        return;
    self->promised = msg->ballot;
    send(msg->from, promise, .accepted = self->accepted,
         .value = self->value[self->accepted]);
}

TR_HANDLER(acceptor, accept)
{
    if (msg->ballot < self->promised)
        return;
    self->promised = msg->ballot;
    self->accepted = msg->ballot;
    self->value[msg->ballot] = msg->value;
}

TR_BEHAVIOUR(acceptor, open, TR_ON(prepare, acceptor_prepare),
             TR_ON(accept, acceptor_accept));
TR_CLASS(acceptor, .start = &acceptor_open);

struct acceptors {
    acceptor_ref at[ACCEPTORS];
};

struct proposer {
    int ballot;
    struct acceptors acceptors;
    int promises;
    int adopted; /* ballot of the value, 0: none */
    int value;
};

TR_HANDLER(proposer, go)
{
    for (int i = 0; i < ACCEPTORS; i++)
        send(self->acceptors.at[i], prepare, .ballot = self->ballot,
             .from = me(proposer));
}

TR_HANDLER(proposer, promise)
{
    if (self->promises == MAJORITY)
        return;
    self->promises++;
    if (repaired ? msg->accepted > self->adopted : msg->accepted > 0) {
        self->adopted = msg->accepted;
        self->value = msg->value;
    }
    if (self->promises < MAJORITY)
        return;
    for (int i = 0; i < ACCEPTORS; i++)
        send(self->acceptors.at[i], accept, .ballot = self->ballot,
             .value = self->adopted ? self->value : self->ballot);
}

TR_BEHAVIOUR(proposer, open, TR_ON(go, proposer_go),
             TR_ON(promise, proposer_promise));
TR_CLASS(proposer, .start = &proposer_open);

/* The value that a majority accepted at this ballot, 0 if there is none. */
static int chosen_at(tr_ctx *ctx, int ballot)
{
    int votes[PROPOSERS + 1] = {0};
    for (each(acceptor, a))
        votes[a->value[ballot]]++;
    for (int v = 1; v <= PROPOSERS; v++)
        if (votes[v] >= MAJORITY)
            return v;
    return 0;
}

TR_INVARIANT(one_value_is_chosen)
{
    int chosen = 0;
    for (int ballot = 1; ballot <= PROPOSERS; ballot++) {
        int value = chosen_at(ctx, ballot);
        if (value && chosen && value != chosen)
            return false;
        if (value)
            chosen = value;
    }
    return true;
}

static struct acceptors make_acceptors(tr_ctx *ctx)
{
    struct acceptors acceptors;
    for (int i = 0; i < ACCEPTORS; i++)
        acceptors.at[i] = spawn(acceptor);
    return acceptors;
}

TR_SYSTEM(paxos)
{
    struct acceptors acceptors = make_acceptors(ctx);
    proposer_ref proposer1 =
        spawn(proposer, .ballot = 1, .acceptors = acceptors);
    proposer_ref proposer2 =
        spawn(proposer, .ballot = 2, .acceptors = acceptors);
    proposer_ref proposer3 =
        spawn(proposer, .ballot = 3, .acceptors = acceptors);
    expose(proposer1);
    expose(proposer2);
    expose(proposer3);
}

TR_TEST(paxos_last_value)
{
    struct acceptors acceptors = make_acceptors(ctx);
    for (int p = 1; p <= PROPOSERS; p++) {
        proposer_ref proposer =
            spawn(proposer, .ballot = p, .acceptors = acceptors);
        send(proposer, go);
    }
    drain();
}
