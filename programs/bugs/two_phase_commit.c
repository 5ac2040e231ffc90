/* two-phase-commit: a yes to one transaction counts for the next.
 *
 * Source: after the P language's tutorial; the stale vote is the classic slip.
 *
 * The test sends go to the client, which runs transaction 1 and then 2.  The
 * coordinator opens a transaction t, sends prepare(t) to both participants and
 * starts a timer.  Two yes votes commit, a no or the timeout aborts; either is
 * told to both and the client gets its result.  Participant 2 votes no on
 * transaction 2, all other votes are yes.  The coordinator does not look which
 * transaction a vote is for: a yes to 1 that missed the timeout commits 2.
 * Time does not exist: the timer is an actor, so a timeout may come at any
 * moment.
 *
 * Repaired: votes on another transaction than the open one are dropped.
 *
 * Kind of bug: assertion
 * Models with the bug: mailbox causal pair any
 * Models without it: none
 * Repaired, clean in: mailbox causal pair any
 * Oracle: who is told to commit has voted yes.
 * Find it: troupe explore programs/bugs/two_phase_commit.c
 */
#include "repaired.h"
#include "troupe_short.h"
#include <assert.h>

TR_PROTOCOL(timer, timer_start);
TR_PROTOCOL(participant, prepare, commit, rollback);
TR_PROTOCOL(coordinator, transact, vote, timeout);
TR_PROTOCOL(client, go, result);

TR_SIGNAL(go);
struct transact {
    int t;
    client_ref from;
};
TR_MESSAGE(transact);
struct result {
    int t;
};
TR_MESSAGE(result);
struct prepare {
    int t;
    coordinator_ref from;
};
TR_MESSAGE(prepare);
struct vote {
    int t;
    bool yes;
};
TR_MESSAGE(vote);
struct commit {
    int t;
};
TR_MESSAGE(commit);
struct rollback {
    int t;
};
TR_MESSAGE(rollback);
struct timer_start {
    int t;
    coordinator_ref from;
};
TR_MESSAGE(timer_start);
struct timeout {
    int t;
};
TR_MESSAGE(timeout);

TR_STATELESS(timer);

TR_HANDLER(timer, timer_start)
{
    send(msg->from, timeout, .t = msg->t);
}

TR_BEHAVIOUR(timer, open, TR_ON(timer_start, timer_timer_start));
TR_CLASS(timer, .start = &timer_open);

struct participant {
    int number;
    bool said_yes[3]; /* by transaction */
};

TR_HANDLER(participant, prepare)
{
    bool yes = !(self->number == 2 && msg->t == 2);
    self->said_yes[msg->t] = yes;
    send(msg->from, vote, .t = msg->t, .yes = yes);
}

TR_HANDLER(participant, commit)
{
    assert(self->said_yes[msg->t]);
}

TR_BEHAVIOUR(participant, open, TR_ON(prepare, participant_prepare),
             TR_ON(commit, participant_commit), TR_IGNORE(rollback));
TR_CLASS(participant, .start = &participant_open);

struct coordinator {
    participant_ref participant[2];
    timer_ref timer;
    client_ref client;
    int open; /* transaction, 0: none */
    int yes;
};

static void close_transaction(tr_ctx *ctx, struct coordinator *self, bool yes)
{
    for (int i = 0; i < 2; i++) {
        if (yes)
            send(self->participant[i], commit, .t = self->open);
        else
            send(self->participant[i], rollback, .t = self->open);
    }
    send(self->client, result, .t = self->open);
    self->open = 0;
    self->yes = 0;
}

TR_HANDLER(coordinator, transact)
{
    self->client = msg->from;
    self->open = msg->t;
    for (int i = 0; i < 2; i++)
        send(self->participant[i], prepare, .t = msg->t,
             .from = me(coordinator));
    send(self->timer, timer_start, .t = msg->t, .from = me(coordinator));
}

TR_HANDLER(coordinator, vote)
{
    if (!self->open || (repaired && msg->t != self->open))
        return;
    if (!msg->yes)
        close_transaction(ctx, self, false);
    else if (++self->yes == 2)
        close_transaction(ctx, self, true);
}

TR_HANDLER(coordinator, timeout)
{
    if (msg->t == self->open)
        close_transaction(ctx, self, false);
}

TR_BEHAVIOUR(coordinator, working, TR_ON(transact, coordinator_transact),
             TR_ON(vote, coordinator_vote),
             TR_ON(timeout, coordinator_timeout));
TR_CLASS(coordinator, .start = &coordinator_working);

struct client {
    coordinator_ref coordinator;
};

TR_HANDLER(client, go)
{
    send(self->coordinator, transact, .t = 1, .from = me(client));
}

TR_HANDLER(client, result)
{
    if (msg->t == 1)
        send(self->coordinator, transact, .t = 2, .from = me(client));
}

TR_BEHAVIOUR(client, open, TR_ON(go, client_go), TR_ON(result, client_result));
TR_CLASS(client, .start = &client_open);

static client_ref make_client(tr_ctx *ctx)
{
    timer_ref timer = spawn(timer);
    participant_ref first = spawn(participant, .number = 1);
    participant_ref second = spawn(participant, .number = 2);
    coordinator_ref coordinator =
        spawn(coordinator, .participant = {first, second}, .timer = timer);
    return spawn(client, .coordinator = coordinator);
}

TR_SYSTEM(transactions)
{
    client_ref client = make_client(ctx);
    expose(client);
}

TR_TEST(two_phase_commit)
{
    client_ref client = make_client(ctx);
    send(client, go);
    drain();
}
